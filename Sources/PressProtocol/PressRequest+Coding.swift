/// The first byte of each request.
private enum Kind: UInt8 {
  case open = 0x01
  case outline, page, render, extract, image, headers, colours
}

extension PressRequest {
  /// Encodes the request as one frame with its header.
  package func encoded() -> [UInt8] {
    PressFrame.framed { bytes in
      switch self {
      case .open(let password):
        bytes.append(Kind.open.rawValue)
        bytes.appendString(password)
      case .outline: bytes.append(Kind.outline.rawValue)
      case .page(let page):
        bytes.append(Kind.page.rawValue)
        bytes.appendCount(page)
      case .render(let page, let height, let effort):
        bytes.append(Kind.render.rawValue)
        bytes.appendCount(page)
        bytes.appendCount(height)
        bytes.append(effort.rawValue)
      case .extract: bytes.append(Kind.extract.rawValue)
      case .image(let image, let height, let effort):
        bytes.append(Kind.image.rawValue)
        bytes.appendCount(height)
        bytes.append(effort.rawValue)
        bytes.appendBytes(image)
      case .headers(let heads):
        bytes.append(Kind.headers.rawValue)
        bytes.appendCount(heads.count)
        for head in heads { bytes.appendBytes(head) }
      case .colours(let drawing):
        bytes.append(Kind.colours.rawValue)
        bytes.appendBytes(drawing)
      }
    }
  }

  /// Decodes a request.
  /// - Parameter bytes: One frame without its header.
  /// - Throws: What is wrong with the bytes.
  package init(decoding bytes: [UInt8]) throws(PressProtocolError) {
    self = try ByteReader.whole(bytes) { reader throws(PressProtocolError) in
      try PressRequest(&reader)
    }
  }

  private init(_ reader: inout ByteReader) throws(PressProtocolError) {
    let type = try reader.uint8("type")
    guard let kind = Kind(rawValue: type) else { throw .unknownType(type) }
    switch kind {
    case .open: self = .open(password: try reader.string("password"))
    case .outline: self = .outline
    case .page: self = .page(try reader.count("page"))
    case .render:
      let page = try reader.count("page")
      let height = try reader.count("height")
      self = .render(page: page, height: height, effort: try reader.choice(Effort.self, "effort"))
    case .extract: self = .extract
    case .image:
      let height = try reader.count("height")
      let effort = try reader.choice(Effort.self, "effort")
      self = .image(bytes: try reader.byteArray("image"), height: height, effort: effort)
    case .headers:
      let heads = try reader.list("headers", atMost: Self.headersMax, bytesEach: 4) {
        reader throws(PressProtocolError) in try reader.byteArray("head")
      }
      self = .headers(heads)
    case .colours: self = .colours(try reader.byteArray("drawing"))
    }
  }
}

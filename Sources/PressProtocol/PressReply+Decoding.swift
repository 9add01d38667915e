extension PressReply {
  /// Reads a reply.
  ///
  /// A press may have been taken over by its document, so nothing is trusted.
  /// - Parameter bytes: One frame without its header.
  /// - Throws: What is wrong with the bytes.
  public init(decoding bytes: [UInt8]) throws(PressProtocolError) {
    self = try ByteReader.whole(bytes) { reader throws(PressProtocolError) in
      try PressReply(&reader)
    }
  }

  private init(_ reader: inout ByteReader) throws(PressProtocolError) {
    let type = try reader.uint8("type")
    guard let kind = ReplyKind(rawValue: type) else { throw .unknownType(type) }
    switch kind {
    case .opened: self = .opened(try reader.documentFacts())
    case .outline:
      self = .outline(
        try reader.list("outline", bytesEach: 12) { reader throws(PressProtocolError) in
          let depth = try reader.count("depth")
          let title = try reader.string("title")
          return OutlineEntry(depth: depth, title: title, page: try reader.page("page"))
        }
      )
    case .page: self = .page(try reader.pageContent())
    case .rendition:
      let mediaType = try reader.choice(RenditionBytes.MediaType.self, "media type")
      let kind = try reader.choice(RenditionBytes.Kind.self, "kind")
      let width = try reader.count("width")
      let height = try reader.count("height")
      let bytes = try reader.byteArray("picture")
      self = .rendition(
        RenditionBytes(bytes: bytes, mediaType: mediaType, width: width, height: height, kind: kind)
      )
    case .asset:
      let page = try reader.count("page")
      let name = try reader.string("name")
      let facts = try reader.imageFacts()
      let bytes = try reader.byteArray("image")
      self = .asset(Asset(page: page, name: name, bytes: bytes, facts: facts))
    case .done: self = .done
    case .imageFacts: self = .imageFacts(try reader.imageFacts())
    case .fault: self = .fault(try reader.fault())
    }
  }
}

extension ByteReader {
  fileprivate mutating func documentFacts() throws(PressProtocolError) -> DocumentFacts {
    var facts = DocumentFacts(format: try choice(DocumentFormat.self, "format"))
    facts.title = try string("title")
    facts.author = try string("author")
    facts.language = try string("language")
    let direction = try uint8("direction")
    if direction > 0 {
      facts.direction = DocumentFacts.Direction(rawValue: direction - 1)
      guard facts.direction != nil else {
        throw .unknownValue(field: "direction", value: direction)
      }
    }
    facts.needsExtraction = try bool("needs extraction")
    facts.pages = try list("pages", bytesEach: 20) { reader throws(PressProtocolError) in
      let width = try reader.size("width")
      let height = try reader.size("height")
      return PageFacts(width: width, height: height, label: try reader.string("label"))
    }
    return facts
  }

  fileprivate mutating func pageContent() throws(PressProtocolError) -> PageContent {
    var content = PageContent(text: try string("text"))
    let size = content.text.utf8.count
    content.cut = try bool("cut")
    content.words = try list("words", bytesEach: 16) { reader throws(PressProtocolError) in
      let start = try reader.count("start")
      let length = try reader.count("length")
      guard start + length <= size else { throw .outOfRange(field: "word") }
      return WordBox(start: start, length: length, box: try reader.box("word"))
    }
    content.links = try list("links", bytesEach: 13) { reader throws(PressProtocolError) in
      let box = try reader.box("link")
      if try reader.bool("kind of link") {
        return LinkBox(box: box, target: .uri(try reader.string("address")))
      }
      return LinkBox(box: box, target: .page(try reader.count("page")))
    }
    return content
  }

  fileprivate mutating func imageFacts() throws(PressProtocolError) -> ImageFacts {
    let format = try choice(ImageFormat.self, "image format")
    let width = try count("width")
    return ImageFacts(format: format, width: width, height: try count("height"))
  }

  fileprivate mutating func fault() throws(PressProtocolError) -> PressFault {
    let code = try uint8("fault")
    let text = try string("fault's text")
    var numbers: [Int] = []
    for _ in 0..<FaultRecord.numberCount { numbers.append(try signed("fault's number")) }
    guard let fault = FaultRecord(code: code, text: text, numbers: numbers).fault else {
      throw .unknownValue(field: "fault", value: code)
    }
    return fault
  }
}

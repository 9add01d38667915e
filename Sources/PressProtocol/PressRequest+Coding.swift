package import Bytes

extension PressRequest {
  /// The first byte of each request.
  private enum Kind: UInt8 {
    case open = 0x01
    case outline, page, render, extract, image, headers, colours
  }

  /// Encodes the request as one frame with its header.
  package func encoded() -> [UInt8] {
    PressFrame.framed(kind.rawValue) { c throws(ByteError) in
      _ = try coded(by: &c)
    }
  }

  /// Decodes a request.
  /// - Parameter bytes: One frame without its header.
  /// - Throws: What is wrong with the bytes.
  package init(decoding bytes: [UInt8]) throws(ByteError) {
    self = try PressCoder.read(bytes) { c throws(ByteError) in
      try PressRequest(blank: try c.kind(Kind.self)).coded(by: &c)
    }
  }

  private var kind: Kind {
    switch self {
    case .open: .open
    case .outline: .outline
    case .page: .page
    case .render: .render
    case .extract: .extract
    case .image: .image
    case .headers: .headers
    case .colours: .colours
    }
  }

  /// Creates a request of a kind, for a reader that replaces its fields.
  private init(blank kind: Kind) {
    self =
      switch kind {
      case .open: .open(password: "")
      case .outline: .outline
      case .page: .page(0)
      case .render: .render(page: 0, height: 0, effort: .onDemand)
      case .extract: .extract
      case .image: .image(bytes: [], height: 0, effort: .onDemand)
      case .headers: .headers([])
      case .colours: .colours([])
      }
  }

  private func coded(by c: inout PressCoder) throws(ByteError) -> PressRequest {
    switch self {
    case .outline, .extract: return self
    case .open(let password): return .open(password: try c.string(password, "password"))
    case .page(let page): return .page(try c.count(page, "page"))
    case .render(let page, let height, let effort):
      let (page, height) = (try c.count(page, "page"), try c.count(height, "height"))
      return .render(page: page, height: height, effort: try c.choice(effort, "effort"))
    case .image(let image, let height, let effort):
      let (height, effort) = (try c.count(height, "height"), try c.choice(effort, "effort"))
      return .image(bytes: try c.block(image, "image"), height: height, effort: effort)
    case .headers(let heads):
      let limit = Self.headersMax
      return .headers(
        try c.list(heads, "headers", atMost: limit, bytesEach: 4, blank: []) {
          c,
          head throws(ByteError) in try c.block(head, "head")
        }
      )
    case .colours(let drawing): return .colours(try c.block(drawing, "drawing"))
    }
  }
}

package import Bytes

/// A request to a press.
package enum PressRequest: Equatable, Sendable {
  /// Opens the document at descriptor 3; the first request to a press with a document.
  ///
  /// The first bytes determine the format, never a name. The reply is ``PressReply/opened(_:)``,
  /// with the format only: reading the rest can take long, and no request for a page needs it.
  /// After a password fault, this request may be repeated.
  case open(password: String)

  /// Requests the facts that the document states about itself; the reply is
  /// ``PressReply/opened(_:)``.
  case facts

  /// Requests the table of contents; the reply is ``PressReply/outline(_:)``.
  case outline

  /// Requests the text, words and links of a page, counted from 0; the reply is
  /// ``PressReply/page(_:)``.
  case page(Int)

  /// Requests a picture of a page, counted from 0; the reply is ``PressReply/rendition(_:)``.
  ///
  /// The height is in pixels. The page keeps its aspect; if it would be too wide for the limits,
  /// the picture is lower.
  case render(page: Int, height: Int, effort: Effort)

  /// Requests the images of an archive or an EPUB, in the order of the archive; each names its
  /// page.
  ///
  /// The replies are one ``PressReply/asset(_:)`` for each image, then ``PressReply/opened(_:)``
  /// with the facts that are now known, then ``PressReply/done``. A fault can replace any of these
  /// and ends the answer. The size applies to pages that are laid out.
  case extract(TypeSize)

  /// Requests a picture of the image in this request; the reply is ``PressReply/rendition(_:)``.
  ///
  /// The height is in pixels; 0 requests no picture, and the reply is
  /// ``PressReply/imageFacts(_:)``. A picture is never larger than its image.
  case image(bytes: [UInt8], height: Int, effort: Effort)
  /// Requests the formats and sizes of images from the first bytes of their files; the reply is
  /// ``PressReply/headers(_:)``.
  ///
  /// At most ``headersMax`` images.
  case headers([[UInt8]])
  /// Requests the colours of an SVG drawing; the reply is ``PressReply/colours(_:)``.
  case colours([UInt8])

  /// The maximum number of images in one request for headers.
  package static let headersMax = 32
}

/// The time that an encoder may take.
package enum Effort: UInt8, CaseIterable, Sendable {
  /// A reader waits: fast, with more bytes.
  case onDemand
  /// Nobody waits: small, but it takes three times as long.
  case idle
}

extension PressRequest {
  /// The first byte of each request.
  private enum Kind: UInt8 {
    case open = 0x01
    case outline, page, render, extract, image, headers, colours, facts
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
    case .facts: .facts
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
      case .extract: .extract(.standard)
      case .image: .image(bytes: [], height: 0, effort: .onDemand)
      case .headers: .headers([])
      case .colours: .colours([])
      case .facts: .facts
      }
  }

  private func coded(by c: inout PressCoder) throws(ByteError) -> PressRequest {
    switch self {
    case .outline, .facts: return self
    case .extract(let size): return .extract(try c.choice(size, "type size"))
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

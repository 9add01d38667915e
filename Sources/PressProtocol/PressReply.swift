package import Bytes

/// A reply of a press.
package enum PressReply: Equatable, Sendable {
  /// The document is open.
  case opened(DocumentFacts)
  /// The table of contents, in reading order; empty if there is none.
  case outline([OutlineEntry])
  /// The text of a page.
  case page(PageContent)
  /// A picture of a page or of an image.
  case rendition(RenditionBytes)
  /// One image of an archive; more follow, then ``opened(_:)`` and ``done``.
  case asset(Asset)
  /// The last image has been sent.
  case done
  /// The facts in the header of an image.
  case imageFacts(ImageFacts)
  /// The headers of images in the order of the request, or their errors.
  case headers([Result<ImageHeader, ImageFault>])
  /// The colours of a drawing as `0xRRGGBB` in painting order, at most ``coloursMax`` of them.
  case colours([UInt32])
  /// The request failed. The press accepts the next one.
  case fault(PressFault)

  /// The maximum number of colours in a reply.
  package static let coloursMax = 4096
}

/// The first byte of each reply.
enum ReplyKind: UInt8 {
  case opened = 0x81
  case outline, page, rendition, asset, done, imageFacts, headers, colours
  case fault = 0xFF
}

extension PressReply {
  /// Encodes the reply as one frame with its header.
  package func encoded() -> [UInt8] {
    PressFrame.framed(kind.rawValue) { c throws(ByteError) in
      _ = try coded(by: &c, .standard)
    }
  }

  /// Decodes a reply.
  ///
  /// The bytes are not trusted, because a document may have taken control of its press. Lines of
  /// text are sanitised; see ``PressText``.
  /// - Parameters:
  ///   - bytes: One frame without its header.
  ///   - limits: The limits that the press must respect.
  /// - Throws: What is wrong with the bytes.
  package init(decoding bytes: [UInt8], _ limits: PressLimits = .standard) throws(ByteError) {
    self = try PressCoder.read(bytes) { c throws(ByteError) in
      try PressReply(blank: try c.kind(ReplyKind.self)).coded(by: &c, limits)
    }
  }

  private var kind: ReplyKind {
    switch self {
    case .opened: .opened
    case .outline: .outline
    case .page: .page
    case .rendition: .rendition
    case .asset: .asset
    case .done: .done
    case .imageFacts: .imageFacts
    case .headers: .headers
    case .colours: .colours
    case .fault: .fault
    }
  }

  /// Creates a reply of a kind, for a reader that replaces its fields.
  private init(blank kind: ReplyKind) {
    self =
      switch kind {
      case .opened: .opened(DocumentFacts(format: .pdf))
      case .outline: .outline([])
      case .page: .page(PageContent())
      case .rendition: .rendition(.blank)
      case .asset: .asset(Asset(page: 0, name: "", bytes: [], facts: .blank))
      case .done: .done
      case .imageFacts: .imageFacts(.blank)
      case .headers: .headers([])
      case .colours: .colours([])
      case .fault: .fault(.encrypted)
      }
  }

  private func coded(
    by c: inout PressCoder,
    _ limits: PressLimits
  ) throws(ByteError) -> PressReply {
    switch self {
    case .opened(let facts): return .opened(try facts.coded(by: &c, limits))
    case .outline(let entries):
      let limit = limits.content.outlineEntries
      let blank = OutlineEntry(depth: 0, title: "", page: nil)
      return .outline(
        try c.list(entries, "outline", atMost: limit, bytesEach: 12, blank: blank) {
          c,
          entry throws(ByteError) in try entry.coded(by: &c, limits)
        }
      )
    case .page(let content): return .page(try content.coded(by: &c, limits))
    case .rendition(let rendition): return .rendition(try rendition.coded(by: &c, limits))
    case .asset(let asset): return .asset(try asset.coded(by: &c, limits))
    case .done: return self
    case .imageFacts(let facts): return .imageFacts(try facts.coded(by: &c))
    case .headers(let headers):
      let limit = PressRequest.headersMax
      return .headers(
        try c.list(headers, "headers", atMost: limit, bytesEach: 2, blank: .failure(.empty)) {
          c,
          header throws(ByteError) in try c.header(header)
        }
      )
    case .colours(let colours):
      return .colours(
        try c.list(colours, "colours", atMost: Self.coloursMax, bytesEach: 4, blank: 0) {
          c,
          colour throws(ByteError) in
          let colour = try c.number(colour, "colour")
          try c.check(colour <= 0xFF_FFFF, .invalid(field: "colour"))
          return colour
        }
      )
    case .fault(let fault): return .fault(try fault.coded(by: &c))
    }
  }
}

extension PressCoder {
  /// Codes whether something is stated, and if so, what.
  fileprivate mutating func statement(_ value: Bool?, _ field: String) throws(ByteError) -> Bool? {
    try flag(value != nil, field) ? try flag(value == true, field) : nil
  }
}

extension DocumentFacts {
  fileprivate func coded(
    by c: inout PressCoder,
    _ limits: PressLimits
  ) throws(ByteError) -> DocumentFacts {
    var facts = DocumentFacts(format: try c.choice(format, "format"))
    facts.title = try c.string(title, "title")
    facts.author = try c.string(author, "author")
    facts.language = try c.string(language, "language")
    let direction = try c.number(direction.map { $0.rawValue + 1 } ?? 0, "direction")
    if direction > 0 { facts.direction = Direction(rawValue: direction - 1) }
    try c.check(
      direction == 0 || facts.direction != nil,
      .unknownValue(field: "direction", value: direction)
    )
    facts.hasSpreads = try c.statement(hasSpreads, "has spreads")
    facts.isShifted = try c.statement(isShifted, "is shifted")
    if try c.flag(series != nil, "has a series") {
      let series = series ?? Series(name: "")
      facts.series = Series(
        name: try c.string(series.name, "series"),
        volume: try c.string(series.volume, "volume"),
        number: try c.string(series.number, "number")
      )
    }
    facts.needsExtraction = try c.flag(needsExtraction, "needs extraction")
    facts.isLaidOut = try c.flag(isLaidOut, "is laid out")
    facts.besides = try c.list(besides, "besides", atMost: Self.besidesMax, bytesEach: 4, blank: "")
    { c, name throws(ByteError) in try c.string(name, "name") }
    let (limit, blank) = (limits.document.pages, PageFacts(width: 1, height: 1))
    facts.pages = try c.list(pages, "pages", atMost: limit, bytesEach: 20, blank: blank) {
      c,
      page throws(ByteError) in
      let (width, height) = (try c.size(page.width, "width"), try c.size(page.height, "height"))
      var read = PageFacts(width: width, height: height, label: try c.string(page.label, "label"))
      read.isDouble = try c.flag(page.isDouble, "takes a spread")
      return read
    }
    return c.isReader ? facts.fit : facts
  }
}

extension OutlineEntry {
  fileprivate func coded(
    by c: inout PressCoder,
    _ limits: PressLimits
  ) throws(ByteError) -> OutlineEntry {
    try OutlineEntry(
      depth: c.count(depth, "depth", below: limits.content.outlineDepth),
      title: c.line(title, "title", PressText.entry),
      page: c.page(page, "page")
    )
  }
}

extension PageContent {
  fileprivate func coded(
    by c: inout PressCoder,
    _ limits: PressLimits
  ) throws(ByteError) -> PageContent {
    let text = try c.string(text, "text")
    let size = text.utf8.count
    // Words point into the text, so it cannot be sanitised here.
    try c.check(
      size <= limits.content.textBytes
        && text.unicodeScalars.allSatisfy { PressText.inPage($0) == $0 },
      .invalid(field: "text")
    )
    let cut = try c.flag(cut, "cut")
    let page = Box(x0: 0, y0: 0, x1: 1, y1: 1)
    let word = WordBox(start: 0, length: 0, box: page)
    let words = try c.list(
      words,
      "words",
      atMost: limits.content.words,
      bytesEach: 16,
      blank: word
    ) { c, word throws(ByteError) in
      let (start, length) = (try c.count(word.start, "start"), try c.count(word.length, "length"))
      try c.check(start + length <= size, .invalid(field: "word"))
      return WordBox(start: start, length: length, box: try c.box(word.box, "word"))
    }
    let link = LinkBox(box: page, target: .page(0))
    let links = try c.list(
      links,
      "links",
      atMost: limits.content.links,
      bytesEach: 13,
      blank: link
    ) { c, link throws(ByteError) in
      LinkBox(box: try c.box(link.box, "link"), target: try link.target.coded(by: &c))
    }
    return PageContent(text: text, words: words, links: links, cut: cut)
  }
}

extension LinkBox.Target {
  fileprivate func coded(by c: inout PressCoder) throws(ByteError) -> Self {
    let (page, address): (Int?, String?) =
      switch self {
      case .page(let page): (page, nil)
      case .uri(let address): (nil, address)
      }
    guard try c.flag(address != nil, "kind of link") else {
      return .page(try c.count(page ?? 0, "page"))
    }
    let text = try c.string(address ?? "", "address")
    try c.check(PressText.isAddress(text), .invalid(field: "address"))
    return .uri(text)
  }
}

extension RenditionBytes {
  fileprivate static let blank = RenditionBytes(
    bytes: [],
    mediaType: .webp,
    width: 0,
    height: 0,
    kind: .text
  )

  fileprivate func coded(
    by c: inout PressCoder,
    _ limits: PressLimits
  ) throws(ByteError) -> RenditionBytes {
    let (mediaType, kind) = (try c.choice(mediaType, "media type"), try c.choice(kind, "kind"))
    let (width, height) = (try c.count(width, "width"), try c.count(height, "height"))
    let sides = 1...limits.picture.side
    try c.check(sides.contains(width) && sides.contains(height), .invalid(field: "picture"))
    return RenditionBytes(
      bytes: try c.block(bytes, "picture"),
      mediaType: mediaType,
      width: width,
      height: height,
      kind: kind
    )
  }
}

extension Asset {
  fileprivate func coded(by c: inout PressCoder, _ limits: PressLimits) throws(ByteError) -> Asset {
    let page = try c.count(page, "page", below: limits.document.pages)
    let part = try c.count(part, "part", below: limits.document.pages)
    let name = try c.line(name, "name", PressText.name)
    let facts = try facts.coded(by: &c)
    let hasFault = try c.flag(fault != nil, "has a fault")
    let fault = hasFault ? try (fault ?? .encrypted).coded(by: &c) : nil
    let bytes = try c.block(bytes, "image")
    var asset = Asset(page: page, name: name, bytes: bytes, facts: facts, fault: fault)
    asset.part = part
    return asset
  }
}

extension ImageFacts {
  fileprivate static let blank = ImageFacts(format: .jpeg, width: 0, height: 0)

  fileprivate func coded(by c: inout PressCoder) throws(ByteError) -> ImageFacts {
    var facts = try ImageFacts(
      format: c.choice(format, "image format"),
      width: c.count(width, "width"),
      height: c.count(height, "height")
    )
    facts.isTurned = try c.flag(isTurned, "is turned")
    return facts
  }
}

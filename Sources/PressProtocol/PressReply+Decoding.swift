extension PressReply {
  /// Decodes a reply.
  ///
  /// The bytes are not trusted, because a document may have taken control of its press. Lines of
  /// text are sanitised; see ``PressText``.
  /// - Parameters:
  ///   - bytes: One frame without its header.
  ///   - limits: The limits that the press must respect.
  /// - Throws: What is wrong with the bytes.
  package init(
    decoding bytes: [UInt8],
    _ limits: PressLimits = .standard
  ) throws(PressProtocolError) {
    self = try ByteReader.whole(bytes) { reader throws(PressProtocolError) in
      try PressReply(&reader, limits)
    }
  }

  private init(
    _ reader: inout ByteReader,
    _ limits: PressLimits
  ) throws(PressProtocolError) {
    let type = try reader.uint8("type")
    guard let kind = ReplyKind(rawValue: type) else { throw .unknownType(type) }
    switch kind {
    case .opened: self = .opened(try reader.documentFacts(limits))
    case .outline: self = .outline(try reader.outline(limits))
    case .page: self = .page(try reader.pageContent(limits))
    case .rendition: self = .rendition(try reader.rendition(limits))
    case .asset:
      let page = try reader.count("page", below: limits.document.pages)
      let name = try reader.line("name", PressText.name)
      let facts = try reader.imageFacts()
      let fault = try reader.bool("has a fault") ? try reader.fault() : nil
      let bytes = try reader.byteArray("image")
      self = .asset(Asset(page: page, name: name, bytes: bytes, facts: facts, fault: fault))
    case .done: self = .done
    case .imageFacts: self = .imageFacts(try reader.imageFacts())
    case .headers:
      let headers = try reader.list(
        "headers",
        atMost: PressRequest.headersMax,
        bytesEach: 2
      ) { reader throws(PressProtocolError) in try reader.imageHeader() }
      self = .headers(headers)
    case .colours:
      let colours = try reader.list("colours", atMost: Self.coloursMax, bytesEach: 4) {
        reader throws(PressProtocolError) in try reader.uint32("colour")
      }
      guard colours.allSatisfy({ $0 <= 0xFF_FFFF }) else { throw .outOfRange(field: "colour") }
      self = .colours(colours)
    case .fault: self = .fault(try reader.fault())
    }
  }
}

extension ByteReader {
  fileprivate mutating func count(
    _ field: String,
    below end: Int
  ) throws(PressProtocolError) -> Int {
    let value = try count(field)
    guard value < end else { throw .outOfRange(field: field) }
    return value
  }

  fileprivate mutating func outline(
    _ limits: PressLimits
  ) throws(PressProtocolError) -> [OutlineEntry] {
    try list("outline", atMost: limits.content.outlineEntries, bytesEach: 12) {
      reader throws(PressProtocolError) in
      let depth = try reader.count("depth", below: limits.content.outlineDepth)
      let title = try reader.line("title", PressText.entry)
      return OutlineEntry(depth: depth, title: title, page: try reader.page("page"))
    }
  }

  fileprivate mutating func rendition(
    _ limits: PressLimits
  ) throws(PressProtocolError) -> RenditionBytes {
    let mediaType = try choice(RenditionBytes.MediaType.self, "media type")
    let kind = try choice(RenditionBytes.Kind.self, "kind")
    let width = try count("width")
    let height = try count("height")
    let sides = 1...limits.picture.side
    guard sides.contains(width), sides.contains(height) else { throw .outOfRange(field: "picture") }
    let bytes = try byteArray("picture")
    return RenditionBytes(
      bytes: bytes,
      mediaType: mediaType,
      width: width,
      height: height,
      kind: kind
    )
  }

  fileprivate mutating func documentFacts(
    _ limits: PressLimits
  ) throws(PressProtocolError) -> DocumentFacts {
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
    facts.besides = try list("besides", atMost: DocumentFacts.besidesMax, bytesEach: 4) {
      reader throws(PressProtocolError) in try reader.string("name")
    }
    facts.pages = try list("pages", atMost: limits.document.pages, bytesEach: 20) {
      reader throws(PressProtocolError) in
      let width = try reader.size("width")
      let height = try reader.size("height")
      return PageFacts(width: width, height: height, label: try reader.string("label"))
    }
    return facts.fit
  }

  fileprivate mutating func pageContent(
    _ limits: PressLimits
  ) throws(PressProtocolError) -> PageContent {
    var content = PageContent(text: try string("text"))
    let size = content.text.utf8.count
    // Words point into the text, so it cannot be sanitised here.
    guard size <= limits.content.textBytes,
      content.text.unicodeScalars.allSatisfy({ PressText.inPage($0) == $0 })
    else { throw .outOfRange(field: "text") }
    content.cut = try bool("cut")
    content.words = try list("words", atMost: limits.content.words, bytesEach: 16) {
      reader throws(PressProtocolError) in
      let start = try reader.count("start")
      let length = try reader.count("length")
      guard start + length <= size else { throw .outOfRange(field: "word") }
      return WordBox(start: start, length: length, box: try reader.box("word"))
    }
    content.links = try list("links", atMost: limits.content.links, bytesEach: 13) {
      reader throws(PressProtocolError) in
      let box = try reader.box("link")
      if try reader.bool("kind of link") {
        let address = try reader.string("address")
        guard PressText.isAddress(address) else { throw .outOfRange(field: "address") }
        return LinkBox(box: box, target: .uri(address))
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
    let text = try line("fault's text", PressText.reason)
    var numbers: [Int] = []
    for _ in 0..<FaultRecord.numberCount { numbers.append(try signed("fault's number")) }
    let record = FaultRecord(code: code, text: text, numbers: numbers)
    guard let fault = record.fault, !fault.isServers else {
      throw .unknownValue(field: "fault", value: code)
    }
    return fault
  }
}

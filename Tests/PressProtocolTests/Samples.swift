import PressProtocol

/// A small random number generator with a seed (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

/// Random messages of every kind.
struct Samples {
  var numbers: SeededNumbers

  init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

  mutating func int(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &numbers) }

  mutating func bytes() -> [UInt8] {
    (0..<int(0...40)).map { _ in .random(in: 0...255, using: &numbers) }
  }

  mutating func text() -> String {
    let letters = Array("ab ()é漢字\u{1F4D6}\n\0٣")
    return String((0..<int(0...12)).map { _ in letters[int(0...letters.count - 1)] })
  }

  /// Returns a text as a press sends it, within a limit.
  mutating func line(_ limit: PressText.Limit = PressText.title) -> String {
    PressText.line(text(), limit)
  }

  mutating func box() -> Box {
    Box(
      x0: .random(in: -0.5...1.5, using: &numbers),
      y0: .random(in: 0...1, using: &numbers),
      x1: .random(in: 0...1, using: &numbers),
      y1: .random(in: -9...9, using: &numbers)
    )
  }

  private mutating func maybe(_ range: ClosedRange<Int>) -> Int? {
    int(0...2) == 0 ? nil : int(range)
  }

  private mutating func flag() -> Bool? { [nil, false, true][int(0...2)] }

  private mutating func one<T: CaseIterable>(_ type: T.Type) -> T where T.AllCases == [T] {
    T.allCases[int(0...T.allCases.count - 1)]
  }

  mutating func requests() -> [PressRequest] {
    [
      .open(password: text()), .outline, .page(int(0...70_000)),
      .render(page: int(0...70_000), height: int(0...9_999), effort: one(Effort.self)),
      .extract(one(TypeSize.self)),
      .image(bytes: bytes(), height: int(0...9_999), effort: one(Effort.self)),
      .headers((0..<int(0...9)).map { _ in bytes() }), .colours(bytes()),
    ]
  }

  mutating func replies() -> [PressReply] {
    [
      .opened(facts()), .outline((0..<int(0...9)).map { _ in entry() }), .page(content()),
      .rendition(
        RenditionBytes(
          bytes: bytes(),
          mediaType: one(RenditionBytes.MediaType.self),
          width: int(1...16_383),
          height: int(1...16_383),
          kind: one(RenditionBytes.Kind.self)
        )
      ),
      .asset(Asset(page: int(0...9), name: line(), bytes: bytes(), facts: imageFacts())),
      .asset(
        Asset(
          page: int(0...9),
          name: line(),
          bytes: [],
          facts: imageFacts(),
          fault: .imageDamaged(name: line())
        )
      ), .done,
      .imageFacts(imageFacts()), .headers((0..<int(0...9)).map { _ in header() }),
      .colours((0..<int(0...9)).map { _ in UInt32(int(0...0xFF_FFFF)) }),
    ] + faults().map(PressReply.fault)
  }

  private mutating func facts() -> DocumentFacts {
    var facts = DocumentFacts(
      format: one(DocumentFormat.self),
      title: line(),
      author: line(),
      language: ["", "ja", "pt-BR"][int(0...2)],
      direction: int(0...2) == 0 ? nil : one(DocumentFacts.Direction.self),
      pages: (0..<int(0...9)).map { _ in
        PageFacts(
          width: .random(in: 0.001...1e9, using: &numbers),
          height: .random(in: 0.001...1e9, using: &numbers),
          label: line()
        )
      },
      needsExtraction: int(0...1) == 1,
      besides: (0..<int(0...DocumentFacts.besidesMax)).map { _ in line() }
    )
    (facts.hasSpreads, facts.isShifted) = (flag(), flag())
    if int(0...1) == 1 {
      facts.series = Series(name: "S" + line(), volume: "\(int(0...9))", number: "\(int(0...9))")
    }
    return facts
  }

  private mutating func entry() -> OutlineEntry {
    OutlineEntry(depth: int(0...15), title: line(), page: maybe(0...99_999))
  }

  private mutating func content() -> PageContent {
    let text = text().replacing("\0", with: "")
    let size = text.utf8.count
    return PageContent(
      text: text,
      words: (0..<int(0...9)).map { _ in
        let start = int(0...size)
        return WordBox(start: start, length: int(0...size - start), box: box())
      },
      links: (0..<int(0...9)).map { _ in
        LinkBox(box: box(), target: int(0...1) == 0 ? .page(int(0...999)) : .uri("a" + line()))
      },
      cut: int(0...1) == 1
    )
  }

  private mutating func header() -> Result<ImageHeader, ImageFault> {
    let format = one(ImageFormat.self)
    let width = Double.random(in: 1...1000, using: &numbers)
    let header = ImageHeader(format: format, width: width, height: width * 2)
    let faults: [ImageFault] = [
      .empty, .unknownFormat, .truncated(format), .damaged(format), .sizeless(format),
      .turned(format),
    ]
    return header.map { int(0...1) == 0 ? .success($0) : .failure(faults[int(0...5)]) }
      ?? .failure(.empty)
  }

  private mutating func imageFacts() -> ImageFacts {
    let (width, height) = (int(0...99_999), int(0...99_999))
    var facts = ImageFacts(format: one(ImageFormat.self), width: width, height: height)
    facts.isTurned = int(0...1) == 1
    return facts
  }

  /// Returns every fault once.
  mutating func faults() -> [PressFault] {
    let format = one(DocumentFormat.self)
    return [
      .encrypted, .wrongPassword, .encryptedArchive(format), .damaged(format),
      .unsupported(line()), .unsupportedArchive(format), .engineMissing, .engineFailed(line()),
      .protected, .unknownImage(name: line()),
      .fileTooLarge(bytes: int(0...9_999_999_999), limit: int(0...9_999_999_999)),
      .tooManyPages(int(0...999_999), limit: int(0...9_999)), .noPages(format),
      .noSuchPage(int(0...999), count: int(0...999)), .pageTooLarge(int(0...999)),
      .pageDamaged(int(0...999)), .fontMissing(page: int(0...999)), .dynamicForm,
      .imageTooLarge(name: line(), width: int(0...99), height: int(0...99), limit: int(0...99)),
      .imageDamaged(name: line()), .entryTooLarge(name: line(), limit: int(0...99_999_999_999)),
      .archiveTooLarge(limit: int(0...99_999_999_999)), .tooManyEntries(limit: int(0...99)),
      .ratio(name: line(), limit: int(0...999)), .nestedArchive(name: line()),
      .tookTooLong(page: maybe(0...999)), .neededTooMuchMemory(page: maybe(0...999)),
      .stopped(page: maybe(0...999)), .unconfined(line()), .badRequest(line()),
    ]
  }
}

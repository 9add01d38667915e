internal import CPoppler
internal import PressProtocol

/// Groups the characters of a page into words.
///
/// A word ends at white space. Each character of Chinese and Japanese, which are written without
/// spaces, is a separate word, so that search can mark the exact characters.
struct WordBuilder {
  private let width: Double
  private let height: Double
  private let limits: PressLimits
  private var text = String.UnicodeScalarView()
  private var words: [WordBox] = []
  /// The position of the next character in the UTF-8 of the text.
  private var offset = 0
  /// The start of the current word, and its rectangle so far.
  private var start: Int?
  private var area: PopplerRectangle?
  private var isCut = false

  /// Creates a builder for a page with a size in points.
  init(_ size: (width: Double, height: Double), _ limits: PressLimits) {
    width = size.width
    height = size.height
    self.limits = limits
  }

  /// Adds the next character and its rectangle, if it has one.
  ///
  /// Omits characters that are not allowed in the text of a page.
  /// - Returns: Whether there is room for more.
  mutating func add(_ found: Unicode.Scalar, _ place: PopplerRectangle?) -> Bool {
    guard let scalar = PressText.inPage(found) else { return true }
    let end = offset + UTF8.width(scalar)
    let isSpace = scalar.properties.isWhitespace
    let standsAlone = Self.standsAlone(scalar)
    if isSpace || standsAlone { endWord() }
    if let start, end - start > PressText.wordBytes { endWord() }
    guard isSpace || words.count < limits.content.words, end <= limits.content.textBytes else {
      isCut = true
      return false
    }
    if !isSpace, start == nil { start = offset }
    offset = end
    text.append(scalar)
    if !isSpace, let place { area = area.map { Self.union($0, place) } ?? place }
    if standsAlone { endWord() }
    return true
  }

  /// Returns the words, and the text that they cover.
  mutating func content() -> PageContent {
    endWord()
    return PageContent(text: String(text), words: words, cut: isCut)
  }

  private mutating func endWord() {
    defer {
      start = nil
      area = nil
    }
    guard let start, let area else { return }
    let box = Box(
      x0: area.x1 / width,
      y0: area.y1 / height,
      x1: area.x2 / width,
      y1: area.y2 / height
    )
    words.append(WordBox(start: start, length: offset - start, box: box))
  }

  private static func union(_ a: PopplerRectangle, _ b: PopplerRectangle) -> PopplerRectangle {
    PopplerRectangle(
      x1: min(a.x1, b.x1),
      y1: min(a.y1, b.y1),
      x2: max(a.x2, b.x2),
      y2: max(a.y2, b.y2)
    )
  }

  private static func standsAlone(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x3005...0x3007, 0x3041...0x30FF, 0x3400...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: true
    default: false
    }
  }
}

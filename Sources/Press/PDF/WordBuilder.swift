internal import CPoppler
internal import PressProtocol

/// Groups the characters of a page into words.
///
/// A word ends at white space; one that is parted at the end of a line is joined again, and keeps a
/// box in each line. Ligatures, presentation forms and wide forms become the letters that they
/// stand for, so that a search finds them. Each character of Chinese and Japanese, which are
/// written without spaces, is a separate word, so that search can mark the exact characters.
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
  /// A hyphen after a letter, and the white space after it: what follows decides whether they part
  /// a word.
  private var held: [(scalar: Unicode.Scalar, place: PopplerRectangle?)] = []

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
    if held.isEmpty {
      let isHeld =
        Self.isHyphen(found) && start != nil && text.last?.properties.isAlphabetic == true
      guard isHeld else { return addLetters(of: found, place) }
      held.append((found, place))
      return true
    }
    if found == "\n" || found == " ", held.count < 4 {
      held.append((found, place))
      return true
    }
    guard found.properties.isLowercase, held.contains(where: { $0.scalar == "\n" }) else {
      return release() && add(found, place)
    }
    held.removeAll()
    endWord()
    return addLetters(of: found, place)
  }

  /// Adds what was held, because it parts no word.
  private mutating func release() -> Bool {
    let all = held
    held.removeAll()
    return all.allSatisfy { $0.scalar == "\u{AD}" || addLetters(of: $0.scalar, $0.place) }
  }

  private static func isHyphen(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "-" || scalar == "\u{2010}" || scalar == "\u{AD}"
  }

  private mutating func addLetters(of found: Unicode.Scalar, _ place: PopplerRectangle?) -> Bool {
    guard PressText.isForm(found) else { return found == "\u{AD}" || addOne(found, place) }
    let plain = g_utf8_normalize(String(found), -1, G_NORMALIZE_NFKC)
    defer { g_free(plain) }
    let letters = plain.map { String(cString: $0) } ?? String(found)
    return letters.unicodeScalars.allSatisfy { addOne($0, place) }
  }

  private mutating func addOne(_ found: Unicode.Scalar, _ place: PopplerRectangle?) -> Bool {
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
    _ = release()
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

internal import CPoppler

/// The letters of a page with a script that runs from right to left, in logical order.
///
/// Poppler gives the words of such a page from right to left, those in Latin letters as well, puts
/// no space after the first word of a line, and adds marks of direction that have no place. Here
/// the places of the words decide. Within a word, Poppler's order is right, except for ligatures.
enum RightToLeftText {
  typealias Letter = VerticalText.Letter

  /// A word, or a part of one, in the order of Poppler.
  struct Word {
    var letters: [Letter] = []
    var left = Double.infinity
    var right = -Double.infinity
    var height = 0.0
    var isRightToLeft = false
    var isLeftToRight = false
    /// Whether white space precedes it in the order of Poppler.
    var isApart: Bool

    /// Whether it has digits and no letters.
    var isNumber: Bool {
      !isRightToLeft && !isLeftToRight
        && letters.contains { (0x30...0x39).contains($0.scalar.value) }
    }

    mutating func add(_ letter: Letter) {
      letters.append(letter)
      if RightToLeftText.isRightToLeft(letter.scalar) {
        isRightToLeft = true
      } else if letter.scalar.properties.isAlphabetic {
        isLeftToRight = true
      }
      guard let place = letter.place, place.x1.isFinite, place.x2.isFinite else { return }
      (left, right) = (min(left, place.x1), max(right, place.x2))
      height = max(height, place.y2 - place.y1)
    }

    /// Returns whether there is more space between two words than a share of their height.
    func hasGap(to other: Word, _ share: Double) -> Bool {
      max(other.left - right, left - other.right) > share * height
    }
  }

  /// Returns the letters of a page as Poppler orders them, each with its place if there is one.
  ///
  /// Poppler selects text from one corner of an area to the other. On a page whose lines begin on
  /// the right, a selection from the upper left omits the first lines, if not all. The corners lie
  /// beyond the page, since a selection that begins on it omits lines of a vertical text.
  static func letters(of page: OpaquePointer, _ size: (width: Double, height: Double)) -> [Letter] {
    let (top, bottom) = (-size.height, 2 * size.height)
    let usual = letters(of: page, PopplerRectangle(x1: 0, y1: top, x2: size.width, y2: bottom))
    guard usual.isEmpty || usual.contains(where: { isRightToLeft($0.scalar) }) else { return usual }
    let other = letters(of: page, PopplerRectangle(x1: size.width, y1: top, x2: 0, y2: bottom))
    return other.count > usual.count ? other : usual
  }

  private static func letters(of page: OpaquePointer, _ selected: PopplerRectangle) -> [Letter] {
    var area = selected
    guard let words = poppler_page_get_text_for_area(page, &area) else { return [] }
    defer { g_free(words) }
    var layout: UnsafeMutablePointer<PopplerRectangle>?
    var count: UInt32 = 0
    let hasLayout = poppler_page_get_text_layout_for_area(page, &area, &layout, &count) != 0
    defer { g_free(layout) }
    let places = UnsafeBufferPointer(start: layout, count: hasLayout ? Int(count) : 0)
    var next = 0
    // There is one place for each character, but none for the marks of direction that Poppler adds.
    let all = String(cString: words).unicodeScalars
    let hasAll = all.count == places.count
    return all.filter { hasAll || !isMark($0) }.map { scalar in
      defer { next += 1 }
      return (scalar, next < places.count ? places[next] : nil)
    }
  }

  /// Returns the letters of a page in logical order, or as they are if none runs from right to
  /// left; O(n log n).
  /// - Parameters:
  ///   - letters: The letters as Poppler orders them.
  ///   - isOwn: Whether the page was laid out here.
  /// - Returns: The same letters, with a space between words and a line feed between lines.
  static func ordered(_ letters: [Letter], isOwn: Bool) -> [Letter] {
    guard letters.contains(where: { isRightToLeft($0.scalar) }) else { return letters }
    var lines = letters.split(omittingEmptySubsequences: false) { $0.scalar == "\n" }
      .map { parts(of: $0) }
    if isOwn { LamAlef.turn(&lines) }
    let ordered = lines.map { line in
      logical(words(of: line)).map(\.letters).joined(separator: [(" ", nil)])
    }
    return Array(ordered.joined(separator: [("\n", nil)]))
  }

  /// Whether a character belongs to Hebrew, Arabic or a script related to them.
  static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
      // The digits of these scripts run from left to right.
      !(0x0660...0x0669).contains(scalar.value) && !(0x06F0...0x06F9).contains(scalar.value)
    default: false
    }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    (0x202A...0x202E).contains(scalar.value)
  }

  // MARK: Words

  /// The least distance between words, as a share of the height of their letters.
  private static let gap = 0.12
  /// The same where Poppler has white space, which can be a joint without width.
  private static let joint = 0.03

  /// Returns the words of a line; the parts of a word between which Poppler sees a small gap or a
  /// joint, as Persian words have, are one.
  private static func words(of parts: [Word]) -> [Word] {
    var words: [Word] = []
    for part in parts {
      let least = part.isApart ? joint : gap
      if let last = words.last, !last.hasGap(to: part, least),
        last.isRightToLeft == part.isRightToLeft
      {
        for letter in part.letters { words[words.count - 1].add(letter) }
      } else {
        words.append(part)
      }
    }
    return words
  }

  /// Returns the parts of a line in which each letter is beside the last.
  private static func parts(of line: ArraySlice<Letter>) -> [Word] {
    var parts: [Word] = []
    var last: PopplerRectangle?
    var isSpace = true
    // Joiners between letters have a place of their own, and no width.
    for letter in line where !(0x200B...0x200F).contains(letter.scalar.value) {
      guard !letter.scalar.properties.isWhitespace else {
        isSpace = true
        continue
      }
      let jumps = last.flatMap { last in letter.place.map { isApart(last, $0) } } ?? false
      if isSpace || jumps { parts.append(Word(isApart: isSpace)) }
      isSpace = false
      parts[parts.count - 1].add(letter)
      last = letter.place ?? last
    }
    return parts
  }

  private static func isApart(_ one: PopplerRectangle, _ other: PopplerRectangle) -> Bool {
    max(other.x1 - one.x2, one.x1 - other.x2) > gap * abs(one.y2 - one.y1)
  }

  // MARK: Order

  /// Returns the words of a line in logical order.
  ///
  /// They are taken from the side where the line begins. Among them, runs of words in the other
  /// direction, with the numbers and signs between them, are taken from the other side.
  private static func logical(_ words: [Word]) -> [Word] {
    let count = words.reduce(0) { $0 + ($1.isRightToLeft ? 1 : $1.isLeftToRight ? -1 : 0) }
    let isMirrored = count >= 0 && words.contains { $0.isRightToLeft }
    var line = words.enumerated().sorted { one, other in
      let (a, b) = (one.element.left, other.element.left)
      return a == b ? one.offset < other.offset : a < b
    }.map(\.element)
    if isMirrored { line.reverse() }
    let ends: KeyPath<Word, Bool> = isMirrored ? \.isRightToLeft : \.isLeftToRight
    let begins: KeyPath<Word, Bool> = isMirrored ? \.isLeftToRight : \.isRightToLeft
    var start: Int?
    var end = 0
    for index in line.indices {
      let isOther = line[index][keyPath: begins] && !line[index][keyPath: ends]
      if isOther {
        // A number after a word in Latin letters belongs to it.
        let isNumbered = isMirrored && start == nil && index > 0 && line[index - 1].isNumber
        start = start ?? (isNumbered ? index - 1 : index)
        end = index
      } else if line[index][keyPath: ends], let first = start {
        line[first...end].reverse()
        start = nil
      }
    }
    if let start { line[start...end].reverse() }
    return line
  }
}

internal import PressProtocol

/// The matches in a page's text: disjoint ranges of its UTF-8, in order.
struct Matches: Equatable {
  private(set) var ranges: [Range<Int>] = []

  /// The characters with which the database marks a match; stored texts do not contain them.
  static let begin: UInt8 = 2
  static let end: UInt8 = 3

  /// Adds the marked parts of a text.
  mutating func add(marked text: String) {
    var offset = 0
    var start: Int?
    for byte in text.utf8 {
      switch byte {
      case Self.begin: start = offset
      case Self.end:
        if let first = start { ranges.append(first..<offset) }
        start = nil
      default: offset += 1
      }
    }
    settle()
  }

  /// Adds every occurrence of a run; ASCII case does not matter.
  mutating func add(_ run: String, in body: [UInt8]) {
    func folded(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }
    let run = run.utf8.map(folded)
    guard let first = run.first, body.count >= run.count else { return }
    var index = 0
    while index <= body.count - run.count {
      if folded(body[index]) == first,
        body[index..<(index + run.count)].lazy.map(folded).elementsEqual(run)
      {
        ranges.append(index..<(index + run.count))
        index += run.count
      } else {
        index += 1
      }
    }
    settle()
  }

  private mutating func settle() {
    ranges.sort { $0.lowerBound < $1.lowerBound }
    var joined: [Range<Int>] = []
    for range in ranges {
      if let last = joined.last, range.lowerBound < last.upperBound {
        let upper = max(last.upperBound, range.upperBound)
        joined[joined.count - 1] = last.lowerBound..<upper
      } else {
        joined.append(range)
      }
    }
    ranges = joined
  }

  // MARK: Contents

  /// The dots of a line of a table of contents, which lead to the number of a page.
  private static let leaderMin = 4

  /// Returns whether every match is in a line with a leader, which is a row of dots.
  func areInContents(of body: [UInt8]) -> Bool {
    var line = 0..<0
    var hasLeader = false
    for range in ranges where range.upperBound <= body.count {
      if range.lowerBound >= line.upperBound {
        let start = body[line.upperBound..<range.lowerBound].lastIndex(of: 0x0A).map { $0 + 1 }
        let end = body[range.upperBound...].firstIndex(of: 0x0A)
        line = (start ?? line.upperBound)..<(end ?? body.count)
        hasLeader = Self.hasLeader(body[line])
      }
      if !hasLeader { return false }
    }
    return !ranges.isEmpty
  }

  /// Returns whether a line has four dots or more, between which there are only spaces; an
  /// ellipsis is three of them.
  private static func hasLeader(_ line: ArraySlice<UInt8>) -> Bool {
    var dots = 0
    for scalar in String(decoding: line, as: UTF8.self).unicodeScalars {
      switch scalar {
      case ".", "\u{00B7}", "\u{2024}", "\u{2022}": dots += 1
      case "\u{2026}", "\u{22EF}": dots += 3
      case " ", "\u{00A0}": continue
      default: dots = 0
      }
      if dots >= leaderMin { return true }
    }
    return false
  }

  // MARK: On the page

  private static let boxesMax = 200

  /// Returns the boxes of the matched words.
  ///
  /// In text without spaces, a "word" may be a whole line. Its box is then cut to the matched
  /// letters, which are assumed to be equally long.
  func boxes(_ words: [WordBox], in body: [UInt8]) -> [Box] {
    var found: [Box] = []
    var next = 0
    for word in words where found.count < Self.boxesMax {
      let end = word.start + word.length
      while next < ranges.count, ranges[next].upperBound <= word.start { next += 1 }
      var index = next
      while index < ranges.count, ranges[index].lowerBound < end, found.count < Self.boxesMax {
        found.append(Self.box(of: ranges[index], in: word, body))
        index += 1
      }
    }
    return found
  }

  private static func box(of range: Range<Int>, in word: WordBox, _ body: [UInt8]) -> Box {
    let whole = word.start..<(word.start + word.length)
    let part = range.clamped(to: whole)
    guard part != whole, whole.upperBound <= body.count else { return word.box }
    let text = String(decoding: body[whole], as: UTF8.self)
    guard text.unicodeScalars.contains(where: Script.isUnspaced) else { return word.box }
    let count = Double(max(1, text.unicodeScalars.count))
    func share(_ offset: Int) -> Double {
      let before = String(decoding: body[whole.lowerBound..<offset], as: UTF8.self)
      return Double(before.unicodeScalars.count) / count
    }
    let (from, to) = (share(part.lowerBound), share(part.upperBound))
    let box = word.box
    let (width, height) = (box.x1 - box.x0, box.y1 - box.y0)
    // The aspect of the page is unknown here, but a line of several letters is clearly horizontal
    // or vertical.
    if height > 2 * width {
      let (top, bottom) = (box.y0 + height * from, box.y0 + height * to)
      return Box(x0: box.x0, y0: top, x1: box.x1, y1: bottom)
    }
    let (left, right) = (box.x0 + width * from, box.x0 + width * to)
    return Box(x0: left, y0: box.y0, x1: right, y1: box.y1)
  }

  // MARK: Snippets

  private static let before = 48
  private static let length = 200

  /// Returns the text around the first match, about two hundred bytes.
  func snippet(of body: [UInt8]) -> [SnippetPart] {
    guard let first = ranges.first, first.upperBound <= body.count else { return [] }
    var start = max(0, first.lowerBound - Self.before)
    // Begins at a word, or at least at a letter.
    if start > 0 {
      let space = body[start..<first.lowerBound].firstIndex { $0 <= 0x20 }
      start = space.map { $0 + 1 } ?? start
      while start < first.lowerBound, body[start] & 0xC0 == 0x80 { start += 1 }
    }
    var end = min(body.count, max(start + Self.length, first.upperBound))
    while end < body.count, body[end] & 0xC0 == 0x80 { end += 1 }
    var parts: [SnippetPart] = []
    var position = start
    func add(_ range: Range<Int>, _ isMatch: Bool) {
      guard !range.isEmpty else { return }
      parts.append(SnippetPart(text: Self.line(body[range]), isMatch: isMatch))
    }
    for range in ranges where range.lowerBound < end && range.lowerBound >= position {
      let upper = min(range.upperBound, body.count)
      add(position..<range.lowerBound, false)
      add(range.lowerBound..<upper, true)
      position = upper
    }
    if position < end { add(position..<end, false) }
    return parts
  }

  /// Returns the text as one line: every run of spaces and line ends becomes one space.
  private static func line(_ bytes: ArraySlice<UInt8>) -> String {
    var line: [UInt8] = []
    for byte in bytes {
      if byte > 0x20 {
        line.append(byte)
      } else if line.last != 0x20 {
        line.append(0x20)
      }
    }
    return String(decoding: line, as: UTF8.self)
  }
}

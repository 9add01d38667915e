/// Finds where the text of a page is in another edition of the same book, whose pages break
/// elsewhere.
///
/// The anchor is the text after about two thirds of a page. Of the first page of a spread, that is
/// far enough from both ends of the spread for an edition with 1.5 times the size of type to lead
/// back to it, and not so far that a reader would miss much.
struct TextMatch {
  /// The runs of letters at the anchor.
  private let anchor: Set<[Character]>

  /// Where the anchor begins, as a fraction of the letters of a page.
  static let depth = 0.63
  private static let anchorLetters = 120
  private static let run = 10
  /// More letters than a page can show.
  private static let lettersMax = 20_000

  /// Creates the anchor of a page from its text.
  init(_ text: String) {
    let letters = Self.letters(text)
    let last = max(0, letters.count - Self.anchorLetters / 2)
    let start = min(Int(Double(letters.count) * Self.depth), last)
    anchor = Set(Self.runs(Array(letters.dropFirst(start).prefix(Self.anchorLetters))))
  }

  /// Returns the share of the anchor that a text contains, from 0 to 1.
  func share(in text: String) -> Double {
    guard !anchor.isEmpty else { return 0 }
    let found = Set(Self.runs(Self.letters(text))).intersection(anchor)
    return Double(found.count) / Double(anchor.count)
  }

  /// Spaces and hyphens depend on the lines, so only letters and digits count.
  private static func letters(_ text: String) -> [Character] {
    Array(text.lazy.filter { $0.isLetter || $0.isNumber }.prefix(lettersMax))
  }

  private static func runs(_ letters: [Character]) -> [[Character]] {
    guard letters.count >= run else { return [] }
    return (0...letters.count - run).map { Array(letters[$0..<$0 + run]) }
  }
}

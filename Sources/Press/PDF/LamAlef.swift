internal import CPoppler

/// The ligature of lam and alef on pages that were laid out here.
///
/// The engine writes its glyph as two letters in logical order. Poppler divides the width of the
/// glyph equally between them and turns them around with the other letters of the word, so that the
/// word reads as another one.
enum LamAlef {
  typealias Word = RightToLeftText.Word

  private static let alefs: Set<Unicode.Scalar> = ["\u{622}", "\u{623}", "\u{625}", "\u{627}"]

  /// Puts the letters of the ligatures on a page in their order; O(n).
  ///
  /// A pair is a ligature if both letters have the same width, and no alef that stands elsewhere on
  /// the page has it: in some fonts two single letters have the same width as well.
  static func turn(_ lines: inout [[Word]]) {
    var single: Set<Int> = []
    for word in lines.joined() {
      for index in word.letters.indices where alefs.contains(word.letters[index].scalar) {
        if !isPair(word, index), let width = width(of: index, in: word) { single.insert(width) }
      }
    }
    for line in lines.indices {
      for place in lines[line].indices {
        let word = lines[line][place]
        for index in word.letters.indices where isPair(word, index) {
          let width = width(of: index, in: word)
          guard let width, width == self.width(of: index + 1, in: word), !single.contains(width)
          else { continue }
          lines[line][place].letters[index].scalar = word.letters[index + 1].scalar
          lines[line][place].letters[index + 1].scalar = word.letters[index].scalar
        }
      }
    }
  }

  /// Whether an alef is followed by a lam.
  private static func isPair(_ word: Word, _ index: Int) -> Bool {
    alefs.contains(word.letters[index].scalar) && index + 1 < word.letters.count
      && word.letters[index + 1].scalar == "\u{644}"
  }

  /// Returns the width of a letter in thousandths of its height.
  ///
  /// The places of the letters of a word are in the order in which they are drawn.
  private static func width(of index: Int, in word: Word) -> Int? {
    guard let place = word.letters[word.letters.count - 1 - index].place else { return nil }
    return Int(exactly: (1000 * (place.x2 - place.x1) / (place.y2 - place.y1)).rounded())
  }
}

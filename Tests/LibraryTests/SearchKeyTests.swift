import Scene
import Testing

/// Folding 1.6 MB took over 40 s when its cost was quadratic.
///
/// The time limit ends a suite with texts of 4 MB long before that.
@Suite("Search key", .timeLimit(.minutes(10)))
struct SearchKeyTests {
  @Test(
    "ignores case, accents and strokes",
    arguments: [
      ("Émile ZOLA", "emile zola"), ("Łódź", "lodz"), ("STRAßE", "strasse"), ("Ægir", "aegir"),
      ("İstanbul ırmak", "istanbul irmak"), ("שָׁלוֹם", "שלום"), ("ΣΊΣΥΦΟΣ", "σισυφοσ"),
      ("Å\u{212B}A\u{30A}", "aaa"), ("日本ガ", "日本カ"), ("", ""),
    ]
  )
  func folds(_ text: String, _ folded: String) {
    #expect(SearchKey.folded(text) == folded)
  }

  @Test("folding is idempotent and works letter by letter")
  func idempotent() {
    var all = ""
    var single = ""
    for value in UInt32(0)..<0x3_0000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let folded = SearchKey.folded(String(scalar))
      if SearchKey.folded(folded) != folded { Issue.record("U+\(String(value, radix: 16))") }
      all.unicodeScalars.append(scalar)
      single += folded
    }
    let same = SearchKey.folded(all).unicodeScalars.elementsEqual(single.unicodeScalars)
    #expect(same)
  }

  @Test(
    "folds a text of several megabytes",
    arguments: ["e\u{301}", "\u{301}\u{323}", "é", "ß", "각", "Ab ", "a\u{5B0}\u{5BC}"]
  )
  func linear(_ piece: String) {
    let text = String(repeating: piece, count: (4 << 20) / piece.utf8.count)
    #expect(SearchKey.folded(text).utf8.count <= 3 * text.utf8.count)
  }
}

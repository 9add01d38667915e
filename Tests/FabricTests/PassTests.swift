import Testing

@testable import Fabric

@Suite("A pass")
struct PassTests {
  @Test("is the same after it was written and read")
  func text() {
    for parts: [Pass.Part] in [
      [], [.library], [.book("k3q9")], [.collection("c1"), .book("a-b"), .book("b")],
    ] {
      let pass = Pass(of: MemberID(.max), issued: 1_795_277_000.125, parts: parts)
      #expect(Pass(text: pass.text) == pass)
      #expect(
        pass.text.utf8.allSatisfy {
          Character(UnicodeScalar($0)).isLetter || "-~0123456789".utf8.contains($0)
        }
      )
    }
    for text in ["", "~", "1", "1~x", "x~1", "4294967296~1", "-1~1"] {
      #expect(Pass(text: text) == nil, "\(text)")
    }
  }

  @Test("names what it opens, and at most forty parts of the library")
  func parts() {
    let books = (0..<50).map { Pass.Part.book("\($0)") }
    let read = Pass(text: Pass(of: MemberID(1), issued: 0, parts: books).text)
    #expect(read?.parts == Array(books.prefix(Pass.partsMax)))
    #expect(read?.names(.book("39")) == true && read?.names(.book("40")) == false)
    #expect(read?.names(.collection("1")) == false)
    #expect(Pass(of: MemberID(1), issued: 0, parts: [.library]).names(.book("x")))
  }

  @Test("is valid for two minutes, whatever its time is")
  func validity() {
    for (issued, date, isValid) in [
      (1000.0, 1000.0, true), (1000, 1119, true), (1000, 1120, false), (1000, 990, true),
      (1000, 800, false), (.nan, 1000, false), (.infinity, 1000, false),
    ] {
      #expect(Pass(of: MemberID(1), issued: issued, parts: []).isValid(at: date) == isValid)
    }
  }
}

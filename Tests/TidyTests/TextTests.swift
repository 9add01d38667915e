import Testing

@Suite("Text")
struct TextTests {
  @Test("a file of Swift or Python has at most 400 lines")
  func lineCounts() throws {
    let long = try Repository.texts()
      .filter { ["swift", "py"].contains($0.ending) && $0.lines.count > 400 }
    #expect(long.map(\.path) == [])
  }

  // The sample books are drawn with path data and prose, whose lines cannot be wrapped well.
  @Test("a line of Swift has at most 100 columns and other code 120, except for addresses")
  func columns() throws {
    let limits = ["swift": 100, "c": 100, "h": 100, "js": 120, "mjs": 120, "py": 120, "": 120]
    let long = try Repository.texts().filter { !$0.path.hasPrefix("Scripts/samples/") }
      .flatMap { file in
        let limit = limits[file.ending] ?? .max
        return file.places { $0.count > limit && !$0.contains("://") }
      }
    #expect(long == [])
  }

  @Test("no line ends in a space or contains a tab")
  func spaces() throws {
    let untidy = try Repository.texts().flatMap { file in
      file.places { $0.last?.isWhitespace == true || $0.contains("\t") }
    }
    #expect(untidy == [])
  }

  @Test("every file ends with exactly one line end")
  func lastLines() throws {
    let untidy = try Repository.texts().filter { !$0.endsWithNewline || $0.lines.last == "" }
    #expect(untidy.map(\.path) == [])
  }

  @Test("no file contains a marker for unfinished work")
  func leftovers() throws {
    // Split in two, so that this file passes its own test.
    let words = ["FIX" + "ME", "TO" + "DO", "XX" + "X", "HA" + "CK:"]
    let left = try Repository.texts().flatMap { $0.places(ofAny: words) }
    #expect(left == [])
  }

  @Test("the text mentions only this project, and no file or place outside it")
  func ownWords() throws {
    let words = [
      "/wo" + "rk/", "../sha" + "red", "/tmp/lec" + "tern", "archi" + "tecture.md",
      "mo" + "tion.md", "bro" + "wser.md", "lw" + "s.md", "sty" + "le.md", "rea" + "ders.md",
      "sy" + "nc.md", "con" + "tent.md", "pro" + "duct.md", "con" + "tract.md", "lo" + "ok.md",
      "ora" + "cle.py", "Cla" + "ude", "Anth" + "ropic", "Chat" + "GPT",
    ]
    let strange = try Repository.texts().flatMap { $0.places(ofAny: words) }
    #expect(strange == [])
  }

  @Test("no source forces a try or a cast")
  func forces() throws {
    let words = ["try" + "! ", "as" + "! "]
    let forced = try (Repository.swift(under: "Sources") + Repository.swift(under: "Tests"))
      .flatMap { $0.places(ofAny: words) }
    #expect(forced == [])
  }
}

import Testing

@testable import Commands
@testable import Server

@Suite("Arguments")
struct ArgumentsTests {
  private func error(
    _ words: [String],
    _ read: (inout Arguments) throws(CommandError) -> Void
  ) throws -> String {
    var arguments = Arguments(words)
    let error = #expect(throws: CommandError.self) {
      try read(&arguments)
      try arguments.finish()
    }
    return try #require(error).description
  }

  @Test("an error names the option that is wrong")
  func errors() throws {
    func port(_ words: String...) throws -> String {
      try error(words) { (arguments) throws(CommandError) in _ = try arguments.value("--port") }
    }
    #expect(try port("--port", "1", "--port", "2").hasPrefix("--port is given more than once"))
    #expect(try port("--port=1", "--port=2").hasPrefix("--port is given more than once"))
    #expect(try port("--port", "--data", "D").hasPrefix("--port needs a value"))
    #expect(try port("--port").hasPrefix("--port needs a value"))
    for words in [["--port", ""], ["--port="]] {
      let text = try error(words) { (arguments) throws(CommandError) in
        _ = try arguments.value("--port")
      }
      #expect(text.hasPrefix("--port has an empty value"))
    }
    #expect(try port("--post=3").hasPrefix("\"--post\" is not an option here"))
    #expect(try port("3").hasPrefix("\"3\" is not expected here"))
    #expect(try port("--", "--port").hasPrefix("\"--port\" is not expected here"))
  }

  @Test("words behind -- are operands, whatever they begin with")
  func operands() throws {
    var arguments = Arguments(["a", "--data", "D", "--", "--data", "-b"])
    #expect(try arguments.value("--data") == "D")
    var found: [String] = []
    while arguments.hasOperand { found.append(try arguments.operand("PATH")) }
    #expect(found == ["a", "--data", "-b"])
    try arguments.finish()
  }

  @Test("a title is printed on one line, and a terminal obeys nothing in it")
  func titles() {
    #expect(Console.plain("A\u{1B}[2J\tb\r\nc\u{2028}d\u{85}\u{7}") == "A [2J b  c d  ")
    #expect(Console.plain("Ænid 📖 ש") == "Ænid 📖 ש")
  }

  @Test("help is asked for with two options, but not behind --")
  func help() {
    #expect(Arguments.askForHelp(["x", "-h"]) && Arguments.askForHelp(["--help"]))
    #expect(!Arguments.askForHelp(["help", "--", "-h"]))
  }

  @Test("every command explains itself, in three ways")
  func commands() throws {
    for name in ["serve", "import", "list", "remove", "bin", "doctor", "frames", "replay"] {
      let texts = try [["help", name], [name, "--help"], [name, "-h"]].map { words in
        let (code, output) = try run(lecternProgram, words)
        #expect(code == 0)
        return output
      }
      #expect(texts[0].hasPrefix("lectern \(name)") && Set(texts).count == 1, "\(name)")
    }
  }
}

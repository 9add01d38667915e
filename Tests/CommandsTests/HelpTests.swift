import Foundation
import Recording
import Testing

@testable import Commands
@testable import Server

@Suite("The help texts")
struct HelpTests {
  @Test("the article on options contains the help of every command; UPDATE_GOLDEN=1 rewrites it")
  func article() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Sources/Commands/Commands.docc/Options.md")
    var text = """
      # Options

      The help text of each command, as `lectern COMMAND --help` prints it.

      ```text
      \(LecternCommand.help)```

      """
    for command in LecternCommand.commands {
      text += "\n## lectern \(command.name)\n\n```text\n\(command.help)```\n"
    }
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
  }

  @Test(
    "every command answers --help and -h with its text",
    arguments: LecternCommand.commands.map(\.name)
  )
  func help(name: String) throws {
    let help = try #require(LecternCommand.commands.first { $0.name == name }).help
    for word in ["--help", "-h"] {
      let (code, output) = try run(lecternProgram, [name, word])
      #expect(code == 0 && output == help)
    }
  }

  @Test("the inputs in the help of lectern frames are inputs, and each of them is there")
  func examples() throws {
    let examples = FramesCommand.definition.help.split(separator: "\n").map {
      $0.drop { $0 == " " }
    }
    .filter { $0.hasPrefix("{") }
    .compactMap { line in line.lastIndex(of: "}").map { String(line[...$0]) } }
    let lines = try LogReader.lines(of: Data(examples.joined(separator: "\n").utf8))
    #expect(lines.count == examples.count)
    let kinds = Set(lines.map { $0.text.split(separator: "\"")[4...].prefix(2).last ?? "" })
    #expect(
      kinds == [
        "tap", "touch", "pan", "pinch", "wheel", "close", "go", "key", "lay", "jump", "images",
        "settle",
      ]
    )
    let frames = try printedFrames(["--start", "shelf"], examples.joined(separator: "\n"))
    #expect(frames.count == 181)
    // The book that "go" names is open.
    #expect(frames.last?.screen == "book")
  }
}

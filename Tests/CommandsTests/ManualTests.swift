import Foundation
import Testing

@testable import Commands
@testable import Server

@Suite("What packages install")
struct ManualTests {
  @Test("the version is that of the newest entry of the changelog")
  func version() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let log = try String(contentsOf: root.appending(path: "CHANGELOG.md"), encoding: .utf8)
    let versions = log.matches(of: /(?m)^## (\d+\.\d+\.\d+)/).map { String($0.output.1) }
    #expect(versions.first == Version.number)
    #expect(try run(lecternProgram, ["--version"]).output == "lectern \(Version.number)\n")
  }

  @Test("the manual page has all commands and options, and no line is taken for a request")
  func page() {
    let page = ManualCommand.page
    for command in LecternCommand.commands {
      #expect(page.contains("\n.SS lectern \(command.name)\n"))
      for option in command.options {
        #expect(
          page.contains("\\fB\(option.name.replacing("-", with: "\\-"))\\fR"),
          "\(option.name)"
        )
      }
    }
    let requests = page.split(separator: "\n").filter { $0.hasPrefix(".") || $0.hasPrefix("'") }
      .map { $0.prefix { $0 != " " } }
    #expect(Set(requests) == [".TH", ".SH", ".SS", ".PP", ".TP", ".br", ".nf", ".fi"])
  }

  @Test("the configuration file of a package is valid as it is, and with each of its lines")
  func configuration() throws {
    let folder = try SampleFolder()
    let file = folder.root.appendingPathComponent("lectern.conf")
    try Data(ManualCommand.configuration.utf8).write(to: file)
    let options = try ServeCommand.options(
      ["--web", folder.web, "--config", file.path],
      environment: [:]
    )
    #expect(options.storage.data == "/var/lib/lectern" && options.network.port == 8080)
    let names = ManualCommand.configuration.matches(of: #/(?m)^\#?([a-z-]+) = /#)
      .map { String($0.output.1) }
    let settings = ServeCommand.definition.options.filter(\.isSetting).map(\.settingName)
    #expect(names == settings)
  }

  @Test("bash completes commands, options and their values")
  func bash() throws {
    func completed(_ words: String...) throws -> [String] {
      let list = words.map { "'\($0)'" }.joined(separator: " ")
      let script = """
        COMP_WORDS=(lectern \(list)); COMP_CWORD=\(words.count); _lectern
        printf '%s\\n' "${COMPREPLY[@]}"
        """
      let whole = CompletionsCommand.bash + script
      let (code, output) = try run("/bin/bash", ["-u", "-c", whole])
      #expect(code == 0, "\(output)")
      return output.split(separator: "\n").map(String.init)
    }
    #expect(try completed("se") == ["serve"])
    #expect(try completed("serve", "--po") == ["--port"])
    #expect(try completed("doctor", "--admin-t") == ["--admin-token", "--admin-token-file"])
    #expect(try completed("serve", "--log-level", "w") == ["warning"])
    #expect(try completed("serve", "--library", "/us") == ["/usr"])
    #expect(try completed("serve", "--port", "") == [])
    #expect(try completed("import", "/etc/hostn") == ["/etc/hostname"])
  }

  @Test("zsh and fish get scripts as well, and other shells a list of those that do")
  func shells() throws {
    #expect(try run(lecternProgram, ["completions", "zsh"]).output.hasPrefix("#compdef lectern\n"))
    let fish = try run(lecternProgram, ["completions", "fish"]).output
    #expect(fish.contains("-l port -x -d 'the port (8080); 0 for any free port'\n"))
    #expect(try run(lecternProgram, ["completions", "csh"]).code == 2)
  }
}

@Suite("lectern health")
struct HealthTests {
  @Test("asks the server where the options say that it is")
  func address() throws {
    func address(_ words: String..., environment: [String: String] = [:]) throws -> String {
      try HealthCommand.address(words, environment: environment)
    }
    #expect(try address() == "http://127.0.0.1:8080/api/address")
    #expect(try address("--listen", "0.0.0.0", "--port=1") == "http://127.0.0.1:1/api/address")
    #expect(try address("--listen", "::") == "http://[::1]:8080/api/address")
    #expect(try address("--listen", "fd00::1") == "http://[fd00::1]:8080/api/address")
    let variables = ["LECTERN_ADMIN_LISTEN": "9464", "LECTERN_PORT": "1", "LECTERN_LISTEN": "::"]
    #expect(try address(environment: variables) == "http://127.0.0.1:9464/readyz")
    #expect(throws: CommandError.self) { try address("--admin-listen", "x") }
  }

  @Test("says whether the server works")
  func works() throws {
    let folder = try SampleFolder()
    let server = try ServingThread(folder)
    let asked = try run(lecternProgram, ["health", "--port", "\(server.port)"])
    #expect(asked.code == 0 && asked.output == "the server works\n")
    let ready = try run(lecternProgram, ["health", "--admin-listen", "\(server.adminPort)"])
    #expect(ready.code == 0)
    // Its listener is gone.
    let closed = try TestListener().port
    let missing = try run(lecternProgram, ["health", "--port", "\(closed)"])
    #expect(missing.code == 1 && missing.output.hasPrefix("lectern: the server does not work: "))
  }
}

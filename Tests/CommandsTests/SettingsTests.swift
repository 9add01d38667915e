import FabricNATS
import Foundation
import Testing

@testable import Commands
@testable import Server

@Suite("Options from the environment and the configuration file")
struct SettingsTests {
  private let folder: SampleFolder
  private let file: String

  init() throws {
    folder = try SampleFolder()
    file = folder.root.appendingPathComponent("lectern.conf").path
  }

  /// A value for each option, and what it needs to be valid.
  private static let values: [String: [String]] = [
    "--port": ["4321"], "--listen": ["::1"], "--library": ["L"], "--data": ["D"], "--record": ["R"],
    "--keep-rooms": ["2.5"], "--scan-every": ["5"], "--web": [],
    "--public-url": ["https://books.example"],
    "--host": ["a.example", "b.example"], "--admin-listen": ["9464"],
    "--trust-proxy": ["10.0.0.0/8"], "--user-header": ["Remote-User"], "--base-path": ["/books"],
    "--library-key": ["abcdefghijklmnop"], "--library-key-file": ["KEY"],
    "--admin-token": ["abcdefghijklmnop"], "--admin-token-file": ["KEY"], "--cache-size": ["64"],
    "--upload-limit": ["12"], "--max-connections": ["99"], "--max-per-address": ["12"],
    "--backlog": ["7"], "--threads": ["3"], "--log-format": ["json"], "--log-level": ["warning"],
    "--audit": ["A"], "--store": ["/nowhere"], "--nats": ["nats://10.0.0.1:1"],
    "--nats-credentials": ["C"], "--nats-user": ["U"], "--nats-password": ["P"],
    "--nats-password-file": ["KEY"], "--nats-ca": ["CA"], "--nats-certificate": ["CC"],
    "--nats-key": ["K"], "--nats-prefix": ["x"], "--nats-replicas": ["3"],
  ]
  /// What other options need so that they can be read.
  private static let company: [String: [String]] = [
    "--nats": ["--store=/nowhere"], "--nats-user": ["--nats-password=P"],
    "--user-header": ["--trust-proxy"],
  ]

  /// All that was read, except where keys stand.
  private struct Read: Equatable {
    var options: ReadingServer.Options
    var addresses: String?
    var credentials: NATSOptions.Credentials?
    var tls: NATSOptions.TLS?
    var prefix: String?
    var replicas: Int?

    init(_ options: ReadingServer.Options, _ nats: NATSOptions?) {
      self.options = options
      (self.options.keys.libraryKeyLocation, self.options.keys.files) = (nil, [])
      (addresses, credentials, tls) = (nats?.addresses, nats?.credentials, nats?.tls)
      (prefix, replicas) = (nats?.prefix, nats?.replicas)
    }
  }

  private func read(
    _ words: [String],
    environment: [String: String] = [:],
    lines: [String] = []
  ) throws -> Read {
    let (options, cluster) = try self.options(words, environment: environment, lines: lines)
    return Read(options, cluster?.nats)
  }

  private func options(
    _ words: [String],
    environment: [String: String] = [:],
    lines: [String] = []
  ) throws -> (ReadingServer.Options, ClusterOptions?) {
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: file))
    var cluster: ClusterOptions?
    let options = try ServeCommand.options(
      ["--web", folder.web, "--config", file] + words,
      environment: environment,
      cluster: &cluster
    )
    return (options, cluster)
  }

  @Test("each option means the same on the command line, in the environment and in the file")
  func sources() throws {
    let key = folder.root.appendingPathComponent("key").path
    try Data("a-key-of-a-file-1234\n".utf8).write(to: URL(fileURLWithPath: key))
    for option in ServeCommand.definition.options where option.isSetting {
      let values = option.placeholder == nil ? ["yes"] : Self.values[option.name]
      guard let values = values?.map({ $0 == "KEY" ? key : $0 }) else {
        Issue.record("\(option.name) has no value here")
        continue
      }
      guard option.name != "--web" else { continue }
      var company = Self.company[option.name] ?? []
      if option.name.hasPrefix("--nats-") {
        company += ["--nats=nats://10.0.0.1:1", "--store=/nowhere"]
        if option.name.contains("password") { company.append("--nats-user=U") }
      }
      let words = option.placeholder == nil ? [option.name] : values.map { "\(option.name)=\($0)" }
      let given = try read(company + words)
      let variable = [option.variable: values.joined(separator: ",")]
      let lines = values.map { "\(option.settingName) = \($0)" }
      #expect(try read(company, environment: variable) == given, "\(option.variable)")
      #expect(try read(company, lines: lines) == given, "\(option.name) in the file")
      #expect((try? read(company)) != given, "\(option.name) does nothing")
    }
  }

  @Test("the command line counts before the environment, and that before the file")
  func order() throws {
    let environment = ["LECTERN_PORT": "2", "LECTERN_THREADS": "4"]
    let lines = ["port = 3", "threads=5", " backlog\t=  6 ", "# port = 9", "", "listen = \"::1\""]
    let (options, _) = try options(["--port", "1"], environment: environment, lines: lines)
    #expect(options.network.port == 1 && options.threads == 4)
    #expect(options.connections.backlog == 6 && options.network.listen == "::1")
    let empty = try self.options([], environment: ["LECTERN_PORT": ""]).0
    #expect(empty.network.port == 8080)
  }

  @Test("a key of the command line counts before one of the environment, whichever form it has")
  func keys() throws {
    let key = folder.root.appendingPathComponent("key").path
    try Data("a-key-of-a-file-1234\n".utf8).write(to: URL(fileURLWithPath: key))
    let environment = ["LECTERN_LIBRARY_KEY": "a-key-of-the-environment"]
    var keys = try options(["--library-key-file", key], environment: environment).0.keys
    #expect(keys.library == "a-key-of-a-file-1234" && keys.libraryKeyLocation == .file(key))
    keys = try options([], environment: environment, lines: ["library-key-file = \(key)"]).0.keys
    #expect(keys.library == "a-key-of-the-environment")
    keys = try options([], lines: ["library-key = a-key-in-the-configuration"]).0.keys
    #expect(keys.libraryKeyLocation == .file(file) && keys.files == [file])
  }

  @Test("a flag is yes or no")
  func flags() throws {
    for (text, isOn) in [("yes", true), ("True", true), ("1", true), ("no", false), ("off", false)]
    {
      #expect(try options([], lines: ["open-library = \(text)"]).0.keys.opensLibrary == isOn)
    }
    #expect(try options(["--open-library"], lines: ["open-library = no"]).0.keys.opensLibrary)
  }

  @Test("an error names the variable, or the file and the line")
  func errors() {
    func error(_ lines: [String], _ environment: [String: String] = [:]) -> String {
      do { _ = try options([], environment: environment, lines: lines) } catch { return "\(error)" }
      return ""
    }
    #expect(
      error([], ["LECTERN_PORT": "x"]).hasPrefix("$LECTERN_PORT is \"x\", but must be a whole")
    )
    #expect(error(["", "port = x"]).hasPrefix("\(file):2: port is \"x\", but must be a whole"))
    #expect(error(["open-library = maybe"]).hasPrefix("\(file):1: open-library is \"maybe\""))
    #expect(error(["log-level = loud"]).hasPrefix("\(file):1: log-level is \"loud\""))
    #expect(error(["prot = 1"]).hasPrefix("\(file):1: \"prot\" is not an option"))
    #expect(error(["config = /x"]).hasPrefix("\(file):1: \"config\" is not an option"))
    #expect(error(["port 1"]).hasPrefix("\(file):1: \"port 1\" has no \"=\""))
    #expect(error(["port ="]).hasPrefix("\(file):1: port has no value"))
    #expect(error(["port = 1", "port = 2"]).hasPrefix("\(file):2: port is given more than once"))
    let both = ["library-key = abcdefghijklmnop", "library-key-file = /x"]
    #expect(error(both).contains("lectern.conf:1: library-key and "))
  }

  @Test("a configuration file that cannot be read, or is none, is an error")
  func unusable() throws {
    let words = ["--web", folder.web, "--config"]
    #expect(throws: CommandError.self) { try ServeCommand.options(words + ["/nowhere"]) }
    try Data([0x61, 0xff, 0x0a]).write(to: URL(fileURLWithPath: file))
    #expect(throws: CommandError.self) { try ServeCommand.options(words + [file]) }
    try Data(count: 2 << 20).write(to: URL(fileURLWithPath: file))
    #expect(throws: CommandError.self) { try ServeCommand.options(words + [file]) }
    // The environment can name it, and an empty name means none.
    let named = ["LECTERN_CONFIG": "/nowhere"]
    #expect(throws: CommandError.self) {
      try ServeCommand.options(["--web", folder.web], environment: named)
    }
    _ = try ServeCommand.options(["--web", folder.web], environment: ["LECTERN_CONFIG": ""])
  }

  @Test("commands on the books take the data folder from the same places")
  func data() throws {
    try Data("port = 1\ndata = /from/file\n".utf8).write(to: URL(fileURLWithPath: file))
    let words = ["--config", file, "a.pdf"]
    #expect(try ImportCommand.options(words, environment: [:]).data == "/from/file")
    let variables = ["LECTERN_DATA": "/from/variable", "LECTERN_PASSWORD": "x"]
    let options = try ImportCommand.options(words, environment: variables)
    #expect(options.data == "/from/variable" && options.password.isEmpty)
  }
}

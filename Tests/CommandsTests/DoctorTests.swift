import Foundation
import Testing
import WebServer

@testable import Clustering
@testable import Commands
@testable import Server

@Suite("lectern doctor", .timeLimit(.minutes(5)))
struct DoctorTests {
  private let folder: SampleFolder

  init() throws { folder = try SampleFolder() }

  /// The options of a server without faults.
  private var words: [String] {
    [
      "--port", "0", "--library", folder.library, "--web", folder.web,
      "--data", folder.data,
    ]
  }

  /// Returns the results of a check.
  private func findings(_ check: String, _ words: [String]) throws -> [Finding] {
    var findings: [Finding] = []
    try DoctorCommand.examine(words, environment: [:]) { findings.append($0) }
    return findings.filter { $0.check == check }
  }

  private func finding(_ check: String, _ words: [String]) throws -> Finding {
    let found = try findings(check, words)
    #expect(found.count == 1)
    return try #require(found.first)
  }

  /// Returns options with another value for one of them.
  private func with(_ option: String, _ value: String) -> [String] {
    var words = words
    if let place = words.firstIndex(of: option) {
      words[place + 1] = value
    } else {
      words += [option, value]
    }
    return words
  }

  @Test("options without faults lead to exit code 0 and a line for each check")
  func healthy() throws {
    let (code, output) = try run(lecternProgram, ["doctor"] + words)
    let lines = output.split(separator: "\n")
    #expect(code == 0, "\(output)")
    #expect(lines.count == 11 && !lines.contains { $0.hasPrefix("problem ") }, "\(output)")
    #expect(lines.first == "ok       page files      \(folder.web)")
    let data = folder.data
    #expect(!FileManager.default.fileExists(atPath: data))
  }

  @Test("a problem leads to exit code 1, and invalid options to exit code 2")
  func codes() throws {
    let (code, output) = try run(lecternProgram, ["doctor"] + with("--library", "/nowhere"))
    #expect(code == 1)
    #expect(output.contains("\nproblem  library         /nowhere cannot be read"), "\(output)")
    #expect(try run(lecternProgram, ["doctor", "--prot", "1"]).code == 2)
    #expect(try run(lecternProgram, ["doctor", "--help"]).code == 0)
  }

  @Test("missing page files and a missing library are problems")
  func files() throws {
    let web = try finding("page files", with("--web", "/nowhere"))
    #expect(web.verdict == .problem && web.text.contains("\"/nowhere\""))
    #expect(try finding("library", with("--library", "/nowhere")).verdict == .problem)
    #expect(try finding("library", words).verdict == .ok)
  }

  @Test("a port that is in use is a problem, for readers and for administrators")
  func ports() throws {
    let server = try ServingThread(folder)
    defer { server.stop() }
    let port = try finding("port", with("--port", "\(server.port)"))
    #expect(port.verdict == .problem && port.text.contains("127.0.0.1:\(server.port) is in use"))
    let admin = try finding("admin port", words + ["--admin-listen", "\(server.adminPort)"])
    #expect(admin.verdict == .problem && admin.text.contains("--admin-listen"))
    var other = with("--port", "8080")
    other += ["--listen", "192.0.2.1"]
    #expect(try finding("port", other).text.contains("not an address of this machine"))
  }

  @Test(
    "a data folder that cannot be written is a problem",
    arguments: ["/proc/data", "/dev/null"]
  )
  func data(path: String) throws {
    let data = try finding("data folder", with("--data", path))
    #expect(data.verdict == .problem && data.text.contains("--data"))
    #expect(try finding("data folder", words).verdict == .ok)
  }

  @Test("a relative path that does not exist yet will be created, as a server does")
  func relative() throws {
    let name = "lectern-\(UUID().uuidString)/data"
    let data = try finding("data folder", with("--data", name))
    #expect(data.verdict == .ok && data.text.hasSuffix("/\(name) will be created"))
  }

  @Test("what keeps a server from using a data folder is a problem, and nothing is changed")
  func faults() throws {
    let path = folder.data
    let server = try ServingThread(folder, data: path)
    let used = try finding("data folder", words)
    #expect(used.verdict == .problem && used.text.contains("in use by another Lectern server"))
    server.stop()
    #expect(server.ends(within: 20))
    #expect(try finding("data folder", words).verdict == .ok)
    let (code, output) = try run(
      "/usr/bin/env",
      [
        "python3", "-c",
        "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('PRAGMA user_version=1000')",
        path + "/catalogue.sqlite",
      ]
    )
    #expect(code == 0, "\(output)")
    try Data("short".utf8).write(to: URL(fileURLWithPath: path + "/secret"))
    try Data("two words".utf8).write(to: URL(fileURLWithPath: path + "/library.key"))
    let found = try findings("data folder", words)
    #expect(found.count == 3 && found.allSatisfy { $0.verdict == .problem })
    for (finding, text) in zip(found, ["/secret", "/library.key", "has version 1000"]) {
      #expect(finding.text.contains(text))
    }
  }

  @Test("a numeric address that cannot be used is a problem with any port")
  func listen() throws {
    let port = try finding("port", with("--listen", "999.0.0.1"))
    #expect(port.verdict == .problem && port.text.contains("correct --listen"))
  }

  @Test("a key file that others can read is a warning")
  func keyFile() throws {
    let path = folder.root.appendingPathComponent("key").path
    try Data("0123456789abcdef\n".utf8).write(to: URL(fileURLWithPath: path))
    for (mode, count) in [(0o644, 1), (0o640, 0)] {
      chmod(path, mode_t(mode))
      let found = try findings("key file", with("--library-key-file", path))
      #expect(found.count == count && found.allSatisfy { $0.verdict == .warning })
    }
  }

  @Test("a public address must show the page and open a WebSocket")
  func publicURL() throws {
    try Data("<title>Lectern</title>".utf8)
      .write(to: URL(fileURLWithPath: folder.web + "/index.html"))
    let server = try ServingThread(folder)
    let good = try findings("public URL", with("--public-url", "http://127.0.0.1:\(server.port)"))
    #expect(good.map(\.verdict) == [.ok, .ok, .ok], "\(good)")

    let page = try CannedServer("HTTP/1.1 200 OK", body: "<title>Lectern</title>")
    let flat = try findings("public URL", with("--public-url", page.url))
    #expect(flat.map(\.verdict) == [.ok, .problem])
    #expect(flat.last?.text.contains("Upgrade") == true)

    for (status, verdict) in [
      ("502 Bad Gateway", Finding.Verdict.warning), ("401 Unauthorized", .warning),
      ("301 Moved Permanently", .problem), ("404 Not Found", .problem), ("200 OK", .problem),
    ] {
      let other = try CannedServer("HTTP/1.1 \(status)", body: "another page")
      let found = try finding("public URL", with("--public-url", other.url))
      #expect(found.verdict == verdict, "\(status): \(found)")
    }
    let nobody = try finding("public URL", with("--public-url", "http://127.0.0.1:1"))
    #expect(nobody.verdict == .warning && nobody.text.contains("start the server"))
  }

  @Test("a proxy must be trusted, and must report its readers if it is there for TLS")
  func sharedAddress() throws {
    func verdict(_ address: String, _ report: HTTPRequest.ProxyReport) throws -> Finding.Verdict {
      let check = PublicURLCheck(try #require(PublicURL(address)))
      let found = check.finding(.init(proxy: report.rawValue, client: "172.18.0.2"))
      #expect(found.verdict == .ok || found.text.contains("172.18.0.2"))
      return found.verdict
    }
    #expect(try verdict("https://books.example", .used) == .ok)
    #expect(try verdict("https://books.example", .ignored) == .warning)
    #expect(try verdict("https://books.example", .missing) == .warning)
    #expect(try verdict("http://nas.example:8080", .missing) == .ok)
  }

  @Test("a cache that is larger than the disk is a warning")
  func disk() throws {
    #expect(try finding("disk", words).verdict != .problem)
    let disk = try finding("disk", with("--cache-size", "\(1 << 20)"))
    let isHuge = UploadDisk().free(folder.root.path) ?? 0 >= 1 << 40
    #expect(disk.verdict == (isHuge ? .ok : .warning))
  }

  @Test("limits of the system below those of the options are warnings")
  func limits() throws {
    let files = try finding("open files", with("--max-connections", "1000000"))
    #expect(files.verdict == .warning || files.text.contains("1000352 are needed"))
    let line = "ulimit -n 100 && exec \"$0\" doctor \"$@\""
    let (code, output) = try run("/bin/sh", ["-c", line, lecternProgram] + words)
    #expect(code == 0)
    #expect(output.contains("warning  open files      100 are allowed"), "\(output)")
    #expect(try finding("backlog", with("--backlog", "65535")).text.contains("65535"))
  }

  @Test("a store is written and read, and one that cannot be is a problem")
  func store() throws {
    let place = folder.root.appendingPathComponent("store")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    #expect(try finding("store", with("--store", place.path)).verdict == .ok)
    let left = FileManager.default.enumerator(atPath: place.path)?.allObjects as? [String] ?? []
    #expect(!left.contains { $0.contains("doctor") })
    #expect(try finding("store", with("--store", "/proc/store")).verdict == .problem)
  }

  @Test("a node of a cluster without a store is a problem, and a usage error of lectern serve")
  func clusterWithoutStore() throws {
    let node = with("--nats", "nats://127.0.0.1:1")
    let store = try finding("store", node)
    #expect(store.verdict == .problem && store.text.contains("--store PLACE"))
    #expect(try findings("store", words) == [])
    let (code, output) = try run(lecternProgram, ["serve"] + node)
    #expect(code == 2 && output.contains("--nats needs --store PLACE"), "\(output)")
  }

  @Test("NATS servers that do not answer, or are something else, are problems")
  func unreachable() throws {
    let nothing = try finding("NATS server", with("--nats", "nats://127.0.0.1:1"))
    #expect(nothing.verdict == .problem)
    #expect(nothing.text.contains("127.0.0.1:1 (Connection refused)"))
    let nonsense = try finding("NATS server", with("--nats", "nats://a:b:c"))
    #expect(nonsense.verdict == .problem)
    #expect(try findings("NATS login", with("--nats", "nats://127.0.0.1:1")) == [])
  }

  @Test("certificates that cannot be used are problems, before any connection is made")
  func certificates() throws {
    let page = folder.web + "/index.html"
    var words = with("--nats", "nats://127.0.0.1:1")
    words += ["--nats-ca", page, "--nats-key", "/nowhere"]
    #expect(try findings("TLS", words).map(\.verdict) == [.problem, .problem])
  }
}

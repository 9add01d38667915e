import Foundation
import HeadlessReader
import Scene
import Telemetry
import TestLogs
import Testing
import WebServer
import Wire

@testable import Commands
@testable import Server

@Suite("A server's log", .timeLimit(.minutes(10)))
struct ServerLogTests {
  @Test("reports a server's life from start to end, with the imported books and the failed ones")
  func life() throws {
    let folder = try SampleFolder(books: [[3]])
    let bad = folder.library + "/Shelf 0/bad\u{1B}[31m\u{202E}.pdf"
    try Data("no document".utf8).write(to: URL(fileURLWithPath: bad))
    let captured = try CapturedLog()
    let data = folder.data
    let server = try ServingThread(folder, data: data, writer: captured.writer)
    server.stop()
    #expect(server.ends(within: 20))
    let events = captured.lines.compactMap { $0["event"] }
    for (earlier, later) in zip(
      ["server.starting", "library.scanned", "import.started", "import.failed", "server.ready"],
      ["library.scanned", "import.started", "import.failed", "import.finished", "server.stopping"]
    ) {
      let order = (events.firstIndex(of: earlier) ?? .max, events.firstIndex(of: later) ?? .max)
      #expect(order.0 < order.1 && order.1 < .max, "\(earlier), \(later): \(events)")
    }
    #expect(events.last == "server.stopped")
    #expect(captured.lines(of: "server.stopping").count == 1)
    #expect(events.contains("catalogue.migrated") && events.contains("catalogue.copied"))
    let failed = try #require(captured.lines(of: "import.failed").first)
    #expect(failed["file"] == bad && failed["reason"]?.isEmpty == false)
    #expect(captured.lines(of: "import.finished").first?["failed"] == "1")
    #expect(captured.lines(of: "server.ready").first?["needsKey"] == "0")
    #expect(!captured.text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
  }

  @Test("contains no secret at any level: no key, no pass, no query, no reader, no link")
  func secrets() throws {
    let folder = try SampleFolder(books: [[3]])
    let captured = try CapturedLog(level: .debug)
    let data = folder.data
    let (key, token) = ("the-key-of-the-library", "the-token-of-the-admin")
    let server = try ServingThread(folder, data: data, writer: captured.writer) {
      ($0.keys.library, $0.keys.admin) = (key, token)
    }
    for word in ["a-wrong-key-that-somebody-tries", key, token] {
      _ = try server.ask("/api/books?pass=query-pass-1&k=query-key-2", key: word)
    }
    for path in [
      "/b/k3/p/1/screen?pass=query-pass-3", "/ws?token=query-token-4",
      "/r/ROOM?x=query-link-5", "/%zz?query-odd-6",
    ] {
      _ = try server.ask(path)
    }
    _ = try server.ask("/api/uploads", .post, key: token, body: #"{"name": "a.pdf", "size": 9}"#)
    let secret = "the-secret-of-a-reader-of-this"
    let host = try HeadlessReader(port: server.port, key: key, reader: secret)
    try host.openFirstBook()
    host.send(.share)
    for _ in 0..<2 { try host.exchangeClock() }
    let links = try #require(host.links)
    let guest = try HeadlessReader(port: server.port, room: host.room, key: links.follow)
    let pass = guest.pass
    host.close()
    guest.close()
    server.stop()
    #expect(server.ends(within: 20))
    let text = captured.text + (try String(contentsOfFile: data + "/audit.ndjson", encoding: .utf8))
    #expect(text.contains("wrong key") && text.contains("host.acted") && text.contains("a.pdf"))
    for secret in [
      key, "token-of-the-admin", "a-wrong-key", "query-", secret, links.follow, pass,
    ] {
      #expect(!secret.isEmpty && !text.contains(secret), "\(secret)")
    }
  }

  @Test("is the only output on the standard error, as lines of JSON, even if a start fails")
  func json() throws {
    let folder = try SampleFolder()
    let (code, output) = try run(
      lecternProgram,
      [
        "serve", "--port", "0", "--web", folder.web, "--library", "/nowhere", "--data", folder.data,
        "--log-format", "json",
      ]
    )
    #expect(code == 1)
    let lines = output.split(separator: "\n")
    #expect(lines.count >= 2)
    for line in lines {
      #expect(throws: Never.self, "\(line)") {
        try JSONSerialization.jsonObject(with: Data(line.utf8))
      }
    }
    #expect(lines.last?.contains(#""level":"error","event":"server.failed""#) == true)
  }

  @Test("names the signal as the cause of a stop")
  func signals() throws {
    let folder = try SampleFolder()
    let log = folder.root.appendingPathComponent("log").path
    #expect(FileManager.default.createFile(atPath: log, contents: nil))
    let program = try ServingProcess(folder, errors: FileHandle(forWritingAtPath: log))
    program.process.interrupt()
    program.process.waitUntilExit()
    #expect(program.process.terminationStatus == 0)
    let text = try String(contentsOfFile: log, encoding: .utf8)
    #expect(text.contains(#" info server.stopping: The server is stopping. cause="SIGINT""#))
    #expect(text.hasSuffix("\n") && text.contains(" info server.stopped: "))
  }

  @Test("warns about dangerous settings")
  func configuration() throws {
    let captured = try CapturedLog()
    var options = ReadingServer.Options(library: "", web: "")
    options.network.listen = "0.0.0.0"
    options.keys.opensLibrary = true
    options.network.proxies = .loopback
    options.network.publicURL = "http://books.example"
    options.network.adminListen = Endpoint("0.0.0.0:1")
    let address = ServerAddress(
      publicURL: PublicURL("http://books.example"),
      listen: options.network.listen,
      port: 1,
      machine: []
    )
    captured.log.configured(options, options.access(key: "k"), address)
    #expect(captured.lines(of: "configuration.warning").count == 4)
    let quiet = try CapturedLog()
    options = ReadingServer.Options(library: "", web: "")
    let own = ServerAddress(publicURL: nil, listen: options.network.listen, port: 1, machine: [])
    quiet.log.configured(options, options.access(key: "k"), own)
    #expect(quiet.lines.isEmpty)
  }
}

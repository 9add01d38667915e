import Fabric
import Foundation
import Scene
import Telemetry
import TestLogs
import Testing

@testable import Commands
@testable import Rooms
@testable import Server

@Suite("What a server offers its operators", .timeLimit(.minutes(10)))
struct AdminTests {
  @Test("health, readiness and metrics have a separate address, and no other")
  func admin() throws {
    let folder = try SampleFolder()
    let server = try ServingThread(folder)
    for path in ["/healthz", "/readyz", "/metrics"] {
      #expect(try server.ask(path, isForAdmin: true).status == 200, "\(path)")
      #expect(try server.ask(path).status == 404, "\(path)")
    }
    for path in ["/", "/api/books", "/ws"] {
      #expect(try server.ask(path, isForAdmin: true).status == 404, "\(path)")
    }
    #expect(try server.ask("/").body == "<!doctype html>")
    #expect(FileManager.default.fileExists(atPath: folder.web))
  }

  @Test("an address to listen on is parsed or rejected")
  func endpoints() {
    for (text, address, port) in [
      ("127.0.0.1:9464", "127.0.0.1", 9464), ("9464", "127.0.0.1", 9464), ("[::1]:0", "::1", 0),
    ] {
      #expect(Endpoint(text)?.address == address)
      #expect(Endpoint(text)?.port == port)
    }
    for text in ["", ":9464", "::1:9464", "127.0.0.1:", "127.0.0.1:99999", "1:-1", "[::1]", "1:+1"]
    {
      #expect(Endpoint(text) == nil, "\(text)")
    }
  }

  @Test("a key comes from an option, a file or the environment, in this order")
  func keys() throws {
    let folder = try SampleFolder()
    let path = folder.root.appendingPathComponent("key").path
    try Data("key-of-the-file-1234\nmore\n".utf8).write(to: URL(fileURLWithPath: path))
    let environment = [
      "LECTERN_LIBRARY_KEY": "key-of-the-environment",
      "LECTERN_ADMIN_TOKEN": "token-of-environment",
    ]
    func options(_ words: [String]) throws -> ReadingServer.Options {
      try ServeCommand.options(["--web", folder.web] + words, environment: environment)
    }
    let plain = try options([])
    #expect(plain.keys.library == "key-of-the-environment")
    #expect(plain.keys.admin == "token-of-environment")
    let filed = try options(["--library-key-file", path, "--admin-token-file", path])
    #expect(filed.keys.library == "key-of-the-file-1234" && filed.keys.admin == filed.keys.library)
    #expect(plain.keys.libraryKeyLocation == .variable("LECTERN_LIBRARY_KEY"))
    #expect(filed.keys.libraryKeyLocation == .file(path) && filed.keys.files == [path, path])
    let chosen = try options(["--library-key", "key-of-the-option"])
    #expect(chosen.keys.library == "key-of-the-option" && chosen.keys.files.isEmpty)
    #expect(throws: CommandError.self) {
      try options(["--library-key", "key-of-the-option", "--library-key-file", path])
    }
    #expect(throws: CommandError.self) { try options(["--library-key-file", "/nowhere"]) }
    try Data("\n".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: CommandError.self) { try options(["--library-key-file", path]) }
  }

  private func lines(_ path: String) throws -> [[String: String]] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return try #require(object).mapValues { "\($0)" }
    }
  }

  private func mode(_ path: String) throws -> Int? {
    let facts = try FileManager.default.attributesOfItem(atPath: path)
    return (facts[.posixPermissions] as? NSNumber)?.intValue
  }

  @Test("rejected keys are logged without the keys, and the data folder is closed to other users")
  func refusals() throws {
    let folder = try SampleFolder()
    let data = folder.data
    try FileManager.default.createDirectory(
      atPath: data,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o755]
    )
    let server = try ServingThread(folder, data: data) {
      $0.keys.library = "the-key-of-the-library"
    }
    #expect(try mode(data) == 0o700)
    let wrong = "a-wrong-key-of-a-library"
    for _ in 0..<3 { #expect(try server.ask("/api/books", key: wrong).status == 401) }
    server.stop()
    #expect(server.ends(within: 20))
    let path = data + "/audit.ndjson"
    let noted = try lines(path)
    #expect(noted.count == 2 && noted[0]["repeats"] == nil && noted[1]["repeats"] == "2")
    #expect(noted[0]["event"] == "access.refused" && noted[0]["cause"] == "wrong key")
    #expect(noted[0]["address"] == "127.0.0.1" && noted[0]["time"] != nil)
    #expect(try !String(contentsOfFile: path, encoding: .utf8).contains(wrong))
    #expect(try mode(path) == 0o600)
  }

  @Test("a request for a book that is not open is logged, without the pass or the book")
  func closedBooks() throws {
    let folder = try SampleFolder()
    let path = folder.root.appendingPathComponent("audit").path
    let server = try ServingThread(folder) {
      $0.keys.library = "the-key-of-the-library"
      $0.log.audit = path
    }
    for path in ["/b/some-book/p/0/screen?pass=guess", "/ledges/some-shelf.svg"] {
      #expect(try server.ask(path).status == 403)
    }
    server.stop()
    #expect(server.ends(within: 20))
    let noted = try lines(path)
    #expect(noted.map { $0["cause"] } == ["book not open", "book not open"])
    #expect(noted.map { $0["repeats"] } == [nil, "1"])
    #expect(noted.first?["address"] == "127.0.0.1")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(!text.contains("guess") && !text.contains("some-book"))
  }

  @Test("each action of a host is logged as one machine-readable line")
  func hosts() throws {
    let captured = try CapturedLog()
    let audit = Audit(log: captured.log)
    let member = MemberID(3)
    for act in [
      .share, .settings, .renewLinks, .end, .remove(MemberID(9)), .grant(MemberID(9), .present),
      .record(true), .record(false), .play("20261122-secret"), .bring,
    ] as [HostAct] {
      audit.note(act, room: "R\"\n", by: member, from: "::1")
    }
    let noted = captured.lines(of: "host.acted")
    #expect(
      noted.map { $0["act"] } == [
        "share", "settings", "renew links", "end", "remove", "grant", "begin recording",
        "end recording", "play recording", "bring",
      ]
    )
    #expect(noted.allSatisfy { $0["room"] == "R\"\n" && $0["member"] == "3" })
    #expect(noted[5]["guest"] == "9" && noted[5]["grant"] == "present" && noted[0]["guest"] == nil)
    #expect(!captured.text.contains("secret"))
  }

  @Test("repeated rejections of the same address are one line per period")
  func repeatedRefusals() throws {
    let captured = try CapturedLog()
    let audit = Audit(log: captured.log)
    for _ in 0..<5 { audit.noteRefusal("wrong key", to: "::1") }
    audit.noteRefusal("wrong key", to: "::2")
    audit.noteRefusal("connections", to: "::1")
    #expect(captured.lines(of: "access.refused").count == 3)
    captured.writer.finish()
    let rest = captured.lines(of: "access.refused").filter { $0["repeats"] != nil }
    #expect(rest.map { $0["repeats"] } == ["4"] && rest[0]["address"] == "::1")
  }
}

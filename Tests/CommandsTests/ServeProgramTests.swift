import FabricNATS
import Foundation
import HeadlessReader
import Motion
import Recording
import Scene
import Telemetry
import Testing
import WebServer
import Wire

@testable import Clustering
@testable import Commands
@testable import Server

@Suite("lectern serve", .timeLimit(.minutes(10)))
struct ServeProgramTests {
  @Test(
    "a bad option gives one line and exit code 2",
    arguments: [
      ["serve", "--port", "70000"], ["serve", "--port", "http"], ["serve", "--port"],
      ["serve", "--prot", "80"], ["serve", "--log-level", "loud"],
      ["serve", "--max-connections", "15"], ["serve", "--max-per-address", "0"],
      ["serve", "--max-connections=100", "--max-per-address=101"], ["serve", "--backlog", "65536"],
      ["serve", "--log-format=xml"], ["serve", "extra"], ["serve", "--data", "--open-library"],
      ["serve", "--port", "1", "--port", "2"], ["serve", "--nats", ""], ["serve", "--data="],
      ["import", "--data", "D", "--"], ["help", "sing"], ["replay"], ["sing"], [],
    ]
  )
  func badOptions(words: [String]) throws {
    let (code, output) = try run(lecternProgram, words)
    #expect(code == 2)
    #expect(output.hasPrefix("lectern: "))
    #expect(output.filter { $0 == "\n" }.count == 1)
  }

  @Test(
    "a missing or unusable resource gives one line and exit code 1",
    arguments: [
      ["--library", "/nowhere"], ["--web", "/nowhere"], ["--record", "/nowhere/log"],
      ["--listen", "999.0.0.1"], ["--data", "/proc/nowhere"],
    ]
  )
  func badWorld(words: [String]) throws {
    let folder = try SampleFolder()
    var all = ["serve", "--port", "0"] + words
    if !words.contains("--web") { all += ["--web", folder.web] }
    if !words.contains("--library") { all += ["--library", folder.library] }
    if !words.contains("--data") { all += ["--data", folder.data] }
    let (code, output) = try run(lecternProgram, all)
    #expect(code == 1)
    let reasons = output.split(separator: "\n").filter {
      $0.hasPrefix("lectern: ") || $0.contains(" error server.failed: ")
    }
    #expect(reasons.count == 1 && reasons == output.split(separator: "\n").suffix(1), "\(output)")
  }

  @Test("a tls:// address is encrypted, with the certificates of the system or the given ones")
  func encrypted() throws {
    let folder = try SampleFolder()
    func tls(_ address: String, _ more: String...) throws -> NATSOptions.TLS? {
      var cluster: ClusterOptions?
      let words = ["--web", folder.web, "--store", "/nowhere", "--nats", address] + more
      _ = try ServeCommand.options(words, environment: [:], cluster: &cluster)
      return try #require(cluster).nats.tls
    }
    #expect(try tls("nats://127.0.0.1:1") == nil)
    #expect(try tls("tls://127.0.0.1:1") == NATSOptions.TLS())
    #expect(try tls("nats://127.0.0.1:1, TLS://127.0.0.1:2") == NATSOptions.TLS())
    #expect(try tls("tls://127.0.0.1:1", "--nats-ca", "CA")?.authorities == "CA")
  }

  @Test("options are parsed as they are written")
  func options() throws {
    let folder = try SampleFolder()
    let options = try ServeCommand.options([
      "--port=0", "--listen", "::1", "--library", "L", "--data", "D", "--record", "R",
      "--web", folder.web, "--log-format", "json", "--log-level=warning",
      "--max-connections", "20000", "--max-per-address=1000", "--backlog", "4096", "--no-io-uring",
    ])
    var expected = ReadingServer.Options(library: "L", web: folder.web)
    expected.network.port = 0
    expected.network.listen = "::1"
    expected.connections.total = 20_000
    expected.connections.perAddress = 1000
    expected.connections.backlog = 4096
    expected.connections.usesRing = false
    expected.storage.data = "D"
    expected.record = "R"
    expected.stopsOnSignals = true
    expected.threads = min(ProcessInfo.processInfo.activeProcessorCount, 64)
    expected.log.format = .json
    expected.log.level = .warning
    #expect(options == expected)
    let defaults = try ServeCommand.options(["--web", folder.web])
    #expect(defaults.connections == .init())
    let small = try ServeCommand.options(["--web", folder.web, "--max-connections", "100"])
    #expect(small.connections.total == 100 && small.connections.perAddress == 75)
    #expect(defaults.network.port == 8080 && defaults.library == folder.web + "/library")
  }

  @Test("the client of NATS is not mapped without the option")
  func noClient() throws {
    let folder = try SampleFolder()
    let server = try ServingProcess(folder)
    let maps = try withExtendedLifetime((folder, server)) {
      let path = "/proc/\(server.process.processIdentifier)/maps"
      // The size of such a file is not known before it is read.
      let file = try FileHandle(forReadingFrom: URL(filePath: path))
      return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    }
    #expect(maps.contains("libwebsockets") && !maps.contains("libnats"))
  }

  @Test("health, page, pictures and ledges are served, and missing paths are 404")
  func http() throws {
    let folder = try SampleFolder()
    let server = try ServingThread(folder)
    let reader = try server.reader("R")
    let health = try server.ask("/healthz", isForAdmin: true)
    #expect(health.status == 200)
    let facts = try #require(
      try JSONSerialization.jsonObject(with: Data(health.body.utf8)) as? [String: Any]
    )
    #expect(facts["status"] as? String == "ok")
    #expect(facts["rooms"] as? Int == 1 && facts["members"] as? Int == 1)
    #expect((facts["messagesSent"] as? Int ?? 0) > 0)
    let latency = try #require(facts["inputToFrameMilliseconds"] as? [String: Any])
    #expect(Set(latency.keys) == ["p50", "p99", "count"])
    let shelf = try #require(facts["library"] as? [String: Any])
    #expect(shelf["books"] as? Int == 4 && shelf["waiting"] as? Int == 0)
    #expect(shelf.keys.contains("scanSeconds"))
    #expect(try server.ask("/api/imports").body == "{\"done\":0,\"total\":0}\n")
    #expect(try server.ask("/").body == "<!doctype html>")
    #expect(!reader.elements.isEmpty)
    for element in reader.elements.values {
      let image = try server.ask(element.imageURL)
      #expect(image.status == 200 && image.body.contains("<svg"), "\(element.imageURL)")
    }
    let books = try JSONDecoder().decode(
      [ListedBook].self,
      from: Data(try server.ask("/api/books").body.utf8)
    )
    #expect(books.map(\.pages) == [12, 3, 1, 40])
    let id = try #require(books.first).id
    #expect(try server.ask("/b/\(id)/p/11/screen").body.contains("<svg"))
    let missing = [
      "/b/\(id)/p/12/screen", "/b/\(id)/p/-1/screen", "/b/\(id)/p/0/huge", "/b/nobody/p/0/screen",
      "/ledges/nothing.svg", "/api/books/nobody", "/api/nothing", "/nothing",
    ]
    for path in missing {
      #expect(try server.ask(path).status == 404, "\(path)")
    }
    let put = try server.ask("/api/books/\(id)", .put)
    #expect(put.status == 405 && put.field("allow") == "GET, HEAD, PATCH, DELETE")
  }

  @Test("SIGTERM says goodbye to every member with 1001 and exits with 0, recording or not")
  func signal() throws {
    let folder = try SampleFolder()
    for record in [[], ["--record", folder.root.path + "/log"]] {
      let program = try ServingProcess(folder, record)
      let reader = try HeadlessReader(port: program.port)
      reader.press(.enter)
      try reader.waitUntilSettled()
      program.process.terminate()
      #expect(try reader.waitForClose().code == 1001)
      program.process.waitUntilExit()
      #expect(program.process.terminationStatus == 0)
      #expect(program.process.terminationReason == .exit)
    }
  }

  @Test("a replayed recording gives the frames that were sent")
  func replay() throws {
    let folder = try SampleFolder()
    let log = folder.root.appendingPathComponent("log.ndjson")
    let server = try ServingThread(folder, record: log.path)
    let reader = try server.reader("TAPE")
    try reader.openFirstBook()
    reader.drag(from: Point(x: 300, y: 0), to: Point(x: 100, y: 0))
    try reader.waitForFrame { $0.frame.number > 5 }
    reader.tap(at: Point(x: 300, y: 0))
    reader.wheel(dy: 10, ctrl: true)
    try reader.waitUntilSettled()
    reader.close()
    server.stop()
    #expect(server.ends(within: 5))
    try expectReplay(of: LogReader.recording(of: Data(contentsOf: log)), asSeenBy: reader)
  }

  @Test("a replayed recording with bookmarks from an earlier run gives the frames that were sent")
  func replayWithPlaces() throws {
    let folder = try SampleFolder()
    let data = folder.root.path + "/data"
    let log = folder.root.appendingPathComponent("log.ndjson")
    for run in 0..<2 {
      let server = try ServingThread(folder, record: run == 1 ? log.path : nil, data: data)
      let reader = try server.reader("TAPE")
      try reader.openFirstBook()
      reader.press(run == 0 ? .end : .arrowLeft)
      try reader.waitUntilSettled()
      reader.close()
      server.stop()
      #expect(server.ends(within: 5))
      guard run == 1 else { continue }
      let recording = try LogReader.recording(of: Data(contentsOf: log))
      let id = try #require(recording.header.library.collections.first?.books.first).id
      #expect(!id.isEmpty)
      #expect(recording.lines.first?.event == .opened(bookmarks: [Bookmark(book: id, spread: 5)]))
      try expectReplay(of: recording, asSeenBy: reader)
    }
  }

  private func expectReplay(
    of recording: LogReader.Recording,
    asSeenBy reader: HeadlessReader
  ) throws {
    var lines: [String] = []
    ReplayCommand.frames(of: recording) { lines.append($0) }
    #expect(lines.count == reader.frames.count)
    for (line, received) in zip(lines, reader.frames) {
      let shown = try JSONDecoder().decode(FrameFields.self, from: Data(line.utf8))
      #expect(shown.t == received.frame.time)
      #expect(shown.settled == received.frame.isSettled)
      #expect(shown.screen == "\(received.frame.screen)")
      #expect(matrices(shown.elements) == matrices(received.frame, reader))
    }
  }

  /// The fields of a line that are compared.
  ///
  /// `JSONSerialization` would lose the last bit of numbers.
  private struct FrameFields: Decodable {
    struct Element: Decodable {
      let kind: String
      let index: Int
      let part: Int?
      let matrix: [Double]
    }

    let t: Double
    let settled: Bool
    let screen: String
    let elements: [Element]
  }

  private func matrices(_ elements: [FrameFields.Element]) -> [String: [Float]] {
    var found: [String: [Float]] = [:]
    for element in elements {
      let m = element.matrix
      // Lines are not rounded, and messages are.
      // swift-format-ignore
      let sent = WireMatrix(Transform3D(
        m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7],
        m[8], m[9], m[10], m[11], m[12], m[13], m[14], m[15]))
      found["\(element.kind) \(element.index) \(element.part ?? 0)"] = (0..<16).map { sent[$0] }
    }
    return found
  }

  private func matrices(_ frame: DecodedFrame, _ reader: HeadlessReader) -> [String: [Float]] {
    var found: [String: [Float]] = [:]
    for shown in frame.shown {
      guard let element = reader.elements[shown.id] else { continue }
      let name = "\(element.kind) \(element.index) \(shown.part.rawValue)"
      found[name] = (0..<16).map { shown.matrix[$0] }
    }
    return found
  }

  @Test("bookmarks are stored between runs with the same data folder")
  func bookmarks() throws {
    let folder = try SampleFolder()
    let data = folder.root.path + "/data"
    var left: [String]?
    for run in 0..<2 {
      let server = try ServingThread(folder, data: data)
      let reader = try server.reader("KEPT")
      try reader.openFirstBook()
      if run == 0 {
        reader.press(.end)
        try reader.waitUntilSettled()
        left = shown(reader)
      } else {
        #expect(shown(reader)?.contains("page 11") == true)
        #expect(shown(reader) == left)
      }
      server.stop()
      #expect(server.ends(within: 5))
    }
  }

  @Test("a book left 0.2 s before the server is killed opens where it was left")
  func crash() throws {
    let folder = try SampleFolder()
    let data = folder.root.path + "/data"
    let program = try ServingProcess(folder, ["--data", data])
    let reader = try HeadlessReader(port: program.port, reader: .secret(of: "KEPT"))
    try reader.openFirstBook()
    reader.press(.end)
    try reader.waitUntilSettled()
    usleep(200_000)
    kill(program.process.processIdentifier, SIGKILL)
    program.process.waitUntilExit()
    #expect(program.process.terminationReason == .uncaughtSignal)

    let server = try ServingThread(folder, data: data)
    let again = try server.reader("KEPT")
    try again.openFirstBook()
    #expect(shown(again)?.contains("page 11") == true)
  }

  @Test("a shared room survives if the server is killed after a change of its settings")
  func sharedRoomAfterCrash() throws {
    let folder = try SampleFolder()
    let data = folder.root.path + "/data"
    let program = try ServingProcess(folder, ["--data", data])
    let host = try HeadlessReader(port: program.port)
    try host.openFirstBook()
    host.send(.share)
    host.send(.settings(RoomSettings(policy: .passTheBook)))
    try host.exchangeClock()
    try host.exchangeClock()
    let links = try #require(host.links)
    usleep(300_000)
    kill(program.process.processIdentifier, SIGKILL)
    program.process.waitUntilExit()

    let server = try ServingThread(folder, data: data)
    let guest = try HeadlessReader(port: server.port, room: host.room, key: links.follow)
    #expect(guest.roomState?.settings.policy == .passTheBook)
    let again = try HeadlessReader(port: server.port, reader: host.reader)
    #expect(again.room == host.room && again.role.rights.contains(.isHost))
  }

  private func shown(_ reader: HeadlessReader) -> [String]? {
    reader.latest?.shown.compactMap { reader.elements[$0.id] }.map { "\($0.kind) \($0.index)" }
      .sorted()
  }
}

/// A book in the list of books.
private struct ListedBook: Decodable {
  var id: String
  var pages: Int
}

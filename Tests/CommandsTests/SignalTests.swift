import Foundation
import HeadlessReader
import Testing

@testable import Commands
@testable import Server

@Suite("Signals to lectern serve", .timeLimit(.minutes(5)))
struct SignalTests {
  private let folder: SampleFolder
  private let log: URL

  init() throws {
    folder = try SampleFolder(books: [[2]])
    log = folder.root.appendingPathComponent("log")
    try Data().write(to: log)
  }

  private var lines: [Substring] {
    get throws { try String(contentsOf: log, encoding: .utf8).split(separator: "\n") }
  }

  /// Waits until the log has a line with this text.
  private func wait(for text: String) throws -> Bool {
    let end = Date(timeIntervalSinceNow: 60)
    while Date() < end {
      if try lines.contains(where: { $0.contains(text) }) { return true }
      usleep(20_000)
    }
    return false
  }

  @Test("SIGTERM ends a start that waits for a store, with exit code 0 and a line in the log")
  func early() throws {
    let silence = try TestListener()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: lecternProgram)
    process.arguments = [
      "serve", "--port", "0", "--library", folder.library, "--web", folder.web,
      "--data", folder.data,
      "--store", "s3://bucket?endpoint=http://127.0.0.1:\(silence.port)",
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: log)
    try process.run()
    // The server has connected, so the start waits for the answer.
    _ = silence.connection()
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0 && process.terminationReason == .exit)
    let last = try #require(try lines.last)
    #expect(last.contains("server.stopped: ") && last.contains(#"cause="SIGTERM""#), "\(last)")
  }

  @Test("a signal to all processes of the server ends them without a warning")
  func group() throws {
    let pdf = folder.library + "/Shelf 0/Book.pdf"
    try Data(Self.pdf.utf8).write(to: URL(fileURLWithPath: pdf))
    let server = try ServingProcess(folder, errors: try FileHandle(forWritingTo: log))
    #expect(try wait(for: "import.finished"))
    // Foundation gives each process that it starts a group of its own.
    #expect(kill(-server.process.processIdentifier, SIGTERM) == 0)
    server.process.waitUntilExit()
    #expect(server.process.terminationStatus == 0)
    let levels = try lines.map { $0.split(separator: " ").dropFirst().first ?? "" }
    let all = try lines
    #expect(Set(levels) == ["info"], "\(all)")
    #expect(try lines.filter { $0.contains(" server.stopping: ") }.count == 1)
    let last = try #require(try lines.last)
    #expect(last.contains(" server.stopped: ") && last.contains(" uptime="), "\(last)")
  }

  @Test("SIGHUP requests a scan, and signals without a meaning end nothing")
  func scan() throws {
    let server = try ServingProcess(folder, errors: try FileHandle(forWritingTo: log))
    for signal in [SIGUSR1, SIGUSR2, SIGHUP] {
      #expect(kill(server.process.processIdentifier, signal) == 0)
    }
    #expect(try wait(for: " scan.requested: ") && server.process.isRunning)
  }

  @Test("SIGHUP lets the server read its keys again; readers in rooms stay")
  func newKeys() throws {
    let file = folder.root.appendingPathComponent("key")
    let (old, new) = ("the-first-key-of-all", "the-second-key-of-all")
    try Data(old.utf8).write(to: file)
    let server = try ServingProcess(
      folder,
      ["--library-key-file", file.path, "--threads", "2"],
      errors: try FileHandle(forWritingTo: log)
    )
    let reader = try HeadlessReader(port: server.port, key: old)
    // A file without a key changes nothing.
    try Data().write(to: file)
    kill(server.process.processIdentifier, SIGHUP)
    #expect(try wait(for: " keys.failed: "))
    _ = try HeadlessReader(port: server.port, key: old)

    try Data(new.utf8).write(to: file)
    kill(server.process.processIdentifier, SIGHUP)
    #expect(try wait(for: " keys.read: "))
    // Each connection may reach another thread.
    for _ in 0..<6 {
      #expect(try server.ask("/api/books", key: old).status == 401)
      #expect(try server.ask("/api/books", key: new).status == 200)
    }
    #expect(throws: (any Error).self) { try HeadlessReader(port: server.port, key: old) }
    _ = try HeadlessReader(port: server.port, key: new)
    try reader.exchangeClock()
  }

  /// A PDF of one empty page, for which the server starts a press.
  private static let pdf = """
    %PDF-1.4
    1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
    2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
    3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]>>endobj
    trailer<</Root 1 0 R>>

    """
}

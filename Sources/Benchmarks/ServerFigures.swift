internal import Dispatch
internal import Foundation
internal import FoundationNetworking
internal import HeadlessReader
internal import Motion
internal import Scene
internal import Server
internal import Synchronization

/// Measures a whole server over a real socket on this machine.
enum ServerFigures {
  private static let messages = 2000
  private static let restSeconds = 10.0

  static func report() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("lectern-bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeBook(in: folder.appendingPathComponent("Shelf/Book"), pages: 100)
    let server = try RunningServer(library: folder.path)
    defer { server.stop() }
    let presenter = try HeadlessReader(port: server.port, key: RunningServer.key)
    let follower = try HeadlessReader(
      port: server.port,
      room: presenter.room,
      key: RunningServer.key
    )
    for _ in 0..<2 {
      presenter.press(.enter)
      try presenter.waitUntilSettled()
    }
    let before = try server.health().count
    try drive(presenter)
    let health = try server.health()
    Table.row(
      "input received -> frame written, stamped inside the server, p99",
      asked: "<= 2 ms",
      "\(Table.number(health.p99, 3)) ms (p50 \(Table.number(health.p50, 3)) ms, "
        + "\(health.count - before) messages, 2 members)"
    )
    try presenter.waitUntilSettled()
    try follower.waitUntilSettled()
    let sent = try server.health().messagesSent
    try follower.collect(for: restSeconds)
    Table.row(
      "messages sent in \(Int(restSeconds)) s at rest",
      asked: "0",
      "\(try server.health().messagesSent - sent)"
    )
  }

  /// Drags back and forth at 240 messages a second.
  private static func drive(_ reader: HeadlessReader) throws {
    reader.finger(.down, at: Point(x: 400, y: 0))
    for step in 0..<messages {
      let way = Double(step % 200) / 100
      let x = 400 - 800 * (way < 1 ? way : 2 - way)
      reader.finger(.move, at: Point(x: x, y: 0), target: reader.serverNow + 1.0 / 60)
      try reader.collect(for: 1.0 / 240)
    }
    reader.finger(.up, at: Point(x: 400, y: 0))
    try reader.exchangeClock()
  }

  private static func makeBook(in folder: URL, pages: Int) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let svg = Data(#"<svg xmlns="http://www.w3.org/2000/svg" width="362" height="568"/>"#.utf8)
    for page in 0..<pages { try svg.write(to: folder.appendingPathComponent("\(page).svg")) }
  }
}

/// A server on a separate thread.
private final class RunningServer: Sendable {
  struct Health: Decodable {
    struct Latency: Decodable { var p50, p99: Double, count: Int }
    var messagesSent: Int
    var inputToFrameMilliseconds: Latency
    var p50: Double { inputToFrameMilliseconds.p50 }
    var p99: Double { inputToFrameMilliseconds.p99 }
    var count: Int { inputToFrameMilliseconds.count }
  }

  /// The key of the library, whose holders may join any room.
  static let key = "the-key-of-the-library"

  let port: Int
  let adminPort: Int
  let stop: @Sendable () -> Void

  init(library: String) throws {
    final class Start: Sendable {
      let result = Mutex<Result<(Int, Int, @Sendable () -> Void), StartError>?>(nil)
      let isReady = DispatchSemaphore(value: 0)
    }
    let start = Start()
    Thread.detachNewThread {
      do throws(StartError) {
        var options = ReadingServer.Options(library: library, web: "")
        options.network.port = 0
        options.keys.library = Self.key
        options.network.adminListen = Endpoint("127.0.0.1:0")
        let server = try ReadingServer(options: options)
        let running = (server.port, server.adminPort ?? 0, server.stop)
        start.result.withLock { $0 = .success(running) }
        start.isReady.signal()
        server.run()
      } catch {
        start.result.withLock { $0 = .failure(error) }
        start.isReady.signal()
      }
    }
    start.isReady.wait()
    guard let result = start.result.withLock({ $0 }) else { throw CancellationError() }
    (port, adminPort, stop) = try result.get()
  }

  func health() throws -> Health {
    guard let url = URL(string: "http://127.0.0.1:\(adminPort)/healthz") else {
      throw CancellationError()
    }
    return try JSONDecoder().decode(Health.self, from: Data(contentsOf: url))
  }
}

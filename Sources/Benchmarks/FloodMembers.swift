internal import Foundation
internal import HeadlessReader
internal import Motion
internal import Scene
internal import Server
internal import Wire

/// A member that sends one kind of message, in a room of its own with a book open.
struct FloodMember: Sendable {
  let port: Int
  let room: String
  /// The secret of the reader who owns the room.
  let reader: String
  let kind: FloodKind

  /// Floods over one connection.
  func visit(_ flood: Flood) {
    let connection = ClientConnection(to: ClientConnection.Target(port: port))
    defer { connection.close() }
    let window = Viewport(size: Size(width: 1024, height: 768))
    let hello = Hello(room: room, reader: reader, viewport: window)
    connection.send(ClientMessage.hello(hello).encoded())
    var session = Session()
    while session.frames == 0 {
      guard let event = connection.receive(timeout: 5), session.handle(event) else { return }
    }
    for _ in 0..<2 { connection.send(ClientMessage.key(.enter).encoded(role: session.role)) }
    flood.pace { turns in
      for turn in turns { connection.send(kind.message(turn, session.role, session.member)) }
      return true
    } isClosed: {
      while let event = connection.receive(timeout: 0) {
        guard session.handle(event) else { return true }
      }
      return false
    }
  }

  /// The values that its messages must contain.
  private struct Session {
    var role: UInt16 = 0
    var member: UInt32 = 0
    /// The number of snapshots that have arrived.
    var frames = 0

    /// Handles an event.
    /// - Returns: Whether the connection is open.
    mutating func handle(_ event: ClientConnection.Event) -> Bool {
      guard case .message(let bytes, _) = event else {
        if case .opened = event { return true }
        return false
      }
      switch bytes.first {
      case 0x83: frames += 1
      case 0x81, 0x8b:
        guard let message = try? ServerMessage(decoding: bytes) else { return true }
        if case .role(let new) = message { role = new.number }
        if case .welcome(let welcome) = message { member = welcome.memberID }
      default: break
      }
      return true
    }
  }
}

/// A reader that turns a leaf back and forth and times each answer.
final class OtherMember {
  /// The time that counts for an answer that does not arrive, in seconds.
  private static let patience = 1.0

  private let reader: HeadlessReader
  private var step = 0

  init(port: Int) throws {
    reader = try HeadlessReader(port: port, room: "")
    for _ in 0..<2 {
      reader.press(.enter)
      try reader.waitUntilSettled()
    }
    // Far enough that the finger has taken the leaf before the first answer is timed.
    reader.finger(.down, at: Point(x: 400, y: 0))
    for x in [350.0, 300] { reader.finger(.move, at: Point(x: x, y: 0)) }
    try reader.exchangeClock()
  }

  /// Returns the times from a move of the finger to the frame that shows it, in seconds.
  func answers(for seconds: Double, moves: Double) throws -> [Double] {
    let end = Date().addingTimeInterval(seconds)
    var times: [Double] = []
    while Date() < end {
      step += 1
      let way = Double(step % 200) / 100
      let x = 400 - 700 * (way < 1 ? way : 2 - way)
      let before = reader.latest?.number ?? 0
      let sent = Double(DispatchTime.now().uptimeNanoseconds) / 1e9
      reader.finger(.move, at: Point(x: x, y: 0), target: reader.serverNow + 1.0 / 60)
      // A lost connection is reported below, where the reader reads again.
      let frame = try? reader.waitForFrame(timeout: Self.patience) { $0.frame.number > before }
      times.append(frame.map { $0.receivedAt - sent } ?? Self.patience)
      try reader.collect(for: max(0, 1 / moves - times[times.count - 1]))
    }
    return times
  }
}

/// A library of many small books, and a process that serves it.
enum FloodLibrary {
  static func make(in folder: URL, books: Int) throws {
    for book in 0..<books {
      let place = folder.appendingPathComponent("Shelf \(book % 4)/Book \(book) of a long series")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      for page in 0..<4 {
        // All books must differ, because identical books would be treated as one.
        let size = #"width="362" height="568""#
        let svg =
          #"<svg xmlns="http://www.w3.org/2000/svg" \#(size)><!-- \#(book) \#(page) --></svg>"#
        try Data(svg.utf8).write(to: place.appendingPathComponent("\(page).svg"))
      }
    }
  }

  /// Prints the port and serves until it is stopped.
  /// - Parameters:
  ///   - folder: The folder of books.
  ///   - web: The folder of the page's files; empty for none.
  ///   - threads: The number of service threads.
  /// - Throws: An error if the server does not start.
  static func serve(_ folder: String, web: String = "", threads: Int = 1) throws {
    var options = ReadingServer.Options(library: folder, web: web)
    options.network.port = 0
    options.connections.total = 12_000
    options.stopsOnSignals = true
    options.threads = threads
    let server = try ReadingServer(options: options)
    print(server.port)
    fflush(nil)
    server.run()
  }

  private struct Book: Decodable { var id, state: String }

  /// Waits until all books are imported.
  /// - Returns: Their ids.
  static func settle(port: Int, books: Int, within seconds: Double) throws -> [String] {
    guard let base = URL(string: "http://127.0.0.1:\(port)") else {
      throw CocoaError(.fileNoSuchFile)
    }
    let end = Date().addingTimeInterval(seconds)
    while true {
      let data = try Data(contentsOf: base.appendingPathComponent("api/books"))
      let ready = try JSONDecoder().decode([Book].self, from: data).filter { $0.state == "ready" }
      if ready.count >= books { return ready.map(\.id) }
      guard Date() < end else { throw CocoaError(.fileReadUnknown) }
      usleep(500_000)
    }
  }
}

internal import Foundation
internal import HeadlessReader
internal import Motion
internal import Scene
internal import Synchronization
internal import Wire

/// A server of its own process with a library of one book, and shared rooms in which it is open.
final class SharedRoom {
  /// A room, as its owner knows it.
  private struct Room {
    let name: String
    let owner: String
    let secret: String
  }

  /// The address of a large picture.
  static let picture = "/large.png"

  let server: MeasuredProcess
  let port: Int
  let folder: URL
  private let rooms: [Room]

  /// Starts a server on a processor.
  /// - Parameters:
  ///   - processor: The only processor that it may run on; nil for all.
  ///   - count: The number of rooms.
  ///   - pictureBytes: The size of the large picture that it serves.
  ///   - threads: The number of its service threads.
  /// - Throws: An error if the server does not start or the rooms cannot be opened.
  init(
    on processor: Int32?,
    rooms count: Int = 1,
    pictureBytes: Int = 0,
    threads: Int = 1
  ) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("lectern-bench-\(UUID().uuidString)")
    let book = folder.appendingPathComponent("Library/Shelf/Book")
    try FileManager.default.createDirectory(at: book, withIntermediateDirectories: true)
    let svg = Data(#"<svg xmlns="http://www.w3.org/2000/svg" width="362" height="568"/>"#.utf8)
    for page in 0..<40 { try svg.write(to: book.appendingPathComponent("\(page).svg")) }
    let (library, web) = (folder.path + "/Library", folder.path + "/Web")
    try FileManager.default.createDirectory(atPath: web, withIntermediateDirectories: true)
    try Data(count: pictureBytes).write(to: URL(fileURLWithPath: web + Self.picture))
    let arguments = ["library", library, web, "\(threads)"]
    server = try MeasuredProcess("/proc/self/exe", arguments, on: processor)
    port = try server.readPort()
    _ = try FloodLibrary.settle(port: port, books: 1, within: 60)
    rooms = try Self.open(count, port: port)
  }

  /// Opens the book in new rooms, all at the same time, because each takes seconds.
  private static func open(_ count: Int, port: Int) throws -> [Room] {
    let results = Mutex<[Result<Room, any Error>]>([])
    DispatchQueue.concurrentPerform(iterations: count) { _ in
      let room = Result { try open(port: port) }
      results.withLock { $0.append(room) }
    }
    return try results.withLock { try $0.map { try $0.get() } }
  }

  /// Opens the book in a new room, and shares it.
  private static func open(port: Int) throws -> Room {
    let reader = try HeadlessReader(port: port)
    for _ in 0..<2 {
      reader.press(.enter)
      try reader.waitUntilSettled()
    }
    reader.send(.share)
    let end = Date().addingTimeInterval(5)
    while reader.links == nil, Date() < end { try reader.collect(for: 0.05) }
    defer { reader.close() }
    return Room(name: reader.room, owner: reader.reader, secret: reader.links?.follow ?? "")
  }

  deinit {
    server.stop()
    try? FileManager.default.removeItem(at: folder)
  }

  private static let window = Viewport(size: Size(width: 1024, height: 768))

  /// The hellos of members that follow, one for each room.
  var followerHellos: [Hello] {
    rooms.map { Hello(room: $0.name, key: $0.secret, viewport: Self.window) }
  }

  /// Adds a presenter that drags a leaf without end.
  func dragger() throws -> Actor { try dragger(in: rooms[0], hz: 60) }

  /// Adds a presenter to each room, which drags a leaf without end.
  func draggers(hz: Double) throws -> [Actor] { try rooms.map { try dragger(in: $0, hz: hz) } }

  /// Adds a presenter that turns pages without end.
  func turner(every seconds: Double) throws -> Actor {
    try presenter(in: rooms[0], .press(.arrowRight, .arrowLeft), hz: 1 / seconds)
  }

  private func dragger(in room: Room, hz: Double) throws -> Actor {
    try presenter(in: room, .drag(from: 860, to: 200, y: 400), hz: hz)
  }

  /// Adds the owner of a room, which presents.
  private func presenter(in room: Room, _ action: Actor.Action, hz: Double) throws -> Actor {
    let hello = Hello(room: room.name, reader: room.owner, viewport: Self.window)
    return try Actor(port: port, hello: hello, action: action, hz: hz)
  }
}

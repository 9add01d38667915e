internal import Foundation
internal import Geometry
internal import HeadlessReader
internal import Scene
internal import Wire

/// A server of its own process with a library of one book, and a shared room in which it is open.
final class SharedRoom {
  let server: MeasuredProcess
  let port: Int
  let folder: URL
  private let room: String
  private let owner: String
  private let secret: String

  /// Starts a server on a processor.
  init(on processor: Int32?, options: [String] = []) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("lectern-bench-\(UUID().uuidString)")
    let book = folder.appendingPathComponent("Shelf/Book")
    try FileManager.default.createDirectory(at: book, withIntermediateDirectories: true)
    let svg = Data(#"<svg xmlns="http://www.w3.org/2000/svg" width="362" height="568"/>"#.utf8)
    for page in 0..<40 { try svg.write(to: book.appendingPathComponent("\(page).svg")) }
    let arguments = ["library", folder.path] + options
    server = try MeasuredProcess("/proc/self/exe", arguments, on: processor)
    port = try server.readPort()
    _ = try FloodLibrary.settle(port: port, books: 1, within: 60)
    let reader = try HeadlessReader(port: port)
    for _ in 0..<2 {
      reader.press(.enter)
      try reader.waitUntilSettled()
    }
    reader.send(.share)
    let end = Date().addingTimeInterval(5)
    while reader.links == nil, Date() < end { try reader.collect(for: 0.05) }
    (room, owner, secret) = (reader.room, reader.reader, reader.links?.follow ?? "")
    reader.close()
  }

  deinit {
    server.stop()
    try? FileManager.default.removeItem(at: folder)
  }

  private static let window = Viewport(size: Size(width: 1024, height: 768))

  /// The hello of the room's owner, who presents.
  var presenterHello: Hello { Hello(room: room, reader: owner, viewport: Self.window) }

  /// The hello of a member that follows.
  var followerHello: Hello { Hello(room: room, key: secret, viewport: Self.window) }

  /// Adds a presenter that drags a leaf without end.
  func dragger() throws -> Actor {
    try Actor(port: port, hello: presenterHello, deed: .drag(from: 860, to: 200, y: 400), hz: 60)
  }

  /// Adds a presenter that turns pages without end.
  func turner(every seconds: Double) throws -> Actor {
    let deed = Actor.Deed.press(.arrowRight, .arrowLeft)
    return try Actor(port: port, hello: presenterHello, deed: deed, hz: 1 / seconds)
  }
}

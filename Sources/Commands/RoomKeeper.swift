internal import Dispatch
internal import Foundation
internal import Library
internal import Rooms
internal import Scene
internal import WebServer

/// Keeps shared rooms in the library, off the service thread.
struct RoomKeeper: Sendable {
  private let library: BookLibrary
  private let queue = DispatchQueue(label: "lectern.rooms")

  init(library: BookLibrary) { self.library = library }

  /// The rooms that were kept; none before the first run.
  func load() -> [RoomRecord] {
    do {
      return try library.rooms()
    } catch {
      Console.error("lectern: shared rooms are lost, their links open nothing: \(error)")
      return []
    }
  }

  /// Keeps a room, soon.
  func keep(_ record: RoomRecord) {
    queue.async { [library] in
      do { try library.saveRoom(record) } catch {
        Console.error("lectern: room \(record.name) could not be kept: \(error)")
      }
    }
  }

  /// Forgets a room, soon.
  func forget(_ name: String) {
    queue.async { [library] in
      do { try library.forgetRoom(named: name) } catch {
        Console.error("lectern: room \(name) could not be forgotten: \(error)")
      }
    }
  }

  /// Waits until everything is kept.
  func finish() { queue.sync {} }
}

extension RoomEnvironment {
  /// Letters that cannot be taken for one another when read aloud or off a wall.
  private static let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ")

  private static func code() -> String {
    String((0..<6).map { _ in letters[Int.random(in: 0..<letters.count)] })
  }

  /// Names, secrets and the date as a server has them.
  static func ofThisServer(libraryKey: [UInt8]?, adminKey: [UInt8]? = nil) -> RoomEnvironment {
    RoomEnvironment(
      freshName: { RoomName.fresh() },
      secret: { Secrets.fresh() },
      code: { code() },
      digest: { Secrets.digest(of: $0) },
      unixOffset: Date().timeIntervalSince1970 - WebServer.now(),
      libraryKey: libraryKey,
      adminKey: adminKey
    )
  }
}

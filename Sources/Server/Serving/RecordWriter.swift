internal import Clustering
internal import Dispatch
internal import Foundation
internal import Library
internal import Rooms
internal import Scene
internal import Telemetry
internal import WebServer

/// Stores shared rooms in the library, off the service thread.
struct RecordWriter: Sendable {
  private let library: BookLibrary
  private let log: Log
  private let queue = DispatchQueue(label: "lectern.rooms")

  init(library: BookLibrary, log: Log) {
    self.library = library
    self.log = log
  }

  /// Returns the stored rooms; an empty list on the first run.
  func load() -> [RoomRecord] {
    do {
      return try library.rooms()
    } catch {
      log.error(
        .roomFailed,
        "Shared rooms could not be read, and their links open nothing.",
        ["reason": .text("\(error)")]
      )
      return []
    }
  }

  /// Stores a room on the queue.
  func store(_ record: RoomRecord) {
    queue.async { [library, log] in
      do { try library.saveRoom(record) } catch {
        log.error(
          .roomFailed,
          "A shared room could not be stored.",
          ["room": .text(record.name), "reason": .text("\(error)")],
          collapsing: "room.store"
        )
      }
    }
  }

  /// Deletes a room on the queue.
  func forget(_ name: String) {
    queue.async { [library, log] in
      do { try library.forgetRoom(named: name) } catch {
        log.error(
          .roomFailed,
          "A shared room could not be forgotten.",
          ["room": .text(name), "reason": .text("\(error)")],
          collapsing: "room.forget"
        )
      }
    }
  }

  /// Waits until everything is stored.
  func finish() { queue.sync {} }
}

extension Environment {
  /// Letters that are hard to confuse when they are read aloud or from a wall.
  private static let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ")

  private static func code() -> String {
    String((0..<6).map { _ in letters[Int.random(in: 0..<letters.count)] })
  }

  /// Creates an environment with the names, secrets and clock of a real server.
  static func ofThisServer(keys: LibraryKeys) -> Environment {
    Environment(
      freshName: { FreshName.fresh() },
      secret: { Secrets.fresh() },
      code: { code() },
      digest: { Secrets.digest(of: $0) },
      unixOffset: unixOffset(at: WebServer.now()),
      keys: keys
    )
  }

  /// The Unix time minus the time of the rooms' clock, in seconds, as it is now.
  static func unixOffset(at now: Double) -> Double { Date().timeIntervalSince1970 - now }
}

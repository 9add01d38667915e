internal import Dispatch
internal import Foundation
internal import Library
internal import Scene
internal import Synchronization
internal import Telemetry

/// Keeps in the library who has been here and where books were left, off the service thread.
///
/// What comes while the disk is busy is written in one go, and of several places in one book the
/// last.
final class PlaceKeeper: Sendable {
  private struct Waiting {
    var rooms: [ReaderID: String] = [:]
    var places: [ReaderID: [String: BookPlace]] = [:]
    var isEmpty: Bool { rooms.isEmpty && places.isEmpty }
  }

  private let library: BookLibrary
  private let log: Log
  private let queue = DispatchQueue(label: "lectern.places")
  private let waiting = Mutex(Waiting())

  init(library: BookLibrary, log: Log) {
    self.library = library
    self.log = log
  }

  /// Who has been here, with places in books; nobody before the first run.
  func load() -> [ReaderRecord] {
    do {
      return try library.readers()
    } catch {
      log.error(
        .placeFailed,
        "Readers and their places in books could not be read, and start anew.",
        ["reason": .text("\(error)")]
      )
      return []
    }
  }

  /// Keeps where a reader left a book, at once.
  func keep(_ place: BookPlace, of reader: ReaderID) {
    write { $0.places[reader, default: [:]][place.book] = place }
  }

  /// Keeps that a reader is in a room of its own, at once.
  func keep(_ reader: ReaderID, room: String) { write { $0.rooms[reader] = room } }

  private func write(_ note: (inout Waiting) -> Void) {
    let isFirst = waiting.withLock { waiting in
      defer { note(&waiting) }
      return waiting.isEmpty
    }
    guard isFirst else { return }
    queue.async { [self] in
      let all = waiting.withLock { waiting in
        defer { waiting = Waiting() }
        return waiting
      }
      do {
        for (reader, room) in all.rooms { try library.saveReader(reader, room: room) }
        if !all.places.isEmpty {
          try library.savePlaces(all.places.mapValues { Array($0.values) })
        }
      } catch {
        log.error(
          .placeFailed,
          "Places in books could not be kept.",
          ["reason": .text("\(error)")],
          collapsing: "place.keep"
        )
      }
    }
  }

  /// Notes that a book was opened just now.
  func noteReading(_ book: String) {
    let now = Date().timeIntervalSince1970
    queue.async { [library] in
      // A book that has just left the library was not read: there is nothing to be said about it.
      try? library.noteRead(book, at: now)
    }
  }

  /// Waits until everything is kept.
  func finish() { queue.sync {} }
}

internal import Dispatch
internal import Foundation
internal import Library
internal import Scene

/// Keeps in the library where rooms left their books, off the service thread.
struct PlaceKeeper: Sendable {
  private let library: Library
  private let queue = DispatchQueue(label: "lectern.places")

  init(library: Library) { self.library = library }

  /// Where each room left its books; empty before the first run.
  func load() -> [String: [BookPlace]] {
    do {
      return try library.positions()
    } catch {
      Console.error("lectern: places in books start anew: \(error)")
      return [:]
    }
  }

  /// Keeps the places of rooms, soon.
  func keep(_ places: [String: [BookPlace]]) {
    queue.async { [library] in
      do { try library.savePositions(places) } catch {
        Console.error("lectern: places in books could not be kept: \(error)")
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

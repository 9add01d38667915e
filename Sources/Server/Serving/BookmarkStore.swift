internal import Clustering
internal import Dispatch
internal import Foundation
internal import Library
internal import Scene
internal import Synchronization
internal import Telemetry

/// Stores in the library which readers are known and where they left their books, off the service
/// thread.
///
/// Changes that are made while the disk is busy are written together; of several bookmarks in a
/// book, only the last is written.
final class BookmarkStore: Sendable {
  private struct Waiting {
    var rooms: [ReaderID: String] = [:]
    var bookmarks: [ReaderID: [String: Bookmark]] = [:]
    var isEmpty: Bool { rooms.isEmpty && bookmarks.isEmpty }

    /// Returns these changes with those that were made later.
    func replaced(by later: Waiting) -> Waiting {
      Waiting(
        rooms: rooms.merging(later.rooms) { $1 },
        bookmarks: bookmarks.merging(later.bookmarks) { $0.merging($1) { $1 } }
      )
    }
  }

  /// How long it waits before it tries again on a full disk, in seconds.
  private static let pauseSeconds = 5.0

  private let library: BookLibrary
  private let log: Log
  private let queue = DispatchQueue(label: "lectern.bookmarks")
  private let waiting = Mutex(Waiting())

  init(library: BookLibrary, log: Log) {
    self.library = library
    self.log = log
  }

  /// Returns the known readers with their bookmarks; an empty list on the first run.
  func load() -> [ReaderRecord] {
    do {
      return try library.readers()
    } catch {
      log.error(
        .bookmarkFailed,
        "Readers and their bookmarks could not be read; the server starts without them.",
        ["reason": .text("\(error)")]
      )
      return []
    }
  }

  /// Stores where a reader left a book, without delay.
  func store(_ bookmark: Bookmark, of reader: ReaderID) {
    write { $0.bookmarks[reader, default: [:]][bookmark.book] = bookmark }
  }

  /// Stores that a reader is in a room of its own, without delay.
  func store(_ reader: ReaderID, room: String) { write { $0.rooms[reader] = room } }

  private func write(_ note: (inout Waiting) -> Void) {
    let isFirst = waiting.withLock { waiting in
      defer { note(&waiting) }
      return waiting.isEmpty
    }
    guard isFirst else { return }
    queue.async { self.storeWaiting() }
  }

  /// Stores what waits; if the disk is full, tries again later.
  private func storeWaiting() {
    let all = waiting.withLock { waiting in
      defer { waiting = Waiting() }
      return waiting
    }
    do throws(LibraryFault) {
      for (reader, room) in all.rooms { try library.saveReader(reader, room: room) }
      if !all.bookmarks.isEmpty {
        try library.saveBookmarks(all.bookmarks.mapValues { Array($0.values) })
      }
    } catch {
      log.error(
        .bookmarkFailed,
        "Bookmarks could not be stored.",
        ["reason": .text("\(error)")],
        collapsing: "bookmark.store"
      )
      guard case .noRoom = error else { return }
      waiting.withLock { waiting in waiting = all.replaced(by: waiting) }
      queue.asyncAfter(deadline: .now() + Self.pauseSeconds) { [weak self] in self?.storeWaiting() }
    }
  }

  /// Stores that a book was opened just now.
  func noteReading(_ book: String) {
    let now = Date().timeIntervalSince1970
    queue.async { [library] in
      // If the book has just left the library there is nothing to store, so the error is ignored.
      try? library.noteRead(book, at: now)
    }
  }

  /// Waits until everything is stored, as far as the disk has room.
  func finish() { queue.sync { storeWaiting() } }
}

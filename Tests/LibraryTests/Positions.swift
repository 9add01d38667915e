import Foundation
import Library
import Scene

extension ReaderID {
  /// Returns a reader with a name.
  static func named(_ name: String) -> ReaderID { ReaderID(digest: Secrets.digest(of: name)) }
}

extension Bookmark {
  /// The bookmark without its time.
  var untimed: Bookmark { Bookmark(book: book, spread: spread, isFlat: isFlat) }

  /// Returns a bookmark that is left now.
  static func now(book: String, spread: Int, isFlat: Bool = false) -> Bookmark {
    let time = Date().timeIntervalSince1970
    return Bookmark(book: book, spread: spread, isFlat: isFlat, time: time)
  }
}

extension BookLibrary {
  /// Returns where readers left their books, by the names of their own rooms.
  func positions() throws -> [String: [Bookmark]] {
    try readers()
      .reduce(into: [:]) { if !$1.bookmarks.isEmpty { $0[$1.room] = $1.bookmarks.map(\.untimed) } }
  }

  /// Stores where the readers whose own rooms have these names left their books.
  func savePositions(_ positions: [String: [Bookmark]]) throws {
    for (room, bookmarks) in positions {
      try saveReader(.named(room), room: room)
      let left = bookmarks.map { Bookmark.now(book: $0.book, spread: $0.spread, isFlat: $0.isFlat) }
      try saveBookmarks([.named(room): left])
    }
  }
}

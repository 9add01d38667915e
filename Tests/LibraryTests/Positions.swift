import Library
import Scene

extension ReaderID {
  /// Returns a reader with a name.
  static func named(_ name: String) -> ReaderID { ReaderID(digest: Secrets.digest(of: name)) }
}

extension BookLibrary {
  /// Returns where readers left their books, by the names of their own rooms.
  func positions() throws -> [String: [BookPlace]] {
    try readers().reduce(into: [:]) { if !$1.places.isEmpty { $0[$1.room] = $1.places } }
  }

  /// Stores where the readers whose own rooms have these names left their books.
  func savePositions(_ positions: [String: [BookPlace]]) throws {
    for (room, places) in positions {
      try saveReader(.named(room), room: room)
      try savePlaces([.named(room): places])
    }
  }
}

internal import Foundation
package import Scene

// Known readers and their places in books. All of these methods block.
extension BookLibrary {
  /// The maximum number of readers that are stored; those seen last are kept.
  static let readersMax = 10_000
  /// The maximum number of places of one reader; those left last are kept.
  static let readerPlacesMax = 200
  /// How long a reader who does not return is stored, in seconds.
  static let keepReaders = 400.0 * 86_400

  /// Returns the stored readers, each with its places; the place left last comes last.
  package func readers() throws(LibraryFault) -> [ReaderRecord] {
    try reading { (rows) throws(DatabaseError) in try rows.allReaders() }
  }

  /// Records that a reader was in its own room.
  /// - Precondition: The reader's digest has 32 bytes.
  package func saveReader(_ id: ReaderID, room: String) throws(LibraryFault) {
    precondition(id.digest.count == 32, "A reader's digest has 32 bytes")
    let now = Date().timeIntervalSince1970
    try writing { (rows) throws(DatabaseError) in try rows.save(id, room: room, at: now) }
  }

  /// Stores where readers left books; other places stay unchanged.
  ///
  /// - Complexity: O(n) in the number of places passed.
  package func savePlaces(_ places: [ReaderID: [BookPlace]]) throws(LibraryFault) {
    let now = Date().timeIntervalSince1970
    try writing { (rows) throws(DatabaseError) in
      for (id, places) in places {
        for place in places { try rows.save(place, of: id, at: now) }
      }
    }
  }
}

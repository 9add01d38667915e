internal import Foundation
public import Scene

// Readers who are known, and where they left books. All of it blocks.
extension BookLibrary {
  /// How many readers are kept, those who were here last.
  static let readersMax = 10_000
  /// How many books of one reader have places, those that were left last.
  static let readerPlacesMax = 200
  /// How long a reader is kept who does not come back, in seconds.
  static let keepReaders = 400.0 * 86_400

  /// The readers who are kept, each with its places, the one left last at the end.
  public func readers() throws(LibraryFault) -> [ReaderRecord] {
    try reading { (rows) throws(DatabaseError) in try rows.allReaders() }
  }

  /// Keeps that a reader was in a room of its own.
  /// - Precondition: The reader's digest has 32 bytes.
  public func saveReader(_ id: ReaderID, room: String) throws(LibraryFault) {
    precondition(id.digest.count == 32, "A reader's digest has 32 bytes")
    let now = Date().timeIntervalSince1970
    try writing { (rows) throws(DatabaseError) in try rows.save(id, room: room, at: now) }
  }

  /// Keeps where readers left books; what is not named stays as it is.
  ///
  /// Costs as much as there are places named.
  public func savePlaces(_ places: [ReaderID: [BookPlace]]) throws(LibraryFault) {
    let now = Date().timeIntervalSince1970
    try writing { (rows) throws(DatabaseError) in
      for (id, places) in places {
        for place in places { try rows.save(place, of: id, at: now) }
      }
    }
  }
}

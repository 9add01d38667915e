/// The identity of a reader: the digest of a secret that only the reader has.
package struct ReaderID: Hashable, Codable, Sendable {
  /// The SHA-256 digest of the secret, 32 bytes.
  package let digest: [UInt8]

  /// Creates an identity from the digest of its secret.
  package init(digest: [UInt8]) { self.digest = digest }
}

/// The stored data of a reader.
package struct ReaderRecord: Equatable, Codable, Sendable {
  /// The identity.
  package var id: ReaderID
  /// The name of the reader's own room; empty if there is none.
  package var room: String
  /// The places where the reader left books, with the most recent at the end.
  package var places: [BookPlace]
  /// The time when the reader was last seen, in Unix seconds.
  package var lastSeen: Double

  /// Creates a record.
  package init(id: ReaderID, room: String, places: [BookPlace] = [], lastSeen: Double = 0) {
    self.id = id
    self.room = room
    self.places = places
    self.lastSeen = lastSeen
  }
}

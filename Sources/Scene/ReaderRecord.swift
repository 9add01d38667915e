/// The identity of a reader: the digest of a secret that only the reader has.
public struct ReaderID: Hashable, Codable, Sendable {
  /// The SHA-256 digest of the secret, 32 bytes.
  public let digest: [UInt8]

  /// Creates an identity from the digest of its secret.
  public init(digest: [UInt8]) { self.digest = digest }
}

/// The stored data of a reader.
public struct ReaderRecord: Equatable, Codable, Sendable {
  /// The identity.
  public var id: ReaderID
  /// The name of the reader's own room; empty if there is none.
  public var room: String
  /// The places where the reader left books, with the most recent at the end.
  public var places: [BookPlace]
  /// The time when the reader was last seen, in Unix seconds.
  public var lastSeen: Double

  /// Creates a record.
  public init(id: ReaderID, room: String, places: [BookPlace] = [], lastSeen: Double = 0) {
    self.id = id
    self.room = room
    self.places = places
    self.lastSeen = lastSeen
  }
}

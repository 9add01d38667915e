/// A reader as the server knows one: by the digest of a secret that the reader alone keeps.
public struct ReaderID: Hashable, Codable, Sendable {
  /// The SHA-256 digest of the secret, 32 bytes.
  public let digest: [UInt8]

  /// Creates an identity of its secret's digest.
  public init(digest: [UInt8]) { self.digest = digest }
}

/// What is kept of a reader on the disk.
public struct ReaderRecord: Equatable, Codable, Sendable {
  /// Who it is.
  public var id: ReaderID
  /// The name of the reader's own room; empty for none.
  public var room: String
  /// Where the reader left books, the one that was left last at the end.
  public var places: [BookPlace]
  /// When the reader was last here, in seconds of Unix time.
  public var lastSeen: Double

  /// Creates a record.
  public init(id: ReaderID, room: String, places: [BookPlace] = [], lastSeen: Double = 0) {
    self.id = id
    self.room = room
    self.places = places
    self.lastSeen = lastSeen
  }
}

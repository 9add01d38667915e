/// The stored data of a room, with which members can enter it again later.
package struct RoomRecord: Equatable, Codable, Sendable {
  /// A key of the room; the secret itself is not stored.
  package struct Key: Equatable, Codable, Sendable {
    /// The SHA-256 digest of the secret, 32 bytes.
    package var digest: [UInt8]
    /// The rights that the secret grants.
    package var grant: Grant
    /// The time when the key expires, in Unix seconds.
    package var expires: Double

    /// Creates a key from the digest of its secret.
    package init(digest: [UInt8], grant: Grant, expires: Double) {
      self.digest = digest
      self.grant = grant
      self.expires = expires
    }
  }

  /// The room's name, as in the room's address.
  package var name: String
  /// The reader who owns the room.
  package var owner: ReaderID
  /// The settings that hosts chose.
  package var settings: RoomSettings
  /// The id of the book that guests may see.
  package var book: String
  /// The id of the collection that contains the book.
  package var collection: String
  /// The keys that open the room.
  package var keys: [Key]
  /// The time when the room was last used, in Unix seconds.
  package var lastUsed: Double

  /// Creates a record.
  package init(
    name: String,
    owner: ReaderID,
    settings: RoomSettings = RoomSettings(),
    book: String = "",
    collection: String = "",
    keys: [Key] = [],
    lastUsed: Double = 0
  ) {
    self.name = name
    self.owner = owner
    self.settings = settings
    self.book = book
    self.collection = collection
    self.keys = keys
    self.lastUsed = lastUsed
  }
}

/// The stored data of a room, with which members can enter it again later.
public struct RoomRecord: Equatable, Codable, Sendable {
  /// A key of the room; the secret itself is not stored.
  public struct Key: Equatable, Codable, Sendable {
    /// The SHA-256 digest of the secret, 32 bytes.
    public var digest: [UInt8]
    /// The rights that the secret grants.
    public var grant: Grant
    /// The time when the key expires, in Unix seconds.
    public var expires: Double

    /// Creates a key from the digest of its secret.
    public init(digest: [UInt8], grant: Grant, expires: Double) {
      self.digest = digest
      self.grant = grant
      self.expires = expires
    }
  }

  /// The room's name, as in the room's address.
  public var name: String
  /// The reader who owns the room.
  public var owner: ReaderID
  /// The settings that hosts chose.
  public var settings: RoomSettings
  /// The id of the book that guests may see.
  public var book: String
  /// The id of the collection that contains the book.
  public var collection: String
  /// The keys that open the room.
  public var keys: [Key]
  /// The time when the room was last used, in Unix seconds.
  public var lastUsed: Double

  /// Creates a record.
  public init(
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

/// The stored data of a room, so that it can be entered again.
public struct RoomRecord: Equatable, Codable, Sendable {
  /// A key of the room; the secret itself is not stored.
  public struct Key: Equatable, Codable, Sendable {
    /// The SHA-256 digest of the secret, 32 bytes.
    public var digest: [UInt8]
    /// What the secret grants.
    public var grant: Grant
    /// When it expires, in seconds of Unix time.
    public var expires: Double

    /// Creates a key from the digest of its secret.
    public init(digest: [UInt8], grant: Grant, expires: Double) {
      self.digest = digest
      self.grant = grant
      self.expires = expires
    }
  }

  /// The room's name, as in its address.
  public var name: String
  /// The owner of the room.
  public var owner: ReaderID
  /// The settings of its hosts.
  public var settings: RoomSettings
  /// The id of the book that its guests may see.
  public var book: String
  /// The id of the collection that contains the book.
  public var collection: String
  /// Its keys.
  public var keys: [Key]
  /// When the room was last used, in seconds of Unix time.
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

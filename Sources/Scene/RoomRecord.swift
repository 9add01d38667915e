/// What is kept of a room on the disk, so that it can be entered again.
public struct RoomRecord: Equatable, Codable, Sendable {
  /// What lets somebody into the room; the secret itself is not kept.
  public struct Key: Equatable, Codable, Sendable {
    /// The SHA-256 digest of the secret, 32 bytes.
    public var digest: [UInt8]
    /// What the secret allows.
    public var grant: Grant
    /// Until when it is good, in seconds of Unix time.
    public var expires: Double

    /// Creates a key of its secret's digest.
    public init(digest: [UInt8], grant: Grant, expires: Double) {
      self.digest = digest
      self.grant = grant
      self.expires = expires
    }
  }

  /// The room's name, as in its address.
  public var name: String
  /// Whose room it is.
  public var owner: ReaderID
  /// What its hosts decided.
  public var settings: RoomSettings
  /// The id of the book that its guests may see.
  public var book: String
  /// The id of the collection that the book stands in.
  public var collection: String
  /// Its keys.
  public var keys: [Key]
  /// When somebody was last in it, in seconds of Unix time.
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

/// What rooms need of the world and a pure value cannot have: names that nobody guesses, and the
/// date.
public struct RoomEnvironment: Sendable {
  /// Makes a name for a new room.
  public var freshName: @Sendable () -> String
  /// Makes a secret: 22 characters of base64url, 128 bits.
  public var secret: @Sendable () -> String
  /// Makes a code: six letters that cannot be taken for one another.
  public var code: @Sendable () -> String
  /// The SHA-256 of a text's UTF-8: 32 bytes.
  public var digest: @Sendable (String) -> [UInt8]
  /// Unix time less the clock that times are handed in by, in seconds.
  public var unixOffset: Double
  /// The digest of the key to the library; nil where everybody may open it.
  public var libraryKey: [UInt8]?
  /// The digest of another that opens it as well, the admin's; nil for none.
  public var adminKey: [UInt8]?

  /// Creates means.
  public init(
    freshName: @escaping @Sendable () -> String,
    secret: @escaping @Sendable () -> String,
    code: @escaping @Sendable () -> String,
    digest: @escaping @Sendable (String) -> [UInt8],
    unixOffset: Double,
    libraryKey: [UInt8]? = nil,
    adminKey: [UInt8]? = nil
  ) {
    self.freshName = freshName
    self.secret = secret
    self.code = code
    self.digest = digest
    self.unixOffset = unixOffset
    self.libraryKey = libraryKey
    self.adminKey = adminKey
  }

  /// Whether a key opens the library.
  func opensLibrary(_ key: String) -> Bool {
    guard let libraryKey else { return true }
    guard !key.isEmpty else { return false }
    let digest = digest(key)
    return digest == libraryKey || digest == adminKey
  }

  /// Whether a key is the library's own, where it has one.
  func isLibraryKey(_ key: String) -> Bool { libraryKey != nil && opensLibrary(key) }
}

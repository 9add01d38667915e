/// What rooms need from outside and a pure value cannot have: names that cannot be guessed, and the
/// date.
public struct RoomEnvironment: Sendable {
  /// Creates a name for a new room.
  public var freshName: @Sendable () -> String
  /// Creates a secret: 22 characters of base64url, 128 bits.
  public var secret: @Sendable () -> String
  /// Creates a code: six letters that cannot be confused with one another.
  public var code: @Sendable () -> String
  /// The SHA-256 of a text's UTF-8: 32 bytes.
  public var digest: @Sendable (String) -> [UInt8]
  /// The Unix time minus the time of the clock that callers use, in seconds.
  public var unixOffset: Double
  /// Whether the states of rooms are stored, so that another process can continue them.
  public var keepsStates = false
  /// The digest of the key to the library; nil if everybody may open it.
  public var libraryKey: [UInt8]?
  /// The digest of a second key that opens the library, the administrator's; nil for none.
  public var adminKey: [UInt8]?

  /// Creates an environment.
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

  /// Whether the library has a key, and this one opens it.
  func isLibraryKey(_ key: String) -> Bool { libraryKey != nil && opensLibrary(key) }
}

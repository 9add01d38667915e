/// The digests of the keys that open the library.
package struct LibraryKeys: Equatable, Sendable {
  /// That of the library's key; nil if everybody may open it.
  package var library: [UInt8]?
  /// That of a second key, the administrator's; nil for none.
  package var admin: [UInt8]?

  /// Creates keys; none by default.
  package init(library: [UInt8]? = nil, admin: [UInt8]? = nil) {
    (self.library, self.admin) = (library, admin)
  }
}

/// What rooms need from outside and a pure value cannot have: names that cannot be guessed, and the
/// date.
package struct Environment: Sendable {
  /// Creates a name for a new room.
  package var freshName: @Sendable () -> String
  /// Creates a secret: 22 characters of base64url, 128 bits.
  package var secret: @Sendable () -> String
  /// Creates a code: six letters that cannot be confused with one another.
  package var code: @Sendable () -> String
  /// The SHA-256 of a text's UTF-8: 32 bytes.
  package var digest: @Sendable (String) -> [UInt8]
  /// The Unix time minus the time of the clock that callers use, in seconds.
  package var unixOffset: Double
  /// Whether the states of rooms are stored, so that another process can continue them.
  package var keepsStates = false
  /// The keys that open the library.
  package var keys: LibraryKeys

  /// Creates an environment.
  package init(
    freshName: @escaping @Sendable () -> String,
    secret: @escaping @Sendable () -> String,
    code: @escaping @Sendable () -> String,
    digest: @escaping @Sendable (String) -> [UInt8],
    unixOffset: Double,
    keys: LibraryKeys = LibraryKeys()
  ) {
    self.freshName = freshName
    self.secret = secret
    self.code = code
    self.digest = digest
    self.unixOffset = unixOffset
    self.keys = keys
  }

  /// Whether a key opens the library.
  func opensLibrary(_ key: String) -> Bool {
    guard let libraryKey = keys.library else { return true }
    guard !key.isEmpty else { return false }
    let digest = digest(key)
    return digest == libraryKey || digest == keys.admin
  }
}

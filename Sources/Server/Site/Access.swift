internal import Library
internal import Rooms
internal import WebServer
internal import Wire

/// The condition for seeing the library: none, or its key.
package struct LibraryAccess: Equatable, Sendable {
  /// The minimum length of a chosen key, in bytes of UTF-8.
  package static let keyMin = 16
  /// The maximum length of a key, in bytes; a limit of the protocol.
  package static let keyMax = WireLimits.keyBytes

  /// Whether a chosen key is long enough and needs no escaping in an address.
  package static func isFit(_ key: String) -> Bool {
    keyMin...keyMax ~= key.utf8.count
      && key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._~".contains($0)) }
  }

  /// Whether the library is visible without the key.
  var isOpen: Bool
  /// The SHA-256 digest of the key; the key itself is not kept.
  let digest: [UInt8]

  /// Creates the access to a library with a key; an open library has a key, too.
  init(isOpen: Bool, key: String) {
    self.isOpen = isOpen
    digest = Secrets.digest(of: key)
  }

  /// Whether a key gives access to the library; any does if the library is open.
  func admits(_ key: some StringProtocol) -> Bool { isOpen || isKey(key) }

  /// Whether this is the library's key, whose owner may do everything in the library's rooms.
  func isKey(_ key: some StringProtocol) -> Bool { Secrets.isSame(Secrets.digest(of: key), digest) }
}

/// The conditions for seeing and for changing the library.
package struct Access: Equatable, Sendable {
  /// The minimum length of the admin token, in bytes of UTF-8.
  package static let tokenMin = 16

  /// The condition for seeing the library.
  let library: LibraryAccess
  /// The digest of the `--admin-token`; nil if changes need the library's key instead.
  let admin: [UInt8]?
  /// Whether changes need neither a key nor a token.
  private let isFree: Bool
  /// The library's key, for readers who have logged in to a proxy; nil if such a login does not
  /// count.
  let loginKey: String?

  /// The keys for the rooms.
  var keys: LibraryKeys {
    LibraryKeys(library: library.isOpen ? nil : library.digest, admin: admin)
  }

  /// Whether the library's key is what permits changes.
  var isChangedByKey: Bool { admin == nil && !isFree }

  /// Creates the access to a library.
  /// - Parameters:
  ///   - library: The condition for seeing the library.
  ///   - adminToken: The token that permits changes; nil for the library's key.
  ///   - isForThisMachine: Whether only this machine reaches the server; changes then need no key,
  ///     unless the user chose a token or a key.
  ///   - loginKey: The library's key if readers who have logged in to a proxy get it; nil if not.
  init(
    library: LibraryAccess,
    adminToken: String?,
    isForThisMachine: Bool,
    loginKey: String? = nil
  ) {
    (self.library, self.loginKey) = (library, loginKey)
    admin = adminToken.map { Secrets.digest(of: $0) }
    isFree = adminToken == nil && isForThisMachine && library.isOpen
  }

  /// Returns the response to a request that may not see the library; nil if it may.
  func refusal(ofReading request: HTTPRequest) -> HTTPResponse? {
    guard !library.isOpen else { return nil }
    let shown = Self.token(of: request)
    if let shown, library.isKey(shown) || isAdmin(shown) { return nil }
    return .refusal("This needs the library's key: open the address that the server printed.")
  }

  /// Returns the response to a request that may not change the library; nil if it may.
  func refusal(ofWriting request: HTTPRequest) -> HTTPResponse? {
    guard !isFree else { return nil }
    let shown = Self.token(of: request)
    guard admin == nil else {
      return shown.map(isAdmin) == true ? nil : .refusal("This needs the admin's token.")
    }
    return shown.map { library.isKey($0) } == true
      ? nil : .refusal("This needs the library's key.")
  }

  private func isAdmin(_ token: Substring) -> Bool {
    admin.map { Secrets.isSame(Secrets.digest(of: token), $0) } ?? false
  }

  /// The field that carries a key or token where a proxy uses `Authorization` for a login of its
  /// own, in lower case.
  static let keyField = "lectern-key"

  /// Returns the key or token that a request shows; nil if it shows none, such as one with the
  /// login of a proxy.
  static func token(of request: HTTPRequest) -> Substring? {
    if let key = request.fields[keyField] { return key[...] }
    let shown = request.fields["authorization"] ?? ""
    return shown.hasPrefix("Bearer ") ? shown.dropFirst(7) : nil
  }
}

extension HTTPResponse {
  /// Returns the response to a request without the required key or token.
  fileprivate static func refusal(_ words: String) -> HTTPResponse {
    var response = problem(401, words)
    response.fields = [HTTPField("www-authenticate", "Bearer")]
    return response
  }
}

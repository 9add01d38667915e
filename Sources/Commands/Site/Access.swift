internal import Library
internal import WebServer
internal import Wire

/// Who may see the library: anybody, or whoever has its key.
struct LibraryAccess: Equatable, Sendable {
  /// The shortest key that may be chosen, in bytes of UTF-8.
  static let keyMin = 16
  /// The longest, as the wire takes it.
  static let keyMax = WireLimits.keyBytes

  /// Whether somebody may choose this key: long enough, and the same in an address as typed.
  static func isFit(_ key: String) -> Bool {
    keyMin...keyMax ~= key.utf8.count
      && key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._~".contains($0)) }
  }

  /// Whether anybody may.
  var isOpen: Bool
  /// What is known of the key: its SHA-256 digest.
  let digest: [UInt8]

  /// Creates the access to a library with a key, which an open one has, too.
  init(isOpen: Bool, key: String) {
    self.isOpen = isOpen
    digest = Secrets.digest(of: key)
  }

  /// Whether somebody who shows this may see the library.
  func admits(_ key: some StringProtocol) -> Bool { isOpen || isKey(key) }

  /// Whether this is the key itself, whose owner may do all there is in the library's rooms.
  func isKey(_ key: some StringProtocol) -> Bool {
    Secrets.isSame(Secrets.digest(of: key), digest)
  }
}

/// Who may see and who may change the library.
struct Access: Equatable, Sendable {
  /// The shortest admin's token, in bytes of UTF-8.
  static let tokenMin = 16

  /// Who may see it.
  let library: LibraryAccess
  /// The digest of what `--admin-token` gave; without it the library's key is asked for.
  let admin: [UInt8]?
  /// Whether whoever sees the library may change it.
  private let isFree: Bool

  /// Whether the library's key is what lets change it.
  var isChangedByKey: Bool { admin == nil && !isFree }

  /// Creates the access to a library.
  /// - Parameters:
  ///   - library: Who may see it.
  ///   - adminToken: What who changes it has to show; nil for the library's key.
  ///   - isForThisMachine: Whether only this machine reaches the server; then nothing has to be
  ///     shown, unless a token or a key was asked for.
  init(library: LibraryAccess, adminToken: String?, isForThisMachine: Bool) {
    self.library = library
    admin = adminToken.map { Secrets.digest(of: $0) }
    isFree = adminToken == nil && isForThisMachine && library.isOpen
  }

  /// The answer to a request that may not see the library; nil if it may.
  func refusal(ofReading request: HTTPRequest) -> HTTPResponse? {
    guard !library.isOpen else { return nil }
    let shown = Self.token(of: request)
    if let shown, library.isKey(shown) || isAdmin(shown) { return nil }
    return .refusal("This needs the library's key: open the address that the server printed.")
  }

  /// The answer to a request that may not change the library; nil if it may.
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

  private static func token(of request: HTTPRequest) -> Substring? {
    let shown = request.fields["authorization"] ?? ""
    return shown.hasPrefix("Bearer ") ? shown.dropFirst(7) : nil
  }
}

extension HTTPResponse {
  /// Something has to be shown that was not.
  fileprivate static func refusal(_ words: String) -> HTTPResponse {
    var response = problem(401, words)
    response.fields = [HTTPField("www-authenticate", "Bearer")]
    return response
  }
}

/// How a member whose connection is lost comes back as the same member: by a token, of which the
/// digest is kept.
struct Resumption: Sendable {
  /// How long a lost connection may come back, in seconds.
  static let seconds = 60.0

  /// The digest of the token that brings the member back; empty if nothing does.
  private(set) var token: [UInt8]
  /// The digest of the token that brought it back last, until it says something: the welcome with
  /// the newer one may have been lost with its connection.
  private(set) var usedToken: [UInt8] = []
  /// Until when a lost connection may come back, in seconds; nil while there is one.
  private(set) var awayUntil: Double?

  /// Creates the resumption of a member that is here.
  init(token: [UInt8]) { self.token = token }

  /// The digests of all tokens that bring the member back.
  var tokens: [[UInt8]] { [token, usedToken].filter { !$0.isEmpty } }

  /// Notes that the connection is lost.
  mutating func lose(at now: Double) { awayUntil = now + Self.seconds }

  /// Notes that the member is back.
  /// - Parameters:
  ///   - used: The digest of the token that it has shown.
  ///   - token: The digest of the token that brings it back the next time.
  /// - Returns: The digests of tokens that bring it back no more.
  mutating func comeBack(by used: [UInt8], next token: [UInt8]) -> [[UInt8]] {
    defer { (self.token, usedToken, awayUntil) = (token, used, nil) }
    return tokens.filter { $0 != used }
  }

  /// Notes that the member has its new token, because it speaks over its new connection.
  /// - Returns: The digest of the token that is used up; nil if there is none.
  mutating func confirm() -> [UInt8]? {
    guard !usedToken.isEmpty else { return nil }
    defer { usedToken = [] }
    return usedToken
  }
}

/// How a member whose connection is lost rejoins as the same member: by a token, of which the
/// digest is stored.
struct Resumption: Sendable {
  /// How long a member may rejoin after its connection is lost, in seconds.
  static let seconds = 60.0

  /// The digest of the token with which the member can rejoin; empty if it cannot.
  private(set) var token: [UInt8]
  /// The digest of the token with which it last rejoined.
  ///
  /// It is valid until the member sends something, because the welcome with the newer token may
  /// have been lost with the connection.
  private(set) var usedToken: [UInt8] = []
  /// Until when the member may rejoin, in seconds; nil while it is connected.
  private(set) var awayUntil: Double?

  /// Creates the resumption of a member that is connected.
  init(token: [UInt8]) { self.token = token }

  /// The digests of all tokens with which the member can rejoin.
  var tokens: [[UInt8]] { [token, usedToken].filter { !$0.isEmpty } }

  /// Records that the connection is lost.
  mutating func lose(at now: Double) { awayUntil = now + Self.seconds }

  /// Records that the member has rejoined.
  /// - Parameters:
  ///   - used: The digest of the token that it has sent.
  ///   - token: The digest of the token with which it can rejoin the next time.
  /// - Returns: The digests of tokens that are no longer valid.
  mutating func comeBack(by used: [UInt8], next token: [UInt8]) -> [[UInt8]] {
    defer { (self.token, usedToken, awayUntil) = (token, used, nil) }
    return tokens.filter { $0 != used }
  }

  /// Records that the member has received its new token, because it sends over its new connection.
  /// - Returns: The digest of the token that is no longer valid; nil if there is none.
  mutating func confirm() -> [UInt8]? {
    guard !usedToken.isEmpty else { return nil }
    defer { usedToken = [] }
    return usedToken
  }
}

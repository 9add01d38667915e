internal import WebServer

/// Who may change the library: anybody on this machine, elsewhere who has the admin's token.
struct Access: Equatable, Sendable {
  /// The shortest token, in bytes of UTF-8.
  static let tokenMin = 16

  /// The token that `--admin-token` gave; nil for none.
  var token: String?
  /// Whether only this machine can reach the server.
  var isLoopback: Bool

  /// Whether anything can be changed at all.
  var isOn: Bool { isLoopback || token != nil }
  /// Whether a token has to be shown.
  var needsToken: Bool { token != nil }

  /// The answer to a request that may not write; nil if it may.
  func refusal(of request: HTTPRequest) -> HTTPResponse? {
    guard let token else {
      return isLoopback
        ? nil
        : .problem(
          403,
          "Changing the library is off, since others can reach this server. "
            + "Start it with --admin-token to allow it."
        )
    }
    let shown = request.fields["authorization"] ?? ""
    guard shown.hasPrefix("Bearer "), Self.isSame(shown.dropFirst(7), token) else {
      return .problem(401, "This needs the admin's token.")
    }
    return nil
  }

  /// Compares in a time that does not tell where two texts differ.
  private static func isSame(_ shown: Substring, _ token: String) -> Bool {
    let (one, other) = (Array(shown.utf8), Array(token.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

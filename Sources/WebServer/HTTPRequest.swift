/// A request, as far as an application needs to know it.
public struct HTTPRequest: Equatable, Sendable {
  /// The methods that are answered; others get 405 before the application is asked.
  public enum Method: String, CaseIterable, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"

    /// Whether it only reads.
    ///
    /// The others are refused when they come from a page of another origin.
    public var isSafe: Bool { self == .get || self == .head }
  }

  /// The method.
  ///
  /// The body of an answer to `head` is left out by the server.
  public var method: Method
  /// The path, percent-decoded and without `.` and `..`.
  public var path: String
  /// What follows `?`: its parts between the ampersands, percent-decoded.
  public var query: [String]
  /// The `Host` header, or empty.
  public var host: String
  /// What was sent of `origin`, `authorization`, `content-type` and
  /// ``ServerOptions/requestFields``, by lower case name.
  public var fields: [String: String]
  /// The announced length of the body in bytes, 0 without one; nil when it was not said, which is
  /// possible for `post`, `put` and `patch` alone.
  public var contentLength: Int?
  /// The address of the client in numbers, without its port; of IPv6 its /64 alone, such as
  /// `2001:db8::/64`, since one household has a whole one.
  ///
  /// Behind a proxy that is trusted it is what the proxy says.
  public var peer: String
  /// Whether it came to the address for those who run the server.
  public var isForAdmin: Bool

  /// A request for the given path.
  public init(
    method: Method = .get,
    path: String,
    query: [String] = [],
    host: String = "",
    fields: [String: String] = [:],
    contentLength: Int? = 0,
    peer: String = "",
    isForAdmin: Bool = false
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.host = host
    self.fields = fields
    self.contentLength = contentLength
    self.peer = peer
    self.isForAdmin = isForAdmin
  }
}

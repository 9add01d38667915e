/// A request for a page or a file, as far as an application needs to know it.
public struct HTTPRequest: Equatable, Sendable {
  /// The methods that are answered; others get 405 before the application is asked.
  public enum Method: Equatable, Sendable {
    case get
    case head
  }

  /// The method.
  ///
  /// The body of an answer to `head` is left out by the server.
  public var method: Method
  /// The path, percent-decoded and without `.` and `..`.
  public var path: String
  /// What follows `?`, or empty.
  public var query: String
  /// The `Host` header, or empty.
  public var host: String

  /// A request for the given path.
  public init(method: Method = .get, path: String, query: String = "", host: String = "") {
    self.method = method
    self.path = path
    self.query = query
    self.host = host
  }
}

/// An answer to a request.
public struct HTTPResponse: Equatable, Sendable {
  /// Where the bytes of an answer come from.
  public enum Body: Equatable, Sendable {
    /// These bytes.
    case bytes([UInt8])
    /// The regular file at this path, read as it is sent. The path is trusted.
    case file(String)
  }

  /// What a browser may keep.
  public enum Caching: Equatable, Sendable {
    /// Keep nothing.
    case none
    /// Keep it, but ask each time whether it changed.
    case revalidate
    /// Keep it: what this address answers never changes.
    case immutable

    var headerValue: String {
      switch self {
      case .none: "no-store"
      case .revalidate: "no-cache"
      case .immutable: "public, max-age=31536000, immutable"
      }
    }
  }

  /// The status code.
  public var status: Int
  /// The media type.
  public var contentType: String
  /// The content.
  public var body: Body
  /// What a browser may keep.
  public var caching: Caching

  /// An answer; without a caching rule nothing is kept.
  public init(status: Int = 200, contentType: String, body: Body, caching: Caching = .none) {
    self.status = status
    self.contentType = contentType
    self.body = body
    self.caching = caching
  }

  /// A short answer in plain text.
  public static func text(status: Int, _ text: String) -> HTTPResponse {
    HTTPResponse(
      status: status,
      contentType: "text/plain; charset=utf-8",
      body: .bytes(Array(text.utf8))
    )
  }
}

/// A request, reduced to what an application needs.
package struct HTTPRequest: Equatable, Sendable {
  /// The supported methods; other methods get 405 before the application is called.
  package enum Method: String, CaseIterable, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"

    /// Whether the method only reads.
    ///
    /// Other methods are rejected when they come from a page of another origin.
    package var isSafe: Bool { self == .get || self == .head }
  }

  /// The method.
  ///
  /// The server omits the body of a response to `head`.
  package var method: Method
  /// The path, percent-decoded and without `.` and `..`.
  package var path: String
  /// The path as it was sent, to compare with what a proxy before the server has compared.
  package var sentPath: String
  /// The parts of the query string between ampersands, percent-decoded.
  package var query: [String]
  /// The `Host` header, or empty.
  package var host: String
  /// The host as pages know it, which a trusted proxy may report; usually ``host``.
  package var pageHost: String
  /// The origin of the page, such as `https://books.example`, if a trusted proxy reports it.
  package var pageOrigin: String?
  /// The user that has logged in to a trusted proxy; nil for none.
  ///
  /// See ``ServerOptions/userField``.
  package var user: String?
  /// Whether a proxy said for whom it sent the request.
  package var report = ProxyReport.missing

  /// What a proxy says about the client for whom it sends a request.
  package enum ProxyReport: String, Sendable {
    /// Nothing; there may be no proxy.
    case missing
    /// Something that is believed.
    case used
    /// Something that is ignored, because the address of the proxy is not trusted.
    case ignored
  }
  /// The fields `origin`, `authorization`, `content-type` and ``ServerOptions/requestFields``, as
  /// far as they were sent, by lower-case name.
  package var fields: [String: String]
  /// The announced length of the body in bytes, 0 if there is none; nil if it is unknown, which is
  /// only possible for `post`, `put` and `patch`.
  package var contentLength: Int?
  /// The numeric address of the client without its port.
  ///
  /// For IPv6 it is the /64 prefix, such as `2001:db8::/64`, because one site has a whole
  /// prefix.
  ///
  /// Behind a trusted proxy, it is the address that the proxy reports.
  package var peer: String
  /// Whether the request arrived at the admin endpoint.
  package var isForAdmin: Bool

  /// Creates a request for a path.
  package init(
    method: Method = .get,
    path: String,
    query: [String] = [],
    host: String = "",
    pageHost: String? = nil,
    fields: [String: String] = [:],
    contentLength: Int? = 0,
    peer: String = "",
    isForAdmin: Bool = false
  ) {
    (self.method, self.path, self.query, self.host) = (method, path, query, host)
    sentPath = path
    (self.fields, self.contentLength, self.peer) = (fields, contentLength, peer)
    self.pageHost = pageHost ?? host
    self.isForAdmin = isForAdmin
  }
}

/// The addresses and limits of a server.
package struct ServerOptions: Sendable {
  /// The `Origin` headers that may open a WebSocket or change anything.
  ///
  /// A client without an `Origin` is not a browser and is allowed.
  package enum OriginRule: Equatable, Sendable {
    /// The origin is the exact `Host` with `http://` or, behind a proxy that terminates TLS,
    /// `https://`.
    case sameHost
    /// The origin is one of these, exactly, such as `https://books.example`.
    case listed([String])
    /// Either rule: a proxy may put its own name or the server's into `Host`.
    case sameHostOrListed([String])
  }

  /// An address and a port to listen on.
  package struct Endpoint: Equatable, Sendable {
    /// An IPv4 or IPv6 literal.
    package var address: String
    /// The port, or 0 for any free one.
    package var port: Int

    /// Creates an endpoint.
    package init(address: String, port: Int) {
      self.address = address
      self.port = port
    }
  }

  /// The admin endpoint; nil for none.
  ///
  /// Requests to it are marked with ``HTTPRequest/isForAdmin``. It accepts no WebSockets.
  package var adminEndpoint: Endpoint?
  /// An IPv4 or IPv6 literal.
  package var listenAddress: String
  /// The port, or 0 for any free one.
  package var port: Int
  /// Whether several servers of a ``ServerGroup`` listen on the port.
  package var sharesPort: Bool
  /// The maximum number of connections that wait at a server until it accepts them; the system
  /// reduces it to `net.core.somaxconn`.
  package var backlog: Int
  /// The directory of static files, which are served if the application does not respond; empty for
  /// none.
  package var staticRoot: String
  /// The pages that may open a WebSocket or change anything.
  package var origins: OriginRule
  /// The names in `Host` headers that are accepted, in lower case and with any port; nil for all.
  ///
  /// Numeric addresses and `localhost` are always accepted. A list, even an empty one, prevents DNS
  /// rebinding.
  package var hosts: [String]?
  /// The additional header fields that the application reads, in lower case.
  package var requestFields: [String]
  /// Whether a proxy on this machine reports its clients in `X-Forwarded-For`.
  package var trustsProxy: Bool
  /// The limits.
  package var limits: Limits
  /// Whether messages to many connections are sent with io_uring, where the system permits it.
  package var usesRing: Bool
  /// Whether SIGINT and SIGTERM stop the server.
  ///
  /// They are then blocked in the calling thread, so create the server before any other thread.
  package var stopsOnSignals: Bool

  /// Creates options with an address and a directory, and defaults for the rest.
  package init(
    listenAddress: String = "127.0.0.1",
    port: Int = 0,
    staticRoot: String = "",
    origins: OriginRule = .sameHost,
    hosts: [String]? = nil,
    requestFields: [String] = [],
    trustsProxy: Bool = false,
    limits: Limits = Limits(),
    stopsOnSignals: Bool = false,
    adminEndpoint: Endpoint? = nil,
    sharesPort: Bool = false,
    backlog: Int = 1024,
    usesRing: Bool = true
  ) {
    self.listenAddress = listenAddress
    self.port = port
    self.staticRoot = staticRoot
    self.origins = origins
    self.hosts = hosts
    self.requestFields = requestFields
    self.trustsProxy = trustsProxy
    self.limits = limits
    self.stopsOnSignals = stopsOnSignals
    self.adminEndpoint = adminEndpoint
    self.sharesPort = sharesPort
    self.backlog = backlog
    self.usesRing = usesRing
  }
}

extension ServerOptions {
  /// The response to a request for an unknown host.
  static let unservedHost = "This server does not accept this host name; start it with --host NAME."

  /// Whether a `Host` header names this server.
  func answers(host: String) -> Bool {
    guard let hosts else { return true }
    guard let host = HostName(host) else { return false }
    return host.isNumeric || host.name == "localhost" || hosts.contains(host.name)
  }

  /// Whether a page of an origin may open a WebSocket or change anything at a host.
  func admits(origin: String, host: String) -> Bool {
    let isSame = !host.isEmpty && (origin == "http://\(host)" || origin == "https://\(host)")
    return switch origins {
    case .sameHost: isSame
    case .listed(let origins): origins.contains(origin)
    case .sameHostOrListed(let origins): isSame || origins.contains(origin)
    }
  }

  /// Returns the client of a request from an address; see ``HTTPRequest/peer``.
  func client(of head: RequestHead, from household: String) -> String {
    // The proxy adds the last entry; entries before it may be forged.
    if isProxy(household), let reported = head["x-forwarded-for"]?[...].parts(at: ",").last,
      let client = PeerAddress(withPort: reported.trimmingSpaces)
    {
      return client.household
    }
    return household
  }

  /// Whether an address is that of a trusted proxy.
  func isProxy(_ household: String) -> Bool {
    trustsProxy && PeerAddress(household)?.isLoopback == true
  }
}

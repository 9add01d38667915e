internal import Rates

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
    package init(address: String, port: Int) { (self.address, self.port) = (address, port) }
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
  /// The path below which a proxy serves what is here.
  package var basePath = BasePath.none
  /// The pages that may open a WebSocket or change anything.
  package var origins: OriginRule
  /// The names in `Host` headers that are accepted, in lower case and with any port; nil for all.
  ///
  /// Numeric addresses and `localhost` are always accepted. A list, even an empty one, prevents DNS
  /// rebinding.
  package var hosts: [String]?
  /// The additional header fields that the application reads, in lower case.
  package var requestFields: [String]
  /// The proxies that report their clients in `X-Forwarded-For` or `Forwarded`, and the host that
  /// these asked for in `X-Forwarded-Host`.
  package var proxies: TrustedProxies
  /// The field in which trusted proxies name the user that has logged in to them, in lower case;
  /// nil for none.
  package var userField: String?
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
    proxies: TrustedProxies = .none,
    limits: Limits = Limits(),
    stopsOnSignals: Bool = false,
    adminEndpoint: Endpoint? = nil,
    sharesPort: Bool = false,
    backlog: Int = 1024,
    usesRing: Bool = true
  ) {
    (self.listenAddress, self.port, self.staticRoot) = (listenAddress, port, staticRoot)
    (self.origins, self.hosts, self.requestFields) = (origins, hosts, requestFields)
    (self.proxies, self.limits, self.stopsOnSignals) = (proxies, limits, stopsOnSignals)
    (self.adminEndpoint, self.sharesPort, self.backlog) = (adminEndpoint, sharesPort, backlog)
    self.usesRing = usesRing
  }

  /// Returns why a request has not come the right way, and the status of the response; nil if it
  /// has: to a name of this server, and through no proxy where none is expected.
  ///
  /// The admin endpoint asks nobody for a key, so a proxy may pass requests on to it.
  func misdirection(
    of head: RequestHead,
    isForAdmin: Bool = false
  ) -> (status: Int, words: String)? {
    guard answers(host: head.host) else {
      return (421, "This server does not accept this host name; start it with --host NAME.")
    }
    guard !proxies.areForbidden || isForAdmin || !head.isPassedOn else {
      return (
        403,
        "This server is for its own machine only, but a proxy passed this request on; start it "
          + "with --public-url or --trust-proxy."
      )
    }
    return nil
  }

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

  /// The limits that protect clients from one another.
  package struct Limits: Equatable, Sendable {
    /// The limits on open sockets.
    package var connections = Connections()
    /// The limits on requests until the application responds.
    package var requests = Requests()
    /// The limits on the bodies of requests.
    package var bodies = Bodies()
    /// The limits on responses.
    package var responses = Responses()
    /// The limits on WebSockets.
    package var webSockets = WebSockets()

    /// Creates the default limits.
    package init() {}

    /// Creates limits for a number of connections, and defaults for the rest.
    /// - Parameters:
    ///   - total: The maximum number of open sockets.
    ///   - perAddress: The maximum number of open sockets of one IPv4 address or one IPv6 /64.
    package init(connections total: Int, perAddress: Int) {
      connections.total = max(1, total)
      connections.perAddress = min(max(1, perAddress), connections.total)
      // All members behind one address may come back at once.
      webSockets.handshakesPerAddress.burst = max(
        webSockets.handshakesPerAddress.burst,
        Double(connections.perAddress)
      )
      fitShares()
    }
  }

  /// A rate limit: a number per second, and a burst after a pause.
  package struct Rate: Equatable, Sendable {
    /// The number per second.
    package var perSecond: Double
    /// The maximum burst after a pause.
    package var burst: Double

    /// Creates a rate limit.
    package init(perSecond: Double, burst: Double) {
      (self.perSecond, self.burst) = (perSecond, burst)
    }

    var bucket: TokenBucket { TokenBucket(rate: perSecond, burst: burst) }
  }

  /// The time that a transfer may take, which grows with its size.
  package struct TransferTime: Equatable, Sendable {
    /// The seconds for a transfer of any size.
    package var seconds: Double
    /// The number of bytes that extend the time by one second; above zero.
    package var bytesPerSecond: Double

    /// Creates a time limit.
    package init(seconds: Double, bytesPerSecond: Double) {
      (self.seconds, self.bytesPerSecond) = (seconds, bytesPerSecond)
    }

    /// Returns the seconds for a number of bytes.
    func seconds(for count: Int) -> Double { seconds + Double(count) / bytesPerSecond }
  }
}

extension ServerOptions.Limits {
  /// The limits on open sockets, of pages and WebSockets together.
  package struct Connections: Equatable, Sendable {
    /// The maximum number of open sockets.
    package var total = 2048
    /// The maximum number of open sockets of one IPv4 address or one IPv6 /64.
    package var perAddress = 512
    /// The maximum number of open sockets of one address whose first request is incomplete.
    package var pendingPerAddress = 64
    /// The seconds that an idle connection of a page is kept.
    package var keepAliveSeconds = 30

    /// Creates the default limits.
    package init() {}
  }

  /// The limits on requests until the application responds.
  package struct Requests: Equatable, Sendable {
    /// The maximum size of the head of a request, in bytes.
    package var headerBytes = 8192
    /// The maximum number of requests whose headers are being read at the same time.
    package var concurrentHeaders = 2048
    /// The seconds within which a request must arrive.
    package var arrivalSeconds = 10
    /// The maximum number of requests that wait for the application at the same time.
    package var waiting = 512
    /// The maximum number of requests of one address that wait for the application at the same
    /// time.
    package var waitingPerAddress = 128
    /// The seconds that a request waits for the application's response, or that a body may be
    /// paused.
    package var waitingSeconds = 120.0

    /// Creates the default limits.
    package init() {}
  }

  /// The limits on the bodies of requests.
  package struct Bodies: Equatable, Sendable {
    /// The time within which a body must arrive.
    package var time = ServerOptions.TransferTime(seconds: 30, bytesPerSecond: 16_384)
    /// The bytes of unwanted input, in a body or after a WebSocket failed, that are read so that
    /// the client receives the reason.
    package var discardedBytes = 64 << 20
    /// The seconds for reading an unwanted body.
    package var discardingSeconds = 5.0

    /// Creates the default limits.
    package init() {}
  }

  /// The limits on responses.
  package struct Responses: Equatable, Sendable {
    /// The maximum number of concurrent responses of more than a packet or two to one address.
    package var longPerAddress = 256
    /// The time within which a response must be sent.
    package var time = ServerOptions.TransferTime(seconds: 60, bytesPerSecond: 8192)

    /// Creates the default limits.
    package init() {}
  }

  /// The limits on WebSockets.
  package struct WebSockets: Equatable, Sendable {
    /// The rate at which one address may open WebSockets.
    package var handshakesPerAddress = ServerOptions.Rate(perSecond: 32, burst: 512)
    /// The maximum size of a message from a client, in bytes.
    package var receivedMessageBytes = 512
    /// The rate of bytes from one WebSocket.
    package var receivedBytes = ServerOptions.Rate(perSecond: 131_072, burst: 524_288)
    /// The rate of bytes from all WebSockets of one address.
    package var receivedBytesPerAddress = ServerOptions.Rate(perSecond: 2_097_152, burst: 8_388_608)
    /// The rate of pings, pongs and empty fragments from one WebSocket.
    package var controlFrames = ServerOptions.Rate(perSecond: 4, burst: 20)
    /// The maximum size of a message to a client, in bytes.
    package var sentMessageBytes = 262_144
    /// The maximum number of bytes that wait unsent in the kernel for one WebSocket.
    package var unsentBytes = 1024
    /// The seconds of silence after which a WebSocket is pinged.
    package var secondsUntilPing = 5
    /// The seconds of silence after which a WebSocket is considered dead: the other members
    /// notice within twelve seconds that one is gone.
    package var secondsUntilHangup = 11

    /// Creates the default limits.
    package init() {}
  }

  /// Reduces the limits to the available descriptors and gives each address a fraction of them.
  mutating func fit(_ descriptors: FileDescriptors) {
    guard connections.total > descriptors.connections else { return }
    connections.total = descriptors.connections
    connections.perAddress = min(connections.perAddress, max(1, connections.total * 3 / 4))
    fitShares()
  }

  /// Reduces limits that are fractions of others.
  fileprivate mutating func fitShares() {
    connections.pendingPerAddress = min(
      connections.pendingPerAddress,
      max(1, connections.total / 4)
    )
    responses.longPerAddress = min(responses.longPerAddress, max(1, connections.perAddress / 2))
  }
}

/// The addresses and limits of a server.
public struct ServerOptions: Sendable {
  /// The `Origin` headers that may open a WebSocket or change anything.
  ///
  /// A client without an `Origin` is not a browser and is allowed.
  public enum OriginRule: Equatable, Sendable {
    /// The origin is the exact `Host` with `http://` or, behind a proxy that terminates TLS,
    /// `https://`.
    case sameHost
    /// The origin is one of these, exactly, such as `https://books.example`.
    case listed([String])
    /// Either rule: a proxy may put its own name or the server's into `Host`.
    case sameHostOrListed([String])
  }

  /// The limits that protect clients from one another.
  public struct Limits: Equatable, Sendable {
    /// Open sockets, of pages and WebSockets together.
    public var connections = 2048
    /// Open sockets of one IPv4 address or one IPv6 /64.
    public var connectionsPerAddress = 512
    /// Connections of one address without a complete first request.
    public var newcomersPerAddress = 64
    /// WebSockets that one address opens.
    public var handshakes = Rate(perSecond: 32, burst: 512)
    /// Bytes of the header of one request.
    public var requestHeader = 4096
    /// Requests whose headers are being read at the same time.
    public var concurrentHeaders = 2048
    /// Bytes of one message from a client.
    public var receivedMessage = 512
    /// Bytes from one WebSocket.
    public var receivedBytes = Rate(perSecond: 131_072, burst: 524_288)
    /// Bytes from all WebSockets of one address.
    public var receivedBytesPerAddress = Rate(perSecond: 2_097_152, burst: 8_388_608)
    /// Pings, pongs and empty fragments from one WebSocket.
    public var controlFrames = Rate(perSecond: 4, burst: 20)
    /// Bytes of one message to a client.
    public var sentMessage = 262_144
    /// Bytes that may wait unsent in the kernel for one WebSocket.
    public var unsentBytes = 1024
    /// Seconds of silence after which a WebSocket is pinged.
    public var secondsUntilPing = 5
    /// Seconds of silence after which a WebSocket is considered dead: other members notice within
    /// twelve seconds that a member is gone.
    public var secondsUntilHangup = 11
    /// Seconds for a request to arrive.
    public var requestSeconds = 10
    /// Seconds an idle connection of a page is kept.
    public var keepAliveSeconds = 30
    /// Requests that wait for the application at the same time.
    public var waitingRequests = 512
    /// Requests of one address that wait for the application at the same time.
    public var waitingRequestsPerAddress = 128
    /// Concurrent responses of more than a packet or two to one address.
    public var longAnswersPerAddress = 256
    /// Seconds for a body to arrive.
    public var bodySeconds = 30.0
    /// Bytes of a body that extend this by one second.
    public var bodyBytesPerSecond = 16_384.0
    /// Seconds for a response to be sent.
    public var answerSeconds = 60.0
    /// Bytes of a response that extend this by one second.
    public var answerBytesPerSecond = 8192.0
    /// Seconds that a request waits for the application's response, or that a body may be paused.
    public var waitingSeconds = 120.0
    /// Bytes of an unwanted body that are read so that the client receives the reason.
    public var forgottenBody = 64 << 20
    /// Seconds for reading an unwanted body.
    public var forgettingSeconds = 5.0

    /// Creates the default limits.
    public init() {}
  }

  /// A rate limit: a number per second, and a burst after a pause.
  public struct Rate: Equatable, Sendable {
    /// The number per second.
    public var perSecond: Double
    /// The maximum burst after a pause.
    public var burst: Double

    /// Creates a rate limit.
    public init(perSecond: Double, burst: Double) {
      self.perSecond = perSecond
      self.burst = burst
    }
  }

  /// An address and a port to listen on.
  public struct Endpoint: Equatable, Sendable {
    /// An IPv4 or IPv6 literal.
    public var address: String
    /// The port, or 0 for any free one.
    public var port: Int

    /// Creates an endpoint.
    public init(address: String, port: Int) {
      self.address = address
      self.port = port
    }
  }

  /// The admin endpoint; nil for none.
  ///
  /// Requests to it are marked with ``HTTPRequest/isForAdmin``. It accepts no WebSockets.
  public var adminEndpoint: Endpoint?
  /// An IPv4 or IPv6 literal.
  public var listenAddress: String
  /// The port, or 0 for any free one.
  public var port: Int
  /// The directory of static files, which are served if the application does not respond; empty for
  /// none.
  public var staticRoot: String
  /// The pages that may open a WebSocket or change anything.
  public var origins: OriginRule
  /// The names in `Host` headers that are accepted, in lower case and with any port; nil for all.
  ///
  /// Numeric addresses and `localhost` are always accepted. A list, even an empty one, prevents DNS
  /// rebinding.
  public var hosts: [String]?
  /// The additional header fields that the application reads, in lower case.
  ///
  /// Only names that libwebsockets does not know are found, such as `upload-offset`.
  public var requestFields: [String]
  /// Whether a proxy on this machine reports its clients in `X-Forwarded-For`.
  public var trustsProxy: Bool
  /// The limits.
  public var limits: Limits
  /// Whether SIGINT and SIGTERM stop the server.
  ///
  /// They are then blocked in the calling thread, so create the server before any other thread.
  public var stopsOnSignals: Bool

  /// Creates options with an address and a directory, and defaults for the rest.
  public init(
    listenAddress: String = "127.0.0.1",
    port: Int = 0,
    staticRoot: String = "",
    origins: OriginRule = .sameHost,
    hosts: [String]? = nil,
    requestFields: [String] = [],
    trustsProxy: Bool = false,
    limits: Limits = Limits(),
    stopsOnSignals: Bool = false,
    adminEndpoint: Endpoint? = nil
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
  }
}

extension ServerOptions.Limits {
  /// Reduces the limits to the available descriptors and gives each address a fraction of them.
  mutating func fit(_ descriptors: FileDescriptors) {
    guard connections > descriptors.connections else { return }
    connections = descriptors.connections
    connectionsPerAddress = min(connectionsPerAddress, max(1, connections * 3 / 4))
    longAnswersPerAddress = min(longAnswersPerAddress, max(1, connectionsPerAddress / 2))
    newcomersPerAddress = min(newcomersPerAddress, max(1, connections / 4))
  }
}

/// A reason that a server cannot start.
public enum ServerError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The server cannot listen on the address and port.
  case cannotListen(address: String, port: Int, reason: String)
  /// The directory of static files cannot be read.
  case cannotReadStaticRoot(path: String, reason: String)
  /// Something else failed before the first connection.
  case cannotStart(reason: String)

  /// The description of the error.
  public var description: String {
    switch self {
    case .cannotListen(let address, let port, let reason):
      let place = address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
      return "cannot listen on \(place): \(reason)"
    case .cannotReadStaticRoot(let path, let reason):
      return "cannot read the directory \(path): \(reason)"
    case .cannotStart(let reason):
      return "cannot start the server: \(reason)"
    }
  }
}

/// How a server listens and what it allows.
public struct ServerOptions: Sendable {
  /// Which `Origin` headers may open a WebSocket, and change anything.
  ///
  /// A client that sends none is no browser, and may.
  public enum OriginRule: Equatable, Sendable {
    /// The origin is `http://` or, behind a proxy that ends TLS, `https://` and the exact `Host`.
    case sameHost
    /// The origin is one of these, exactly, such as `https://books.example`.
    case listed([String])
    /// One or the other: a proxy in front may name itself or the server in `Host`.
    case sameHostOrListed([String])
  }

  /// The bounds that keep one client from hurting the others.
  public struct Limits: Equatable, Sendable {
    /// Open sockets, of pages and of WebSockets together.
    public var connections = 2048
    /// Open sockets of one IPv4 address or one IPv6 /64.
    public var connectionsPerAddress = 512
    /// Connections of one address whose first request has not come.
    public var newcomersPerAddress = 64
    /// WebSockets that one address may open.
    public var handshakes = Rate(perSecond: 32, burst: 512)
    /// Bytes of one request's header.
    public var requestHeader = 4096
    /// Requests whose header is being read at one time.
    public var concurrentHeaders = 2048
    /// Bytes of one message from a client.
    public var receivedMessage = 512
    /// Bytes from one WebSocket.
    public var receivedBytes = Rate(perSecond: 131_072, burst: 524_288)
    /// Bytes from all WebSockets of one address.
    public var receivedBytesPerAddress = Rate(perSecond: 2_097_152, burst: 8_388_608)
    /// Pings, pongs and empty parts of messages from one WebSocket.
    public var controlFrames = Rate(perSecond: 4, burst: 20)
    /// Bytes of one message to a client.
    public var sentMessage = 262_144
    /// Bytes that may wait unsent in the kernel for one WebSocket.
    public var unsentBytes = 1024
    /// Seconds of silence after which a WebSocket is pinged.
    public var secondsUntilPing = 5
    /// Seconds of silence after which a WebSocket is taken for dead: whoever reads along sees
    /// within twelve that somebody is gone.
    public var secondsUntilHangup = 11
    /// Seconds a request may take to arrive.
    public var requestSeconds = 10
    /// Seconds an idle connection of a page is kept.
    public var keepAliveSeconds = 30
    /// Requests that may wait for the application at one time.
    public var waitingRequests = 512
    /// Requests of one address that may wait for the application at one time.
    public var waitingRequestsPerAddress = 128
    /// Answers of more than a packet or two that one address may be sent at one time.
    public var longAnswersPerAddress = 256
    /// Seconds that a body may take to come.
    public var bodySeconds = 30.0
    /// Bytes of a body that make a second more.
    public var bodyBytesPerSecond = 16_384.0
    /// Seconds that an answer may take to go.
    public var answerSeconds = 60.0
    /// Bytes of an answer that make a second more.
    public var answerBytesPerSecond = 8192.0
    /// Seconds that a request waits for the application's answer, or a paused body to go on.
    public var waitingSeconds = 120.0
    /// Bytes of an unwanted body that are read so that the client sees why it is unwanted.
    public var forgottenBody = 64 << 20
    /// Seconds for the same.
    public var forgettingSeconds = 5.0

    /// The default bounds.
    public init() {}
  }

  /// How often something may happen: so often a second, and so much more at once after a rest.
  public struct Rate: Equatable, Sendable {
    /// How often in each second.
    public var perSecond: Double
    /// How often at once, after a rest.
    public var burst: Double

    /// A rate.
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

    /// An address and a port.
    public init(address: String, port: Int) {
      self.address = address
      self.port = port
    }
  }

  /// Where those who run the server ask how it is; nil for nowhere.
  ///
  /// What comes there is marked: ``HTTPRequest/isForAdmin``. No WebSocket opens there.
  public var adminEndpoint: Endpoint?
  /// An IPv4 or IPv6 literal.
  public var listenAddress: String
  /// The port, or 0 for any free one.
  public var port: Int
  /// The directory whose files answer what the application does not; empty for none.
  public var staticRoot: String
  /// Which pages may open a WebSocket, and change anything.
  public var origins: OriginRule
  /// The names in `Host` headers that are answered, in lower case and whatever the port; nil for
  /// all.
  ///
  /// Addresses in numbers and `localhost` always are. A list, be it empty, stops DNS rebinding.
  public var hosts: [String]?
  /// The names, in lower case, of the fields that applications read beside the usual ones.
  ///
  /// Only names that libwebsockets gives no meaning to are found, such as `upload-offset`.
  public var requestFields: [String]
  /// Whether a proxy on this machine says by `X-Forwarded-For` who connects through it.
  public var trustsProxy: Bool
  /// The bounds.
  public var limits: Limits
  /// Whether SIGINT and SIGTERM stop the server.
  ///
  /// They are then blocked in the calling thread, so make the server before any other thread
  /// starts.
  public var stopsOnSignals: Bool

  /// Options with the given address and files, and defaults for the rest.
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
  /// Takes no more than there are descriptors for, and leaves each address a part of it.
  mutating func fit(_ descriptors: FileDescriptors) {
    guard connections > descriptors.connections else { return }
    connections = descriptors.connections
    connectionsPerAddress = min(connectionsPerAddress, max(1, connections * 3 / 4))
    longAnswersPerAddress = min(longAnswersPerAddress, max(1, connectionsPerAddress / 2))
    newcomersPerAddress = min(newcomersPerAddress, max(1, connections / 4))
  }
}

/// Why a server did not come up.
public enum ServerError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The address and port cannot be listened on.
  case cannotListen(address: String, port: Int, reason: String)
  /// The directory of static files cannot be read.
  case cannotReadStaticRoot(path: String, reason: String)
  /// Something else failed before the first connection.
  case cannotStart(reason: String)

  /// The error in words.
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

internal import Rates

extension ServerOptions {
  /// The limits that protect clients from one another.
  public struct Limits: Equatable, Sendable {
    /// The limits on open sockets.
    public var connections = Connections()
    /// The limits on requests until the application responds.
    public var requests = Requests()
    /// The limits on the bodies of requests.
    public var bodies = Bodies()
    /// The limits on responses.
    public var responses = Responses()
    /// The limits on WebSockets.
    public var webSockets = WebSockets()

    /// Creates the default limits.
    public init() {}

    /// Creates limits for a number of connections, and defaults for the rest.
    /// - Parameters:
    ///   - total: The maximum number of open sockets.
    ///   - perAddress: The maximum number of open sockets of one IPv4 address or one IPv6 /64.
    public init(connections total: Int, perAddress: Int) {
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

    var bucket: TokenBucket { TokenBucket(rate: perSecond, burst: burst) }
  }

  /// The time that a transfer may take, which grows with its size.
  public struct TransferTime: Equatable, Sendable {
    /// The seconds for a transfer of any size.
    public var seconds: Double
    /// The number of bytes that extend the time by one second; above zero.
    public var bytesPerSecond: Double

    /// Creates a time limit.
    public init(seconds: Double, bytesPerSecond: Double) {
      self.seconds = seconds
      self.bytesPerSecond = bytesPerSecond
    }

    /// Returns the seconds for a number of bytes.
    func seconds(for count: Int) -> Double { seconds + Double(count) / bytesPerSecond }
  }
}

extension ServerOptions.Limits {
  /// The limits on open sockets, of pages and WebSockets together.
  public struct Connections: Equatable, Sendable {
    /// The maximum number of open sockets.
    public var total = 2048
    /// The maximum number of open sockets of one IPv4 address or one IPv6 /64.
    public var perAddress = 512
    /// The maximum number of open sockets of one address whose first request is incomplete.
    public var pendingPerAddress = 64
    /// The seconds that an idle connection of a page is kept.
    public var keepAliveSeconds = 30

    /// Creates the default limits.
    public init() {}
  }

  /// The limits on requests until the application responds.
  public struct Requests: Equatable, Sendable {
    /// The maximum size of the head of a request, in bytes.
    public var headerBytes = 8192
    /// The maximum number of requests whose headers are being read at the same time.
    public var concurrentHeaders = 2048
    /// The seconds within which a request must arrive.
    public var arrivalSeconds = 10
    /// The maximum number of requests that wait for the application at the same time.
    public var waiting = 512
    /// The maximum number of requests of one address that wait for the application at the same
    /// time.
    public var waitingPerAddress = 128
    /// The seconds that a request waits for the application's response, or that a body may be
    /// paused.
    public var waitingSeconds = 120.0

    /// Creates the default limits.
    public init() {}
  }

  /// The limits on the bodies of requests.
  public struct Bodies: Equatable, Sendable {
    /// The time within which a body must arrive.
    public var time = ServerOptions.TransferTime(seconds: 30, bytesPerSecond: 16_384)
    /// The bytes of unwanted input, in a body or after a WebSocket failed, that are read so that
    /// the client receives the reason.
    public var discardedBytes = 64 << 20
    /// The seconds for reading an unwanted body.
    public var discardingSeconds = 5.0

    /// Creates the default limits.
    public init() {}
  }

  /// The limits on responses.
  public struct Responses: Equatable, Sendable {
    /// The maximum number of concurrent responses of more than a packet or two to one address.
    public var longPerAddress = 256
    /// The time within which a response must be sent.
    public var time = ServerOptions.TransferTime(seconds: 60, bytesPerSecond: 8192)

    /// Creates the default limits.
    public init() {}
  }

  /// The limits on WebSockets.
  public struct WebSockets: Equatable, Sendable {
    /// The rate at which one address may open WebSockets.
    public var handshakesPerAddress = ServerOptions.Rate(perSecond: 32, burst: 512)
    /// The maximum size of a message from a client, in bytes.
    public var receivedMessageBytes = 512
    /// The rate of bytes from one WebSocket.
    public var receivedBytes = ServerOptions.Rate(perSecond: 131_072, burst: 524_288)
    /// The rate of bytes from all WebSockets of one address.
    public var receivedBytesPerAddress = ServerOptions.Rate(perSecond: 2_097_152, burst: 8_388_608)
    /// The rate of pings, pongs and empty fragments from one WebSocket.
    public var controlFrames = ServerOptions.Rate(perSecond: 4, burst: 20)
    /// The maximum size of a message to a client, in bytes.
    public var sentMessageBytes = 262_144
    /// The maximum number of bytes that wait unsent in the kernel for one WebSocket.
    public var unsentBytes = 1024
    /// The seconds of silence after which a WebSocket is pinged.
    public var secondsUntilPing = 5
    /// The seconds of silence after which a WebSocket is considered dead: the other members
    /// notice within twelve seconds that one is gone.
    public var secondsUntilHangup = 11

    /// Creates the default limits.
    public init() {}
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

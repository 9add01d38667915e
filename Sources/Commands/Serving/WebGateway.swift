internal import Fabric
internal import Gateway
internal import Telemetry
internal import WebServer

/// The gateway of a process: its WebSockets, its site, and the exchange of messages with the room
/// host, which is in the same process.
///
/// It lives on the service thread.
final class WebGateway: WebApplication {
  private(set) weak var server: WebServer?
  private(set) var address: ServerAddress?

  private let host: RoomHost
  private let sources: Site.Sources
  /// Created on first use, because it refers back to this gateway.
  private lazy var site = Site(sources, host: self)
  private let lines: ServerLines
  private var gateway = Gateway()
  private var lastMember: UInt32 = 0
  /// The next messages to the host and the last ones from it; kept to reuse their memory.
  private var toHost: [GatewayMessage] = []
  private var fromHost = HostMessages()
  private var metrics: MessageMetrics { sources.metrics.messages }

  /// Creates a gateway to the rooms of a host, with a site.
  init(_ sources: Site.Sources, host: RoomHost) {
    self.sources = sources
    self.host = host
    lines = ServerLines(metrics: sources.metrics.messages, audit: sources.audit)
  }

  /// Stores the server that listens for this gateway, and its address.
  func listens(_ server: WebServer, at address: ServerAddress) {
    (self.server, self.address) = (server, address)
    lines.server = server
  }

  /// Runs work on the host and delivers the resulting messages.
  func perform(_ work: HostThread.Work) {
    work(host)
    exchange(now: WebServer.now())
  }

  /// Exchanges messages between the gateway and the host until neither has any.
  /// - Returns: Whether a frame, or another message to a whole room, was published.
  @discardableResult
  private func exchange(now: Double) -> Bool {
    var hasPublished = false
    repeat {
      gateway.takeMessages(into: &toHost)
      host.receive(toHost, now: now)
      host.takeMessages(into: &fromHost)
      let began = WebServer.now()
      if gateway.deliver(fromHost, now: now, lines: lines) {
        hasPublished = true
        metrics.fanOut.observe(WebServer.now() - began)
      }
      fromHost.removeAll()
    } while gateway.hasMessages
    let next = min(gateway.wakeTime ?? .infinity, host.wakeTime ?? .infinity)
    server?.schedule(at: next.isFinite ? next : nil)
    return hasPublished
  }

  // MARK: WebSocket

  func opened(_ connection: ConnectionID, from peer: String, now: Double) {
    lines.opened(LineID(connection), from: peer)
    lastMember &+= 1
    gateway.opened(LineID(connection), as: MemberID(lastMember), from: peer, now: now)
    exchange(now: now)
  }

  func received(_ connection: ConnectionID, _ bytes: UnsafeRawBufferPointer, now: Double) {
    metrics.received.add()
    gateway.received(bytes, over: LineID(connection), now: now, lines: lines)
    guard exchange(now: now) else { return }
    metrics.inputToFrame.observe(WebServer.now() - now)
  }

  func becameWritable(_ connection: ConnectionID, now: Double) {
    gateway.writable(LineID(connection), now: now, lines: lines)
    exchange(now: now)
  }

  func closed(_ connection: ConnectionID, code: UInt16, now: Double) {
    gateway.closed(LineID(connection), code: code)
    exchange(now: now)
    lines.closed(LineID(connection))
  }

  func tick(now: Double) {
    gateway.wake(now: now, lines: lines)
    if let wake = host.wakeTime, wake <= now { host.wake(now: now) }
    exchange(now: now)
  }

  func refused(_ cause: String, to peer: String) { sources.audit.noteRefusal(cause, to: peer) }

  func willStop(now: Double) {
    host.sayGoodbye()
    exchange(now: now)
  }

  // MARK: HTTP

  func respond(to request: HTTPRequest, as id: RequestID) -> HTTPAnswer {
    guard request.isForAdmin else { return site.respond(to: request, as: id) }
    switch request.path {
    case "/healthz" where request.method.isSafe: return .now(health())
    case "/readyz" where request.method.isSafe: return site.readiness(id)
    case "/metrics" where request.method.isSafe: return site.measures()
    default:
      return .now(.text(status: 404, "Here are /healthz, /readyz and /metrics.\n"))
    }
  }

  func bodyReceived(_ id: RequestID, _ bytes: UnsafeRawBufferPointer) {
    site.bodyReceived(id, bytes)
  }

  func bodyEnded(_ id: RequestID) { site.bodyEnded(id) }

  func requestGone(_ id: RequestID) { site.requestGone(id) }

  private func health() -> HTTPResponse {
    .json(
      HealthJSON(
        rooms: host.roomCount,
        members: host.memberCount,
        messagesSent: metrics.messagesSent,
        inputToFrameMilliseconds: HealthJSON.Latency(metrics.inputToFrame),
        library: HealthJSON.Shelf(sources.library)
      )
    )
  }
}

extension WebGateway: SiteHost {
  func ask(_ question: HostQuestion) -> Bool { host.answer(question) }

  func measure() {
    host.measure()
    sources.metrics.rooms.dropped.raise(to: UInt64(clamping: gateway.droppedCount))
  }
}

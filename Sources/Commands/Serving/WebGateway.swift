internal import Fabric
internal import Gateway
internal import Rooms
internal import Telemetry
internal import WebServer

/// The gateway of a service thread: its WebSockets, its site, and the exchange of messages with the
/// room hosts of this thread and of others.
///
/// It lives on the service thread.
final class WebGateway: WebApplication {
  private(set) weak var server: WebServer?
  private(set) var address: ServerAddress?

  let host: RoomHost
  private let threads: ServiceThreads
  let rooms: RoomSwitch
  private let sources: Site.Sources
  /// Created on first use, because it refers back to this gateway.
  private lazy var site = Site(sources, host: self)
  private let lines: ServerLines
  var gateway = Gateway()
  /// The rooms of other nodes, and the ways to rooms; nil if the process is alone.
  let relays: RoomRelays?
  let ways: WayFinder?
  /// The next messages to the host and the last ones from it; kept to reuse their memory.
  private var toHost: [GatewayMessage] = []
  private var fromHost = HostMessages()
  private var metrics: MessageMetrics { sources.metrics.messages }

  /// Creates the gateway of a thread with a host, and its site.
  init(_ sources: Site.Sources, host: RoomHost, threads: ServiceThreads, index: Int) {
    self.sources = sources
    self.host = host
    self.threads = threads
    rooms = RoomSwitch(threads: threads, index: index)
    let states = RoomStates(log: threads.cluster?.log ?? .disabled)
    relays = threads.cluster.map { RoomRelays(cluster: $0, states: states) }
    ways = threads.cluster.map { WayFinder(cluster: $0, states: states, index: index) }
    lines = ServerLines(metrics: sources.metrics.messages, audit: sources.audit)
    relays?.site = self
  }

  /// Stores the server that listens for this gateway, and its address.
  func listens(_ server: WebServer, at address: ServerAddress) {
    (self.server, self.address) = (server, address)
    lines.server = server
  }

  /// Replaces the access to the library, for requests and for members who connect.
  func replaceAccess(_ access: Access) {
    site.access = access
    host.replaceKeys(access.keys)
  }

  /// Runs work on the host and delivers the resulting messages.
  func perform(_ work: HostThread.Work) {
    work(host)
    exchange(now: WebServer.now())
  }

  /// Passes messages of another gateway to the host, and delivers what it answers.
  func receive(_ messages: [GatewayMessage], from address: GatewayAddress) {
    let now = WebServer.now()
    if case .relay(let node, let room) = address, let relays {
      guard relays.admits(node, to: room) else {
        return relays.hold(for: room) { [weak self] in self?.receive(messages, from: address) }
      }
    }
    var messages = messages
    rooms.accept(&messages, from: address)
    if case .thread = address { relays?.take(&messages, now: now) }
    host.receive(messages, now: now)
    exchange(now: now)
  }

  /// Delivers messages of the host of another thread.
  func deliver(_ messages: HostMessages, from thread: Int) {
    let now = WebServer.now()
    rooms.noteAdoptions(messages, thread: thread)
    deliver(messages, now: now)
    exchange(now: now)
  }

  /// Delivers messages of a host to the members of this gateway.
  /// - Returns: Whether a frame, or another message to a whole room, was published.
  @discardableResult
  func deliver(_ messages: HostMessages, now: Double) -> Bool {
    let began = WebServer.now()
    defer { noteMemberChanges(now: now) }
    guard gateway.deliver(messages, now: now, lines: lines) else { return false }
    metrics.fanOut.observe(WebServer.now() - began)
    return true
  }

  private func noteMemberChanges(now: Double) {
    guard gateway.hasMemberChanges else { return }
    threads.members.note(gateway.takeMemberChanges(), at: now)
  }

  /// Exchanges messages between the gateway and the hosts until it has none for the host of this
  /// thread.
  /// - Returns: Whether a frame, or another message to a whole room, was published.
  @discardableResult
  func exchange(_ first: [GatewayMessage] = [], now: Double) -> Bool {
    var hasPublished = false
    var first = first
    repeat {
      gateway.takeMessages(into: &toHost)
      ways?.take(&toHost, now: now)
      if !first.isEmpty {
        toHost = first + toHost
        first = []
      }
      rooms.dispatch(&toHost, now: now)
      rooms.accept(&toHost, from: nil)
      relays?.take(&toHost, now: now)
      host.receive(toHost, now: now)
      host.takeMessages(into: &fromHost)
      relays?.note(fromHost)
      if deliver(fromHost, now: now) { hasPublished = true }
      rooms.forward(fromHost, home: &gateway, now: now)
      fromHost.removeAll()
    } while gateway.hasMessages
    let next = min(
      gateway.wakeTime ?? .infinity,
      host.wakeTime ?? .infinity,
      relays?.wakeTime ?? .infinity
    )
    server?.schedule(at: next.isFinite ? next : nil)
    return hasPublished
  }

  // MARK: WebSocket

  func opened(_ connection: ConnectionID, from peer: String, now: Double) {
    lines.opened(LineID(connection), from: peer)
    let member = threads.members.next(at: now)
    gateway.opened(LineID(connection), as: member, from: peer, now: now)
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
    noteMemberChanges(now: now)
    exchange(now: now)
    lines.closed(LineID(connection))
  }

  func tick(now: Double) {
    gateway.wake(now: now, lines: lines)
    relays?.wake(now: now)
    // A process that was paused must not move rooms before its leases are confirmed.
    let mayMove = relays?.isFenced != true
    if let wake = host.wakeTime, wake <= now, mayMove { host.wake(now: now) }
    exchange(now: now)
    if !mayMove { server?.schedule(at: now + RoomRegistry.pauseSeconds) }
  }

  func refused(_ cause: String, to peer: String) { sources.audit.noteRefusal(cause, to: peer) }

  func willStop(now: Double) {
    gateway.sayGoodbye(lines: lines)
    host.keepPlaces()
    exchange(now: now)
    relays?.handOverAll()
  }

  // MARK: HTTP

  func respond(to request: HTTPRequest, as id: RequestID) -> HTTPAnswer {
    guard request.isForAdmin else { return site.respond(to: request, as: id) }
    switch request.path {
    case "/healthz" where request.method.isSafe:
      return answerLater(id) { [weak self] in self?.health($0) }
    case "/readyz" where request.method.isSafe: return site.readiness(id)
    case "/metrics" where request.method.isSafe:
      return answerLater(id) { [weak self] in self?.measures($0) }
    default:
      return .now(.text(status: 404, "Here are /healthz, /readyz and /metrics.\n"))
    }
  }

  func bodyReceived(_ id: RequestID, _ bytes: UnsafeRawBufferPointer) {
    site.bodyReceived(id, bytes)
  }

  func bodyEnded(_ id: RequestID) { site.bodyEnded(id) }

  func requestGone(_ id: RequestID) { site.requestGone(id) }

  /// Answers a request with a response that needs the figures of all hosts.
  private func answerLater(
    _ id: RequestID,
    _ respond: @escaping (RoomFigures) -> HTTPResponse?
  ) -> HTTPAnswer {
    guard let mailbox = server?.mailbox else { return .nothing }
    // Only this thread calls the closure.
    nonisolated(unsafe) let respond = respond
    threads.collect(
      { $0.figures },
      then: { all in
        let figures = all.reduce(into: RoomFigures()) { $0 += $1 }
        mailbox.perform { server in
          if let response = respond(figures) { server.answer(id, response) }
        }
      }
    )
    return .later
  }

  private func health(_ figures: RoomFigures) -> HTTPResponse {
    .json(
      HealthJSON(
        rooms: figures.active,
        members: figures.present,
        messagesSent: metrics.messagesSent,
        inputToFrameMilliseconds: HealthJSON.Latency(metrics.inputToFrame),
        library: HealthJSON.Shelf(sources.library)
      )
    )
  }

  private func measures(_ figures: RoomFigures) -> HTTPResponse {
    sources.metrics.rooms.note(figures)
    sources.metrics.rooms.dropped.raise(to: UInt64(clamping: gateway.droppedCount))
    return site.measures()
  }
}

extension WebGateway: SiteHost {}

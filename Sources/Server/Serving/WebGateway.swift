internal import Clustering
internal import Fabric
internal import Gateway
internal import Rooms
internal import Telemetry
internal import WebServer

/// The gateway of a service thread: its WebSockets, its site, and the exchange of messages with the
/// room hosts of this thread and of others.
///
/// It lives on the service thread.
final class WebGateway: WebApplication, SiteHost {
  private(set) weak var server: WebServer?
  private(set) var address: ServerAddress?

  let host: RoomHost
  private let threads: ServiceThreads
  private let index: Int
  private let cluster: ClusterNode?
  private(set) lazy var router = MessageRouter(
    threads: threads,
    cluster: cluster,
    index: index,
    host: host,
    relays: relays
  )
  private let sources: Site.Sources
  /// Created on first use, because it refers back to this gateway.
  private lazy var site = Site(sources, host: self)
  private let clients: ServerClients
  var gateway = Gateway()
  /// The rooms of other nodes; nil if the process is alone.
  private(set) lazy var relays = cluster.map { Relays(cluster: $0, thread: self) }
  /// The next messages to the host and the last ones from it; kept to reuse their memory.
  private var toHost: [GatewayMessage] = []
  private var fromHost = HostMessages()
  private var metrics: MessageMetrics { sources.metrics.messages }

  /// Creates the gateway of a thread with a host, and its site.
  init(
    _ sources: Site.Sources,
    host: RoomHost,
    threads: ServiceThreads,
    cluster: ClusterNode?,
    index: Int
  ) {
    self.sources = sources
    self.host = host
    (self.threads, self.cluster, self.index) = (threads, cluster, index)
    clients = ServerClients(metrics: sources.metrics.messages, audit: sources.audit)
    if let cluster {
      gateway.clockLead = { [weak cluster] in cluster?.clockLead(ofRoom: $0.room) }
    }
  }

  /// Stores the server that listens for this gateway, and its address.
  func listens(_ server: WebServer, at address: ServerAddress) {
    (self.server, self.address) = (server, address)
    clients.server = server
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
    if case .relay(let node, let room) = address,
      relays?.admits(messages, from: node, to: room) == false
    {
      return
    }
    exchange(messages, from: address, now: now)
  }

  /// Serves a member from now on that another thread has served, and handles what it has sent.
  func serve(_ member: MovedMember) {
    server?.webSockets.attach(member.socket) { connection in
      clients.opened(ClientID(connection), from: member.connection.peer)
      gateway.adopt(member.connection, as: ClientID(connection))
      router.serve(member.messages)
      exchange(member.messages, now: WebServer.now())
    }
  }

  /// Lets another thread serve a member, unless its connection is ending.
  private func move(_ member: MemberID, _ messages: [GatewayMessage], to thread: Int) {
    guard let client = gateway.client(of: member),
      let socket = server?.webSockets.detach(ConnectionID(client)),
      let connection = gateway.remove(member)
    else { return }
    clients.closed(client)
    let moved = MovedMember(socket: socket, connection: connection, messages: messages)
    threads.threads[thread].performOnGateway { $0.serve(moved) }
  }

  /// Executes messages of the host of another thread.
  func receive(_ messages: HostMessages) {
    let now = WebServer.now()
    router.noteAdoptions(messages)
    execute(messages, now: now)
    exchange(now: now)
  }

  /// Delivers messages of the host of this thread, or of another node, to the members of the room.
  /// - Returns: Whether a frame, or another message to a whole room, was published.
  @discardableResult
  func deliver(_ messages: HostMessages, now: Double) -> Bool {
    relays?.note(messages)
    router.noteAdoptions(messages)
    let hasPublished = execute(messages, now: now)
    router.forward(messages, home: &gateway, now: now)
    return hasPublished
  }

  /// Executes messages of a host for the members behind this gateway.
  @discardableResult
  private func execute(_ messages: HostMessages, now: Double) -> Bool {
    let began = WebServer.now()
    defer { noteMemberChanges(now: now) }
    guard gateway.deliver(messages, now: now, clients: clients) else { return false }
    metrics.fanOut.observe(WebServer.now() - began)
    return true
  }

  private func noteMemberChanges(now: Double) {
    guard gateway.hasMemberChanges else { return }
    threads.members.note(gateway.drainMemberChanges(), at: now)
  }

  /// Exchanges messages between the gateway and the hosts until it has none for the host of this
  /// thread.
  /// - Parameters:
  ///   - first: Messages to handle before those of this gateway.
  ///   - address: The gateway from which they are; nil for this one.
  ///   - now: The time, in seconds.
  /// - Returns: Whether a frame, or another message to a whole room, was published.
  @discardableResult
  func exchange(
    _ first: [GatewayMessage] = [],
    from address: GatewayAddress? = nil,
    now: Double
  ) -> Bool {
    var hasPublished = false
    var source = address
    if first.isEmpty { gateway.drainMessages(into: &toHost) } else { toHost += first }
    repeat {
      router.route(&toHost, from: source, now: now) { move($0, $1, to: $2) }
      host.receive(toHost, now: now)
      host.drainMessages(into: &fromHost)
      if deliver(fromHost, now: now) { hasPublished = true }
      fromHost.removeAll()
      gateway.drainMessages(into: &toHost)
      source = nil
    } while !toHost.isEmpty
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
    clients.opened(ClientID(connection), from: peer)
    let member = threads.members.next(at: now)
    gateway.opened(ClientID(connection), as: member, from: peer, now: now)
    exchange(now: now)
  }

  func received(_ connection: ConnectionID, _ bytes: UnsafeRawBufferPointer, now: Double) {
    metrics.received.add()
    let dropped = gateway.droppedCount
    gateway.received(bytes, from: ClientID(connection), now: now, clients: clients)
    if gateway.droppedCount > dropped { sources.metrics.rooms.dropped.add() }
    guard exchange(now: now) else { return }
    metrics.inputToFrame.observe(WebServer.now() - now)
  }

  func becameWritable(_ connection: ConnectionID, now: Double) {
    gateway.writable(ClientID(connection), now: now, clients: clients)
    exchange(now: now)
  }

  func closed(_ connection: ConnectionID, code: UInt16, now: Double) {
    gateway.closed(ClientID(connection), code: code)
    noteMemberChanges(now: now)
    exchange(now: now)
    clients.closed(ClientID(connection))
  }

  func tick(now: Double) {
    gateway.wake(now: now, clients: clients)
    relays?.wake(now: now)
    // A process that was paused must not move rooms before its leases are confirmed.
    let mayMove = relays?.isFenced != true
    if let wake = host.wakeTime, wake <= now, mayMove { host.wake(now: now) }
    exchange(now: now)
    if !mayMove { server?.schedule(at: now + RoomRegistry.pauseSeconds) }
  }

  func refused(_ cause: String, to peer: String) { sources.audit.noteRefusal(cause, to: peer) }

  func willStop(now: Double) {
    gateway.sayGoodbye(clients: clients)
    host.storeBookmarks()
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
    default: return .now(.text(status: 404, "Here are /healthz, /readyz and /metrics.\n"))
    }
  }

  var outlet: any SiteOutlet { server?.mailbox }

  func setPaused(_ isPaused: Bool, body id: RequestID) {
    if isPaused { server?.pauseBody(id) } else { server?.resumeBody(id) }
  }

  func bodyReceived(_ id: RequestID, _ bytes: UnsafeRawBufferPointer) {
    site.bodyReceived(id, bytes)
  }

  func bodyEnded(_ id: RequestID) { site.bodyEnded(id) }

  func requestGone(_ id: RequestID) { site.requestGone(id) }

  /// Answers a request with a response that needs the figures of all hosts.
  private func answerLater(
    _ id: RequestID,
    _ respond: @escaping (HostFigures) -> HTTPResponse?
  ) -> HTTPAnswer {
    guard let mailbox = server?.mailbox else { return .nothing }
    // Only this thread calls the closure.
    nonisolated(unsafe) let respond = respond
    threads.collect(
      { $0.figures },
      then: { all in
        let figures = all.reduce(into: HostFigures()) { $0 += $1 }
        mailbox.perform { server in
          if let response = respond(figures) { server.answer(id, response) }
        }
      }
    )
    return .later
  }

  private func health(_ figures: HostFigures) -> HTTPResponse {
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

  private func measures(_ figures: HostFigures) -> HTTPResponse {
    sources.metrics.rooms.note(figures)
    server?.measure()
    return site.measures()
  }
}

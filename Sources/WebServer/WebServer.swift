internal import CLibwebsockets
internal import Glibc
public import Telemetry

/// Serves pages, files and WebSockets of the subprotocol `lectern.v1` at `/ws`, on one thread.
///
/// The thread that calls `run()` is the only one that may use the server, from the application's
/// callbacks; other threads hold its `Stopper` and its `Mailbox`. At rest nothing runs: the server
/// wakes for sockets, for the one timer the application arms, for the mailbox, and for the pings of
/// silent WebSockets.
public final class WebServer {
  /// The one subprotocol that is spoken.
  public static let subprotocol = "lectern.v1"
  /// The path that WebSockets open at.
  public static let webSocketPath = "/ws"
  /// The code that a connection is closed with whose next message is larger than any that is sent.
  public static let oversizedCode: UInt16 = 4014

  /// The port that is listened on.
  public let port: Int
  /// The port for those who run the server, if there is one.
  public let adminPort: Int?
  /// Stops the server, from any thread.
  public let stopper: Stopper
  /// Brings work to the server's thread, from any thread.
  public let mailbox: Mailbox

  let options: ServerOptions
  /// What is served.
  public let application: any WebApplication
  let files: StaticFiles?
  let writeBuffer: WriteBuffer
  var members = MemberTable()
  var exchanges = ExchangeTable()
  let watch = SocketWatch()
  var visitors: Visitors
  var newcomers = Newcomers()
  /// WebSockets whose head libwebsockets reads.
  var doors: [OpaquePointer: Door] = [:]
  let openFiles: OpenFiles
  /// What is read from members: the largest frame, of which a part may be there, and one turn.
  let readBuffer: UnsafeMutableRawBufferPointer
  /// What was done so far.
  var metrics: ServerMetrics
  let log: Log

  private let definitions: ContextDefinitions
  private let waker = Waker()
  private(set) var context: OpaquePointer?
  private var thread = pthread_self()
  private let listener: Int32
  /// Where those who run the server ask, or -1.
  let adminListener: Int32
  private let timer: Int32
  private let signals: Int32
  private(set) var listenerConnections: [OpaquePointer] = []
  private(set) var watchConnection: OpaquePointer?
  /// A descriptor to give up when there are no others.
  var spare = FileDescriptors.spare()
  var areListenersResting = false
  var isHouseKept = false
  private var scheduled: Int64 = 0
  private(set) var isStopping = false
  private var isFinished = false

  /// Seconds of the server's clock, which counts from an arbitrary moment and never goes back.
  public static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Listens; connections are answered once `run()` is called.
  ///
  /// The server keeps the application, so the application should refer to the server weakly.
  /// - Parameters:
  ///   - options: Where it listens and what it allows.
  ///   - application: What it serves.
  ///   - registry: Where its metrics are registered, which happens once.
  ///   - log: Where it reports; the lines of libwebsockets go there too.
  /// - Throws: ``ServerError`` where it cannot listen or read its files.
  public init(
    options: ServerOptions,
    application: any WebApplication,
    registry: MetricRegistry = MetricRegistry(),
    log: Log = .disabled
  ) throws(ServerError) {
    self.application = application
    self.log = log
    metrics = ServerMetrics(in: registry)
    stopper = Stopper(waker: waker)
    mailbox = Mailbox(waker: waker)
    files = try StaticFiles(root: options.staticRoot)
    let descriptors = FileDescriptors(connections: options.limits.connections)
    var options = options
    options.limits.fit(descriptors)
    self.options = options
    visitors = Visitors(limits: options.limits)
    openFiles = OpenFiles(limit: descriptors.files)
    readBuffer = .allocate(
      byteCount: options.limits.receivedMessage + FrameReader.headerMax + Self.readTurn,
      alignment: 16
    )
    listener = try Listener.open(address: options.listenAddress, port: options.port)
    port = Int(lectern_bound_port(listener))
    let listener = listener
    do throws(ServerError) {
      adminListener =
        try options.adminEndpoint.map { endpoint throws(ServerError) in
          try Listener.open(address: endpoint.address, port: endpoint.port)
        } ?? -1
    } catch {
      Glibc.close(listener)
      throw error
    }
    adminPort = adminListener < 0 ? nil : Int(lectern_bound_port(adminListener))
    timer = lectern_timer()
    signals = options.stopsOnSignals ? lectern_signals() : -1
    writeBuffer = WriteBuffer(capacity: max(options.limits.sentMessage, WriteBuffer.minimum))
    definitions = ContextDefinitions(limits: options.limits, writeCapacity: writeBuffer.capacity)
    LibwebsocketsLog.send(to: log)
    // lws does this too, but only for what it writes itself.
    signal(SIGPIPE, SIG_IGN)
    context = definitions.makeContext(user: Unmanaged.passUnretained(self).toOpaque())
    guard context != nil, timer >= 0, watch.descriptor >= 0 else {
      for descriptor in [listener, adminListener] where descriptor >= 0 { Glibc.close(descriptor) }
      throw .cannotStart(reason: "libwebsockets gave no context")
    }
    let listeners = [listener, adminListener].filter { $0 >= 0 }
    listenerConnections = listeners.compactMap(adopt)
    watchConnection = adopt(watch.descriptor)
    guard listenerConnections.count == listeners.count, adopt(timer) != nil,
      watchConnection != nil, signals < 0 || adopt(signals) != nil
    else {
      throw .cannotStart(reason: "libwebsockets did not take the listener")
    }
    waker.attach(context)
  }

  deinit {
    destroyContext()
    readBuffer.deallocate()
    if spare >= 0 { Glibc.close(spare) }
  }

  /// Serves until stopped.
  ///
  /// Call once; may be another thread than the one that made the server.
  public func run() {
    precondition(context != nil, "A server runs once")
    thread = pthread_self()
    while !isFinished {
      if stopper.isStopRequested { beginStop(because: "request") }
      if isFinished || lws_service(context, 0) < 0 { break }
    }
    destroyContext()
  }

  /// Brings the metrics that go up and down up to date, before somebody reads them.
  public func measure() {
    checkThread()
    metrics.note(webSockets: members.count, connections: visitors.count + newcomers.count)
  }

  /// The version of libwebsockets that is linked, such as `4.1.6`.
  public static var libraryVersion: String {
    let version = lws_get_library_version().map { String(cString: $0) } ?? ""
    return String(version.prefix { $0 != "-" && $0 != " " })
  }

  /// Sends a binary message at once.
  ///
  /// False means that nothing of it was taken, because the connection has not yet swallowed an
  /// earlier one: `becameWritable` then tells when it does. An unknown connection gives false. So
  /// does a message above `limits.sentMessage`, which closes the connection.
  @discardableResult
  public func send(_ connection: ConnectionID, _ bytes: UnsafeRawBufferPointer) -> Bool {
    checkThread()
    guard let member = members[connection], !member.isClosing else { return false }
    guard bytes.count <= options.limits.sentMessage else {
      metrics.oversized.add()
      log.error(
        .messageOversized,
        "A message is too large to be sent and closes its connection.",
        ["bytes": .count(bytes.count), "limit": .count(options.limits.sentMessage)],
        collapsing: "message.oversized"
      )
      close(connection, code: Self.oversizedCode, reason: "A message became too large to be sent.")
      return false
    }
    // Written into a half sent message, lws would lose its place in the framing.
    guard lws_partial_buffered(member.socket) == 0 else {
      members.awaitWritable(connection)
      lws_callback_on_writable(member.socket)
      return false
    }
    writeBuffer.fill(bytes)
    if writeBuffer.write(bytes.count, to: member.socket, as: LWS_WRITE_BINARY) { return true }
    cut(connection)
    return false
  }

  /// Asks for one `tick` at a time of `now()`'s clock, instead of any asked for before; nil for
  /// none.
  ///
  /// A time that has passed ticks at once.
  public func schedule(at time: Double?) {
    checkThread()
    // The last second belongs to the goodbyes.
    if !isStopping { setTimer(time) }
  }

  /// Runs a closure on this thread soon, from any thread: see `Mailbox.perform`, which is what
  /// another thread can hold.
  public func perform(_ work: @escaping @Sendable () -> Void) {
    mailbox.perform(work)
  }

  private func setTimer(_ time: Double?) {
    // A time that is no number ticks at once: nobody waits for ever.
    let nanoseconds = time.map { $0 > 1e-9 ? Int64(min($0, 4e9) * 1e9) : 1 } ?? 0
    guard nanoseconds != scheduled else { return }
    scheduled = nanoseconds
    _ = lectern_timer_set(timer, nanoseconds)
  }

  func checkThread() {
    precondition(pthread_equal(thread, pthread_self()) != 0, "Not the thread of the server")
  }

  private func adopt(_ descriptor: Int32) -> OpaquePointer? {
    var union = lws_sock_file_fd_type()
    union.filefd = descriptor
    return definitions.withProtocolName { name in
      lws_adopt_descriptor_vhost(
        lws_get_vhost_by_name(context, "default"),
        LWS_ADOPT_RAW_FILE_DESC,
        union,
        name,
        nil
      )
    }
  }

  private func destroyContext() {
    guard let context else { return }
    mailbox.close()
    waker.attach(nil)
    forgetNewcomers()
    lws_context_destroy(context)
    self.context = nil
  }
}

// What the callbacks of libwebsockets lead to, apart from requests and WebSockets.
extension WebServer {
  func descriptorBecameReadable(_ descriptor: Int32) {
    switch descriptor {
    case listener, adminListener:
      acceptConnections(from: descriptor)
    case timer:
      var expirations: UInt64 = 0
      guard read(timer, &expirations, 8) == 8 else { return }
      scheduled = 0
      if isStopping { isFinished = true } else { application.tick(now: Self.now()) }
    case watch.descriptor:
      socketsChanged()
    default:
      var info = [UInt8](repeating: 0, count: 128)
      guard read(descriptor, &info, info.count) > 0 else { return }
      // The number of the signal comes first (signalfd_siginfo).
      let signal = info.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
      beginStop(because: signal == UInt32(SIGINT) ? "SIGINT" : "SIGTERM")
    }
  }

  /// Another thread wants something.
  func wasWoken() {
    for work in mailbox.takeWork() { work(self) }
    if stopper.isStopRequested { beginStop(because: "request") }
  }

  private func beginStop(because cause: String) {
    guard !isStopping else { return }
    log.info(
      .serverStopping,
      "The server stops.",
      ["cause": .text(cause), "websockets": .count(members.count)]
    )
    application.willStop(now: Self.now())
    isStopping = true
    for exchange in exchanges.all { fail(exchange, Self.stopping) }
    setTimer(Self.now() + 1)
    for connection in listenerConnections { settle(-1, connection) }
    forgetNewcomers()
    for connection in members.connections {
      close(connection, code: 1001, reason: "the server stops")
    }
    finishIfIdle()
  }

  /// Ends `run()` early when a stopping server has nobody left to say goodbye to.
  func finishIfIdle() {
    if isStopping, !isFinished, members.count == 0,
      exchanges.all.allSatisfy({ $0.phase == .lingering })
    {
      isFinished = true
      // lws may otherwise go back to waiting before run() looks.
      lws_cancel_service(context)
    }
  }

  /// The time of a request, or of the watch over all, has come: -1 hangs up.
  func timeCame(for socket: OpaquePointer) -> Int32 {
    if socket == watchConnection {
      keepHouse()
      return 0
    }
    return exchangeTimedOut(socket)
  }
}

internal import CLibwebsockets
internal import Glibc
public import Telemetry

/// Serves pages, files and WebSockets of the subprotocol `lectern.v1` at `/ws`, on one thread.
///
/// Only the thread that calls `run()` may use the server, from the application's callbacks; other
/// threads use its `Stopper` and its `Mailbox`. At rest nothing runs: the server wakes for sockets,
/// for the one timer of the application, for the mailbox, and to ping silent WebSockets.
public final class WebServer {
  /// The only supported subprotocol.
  public static let subprotocol = "lectern.v1"
  /// The path of WebSockets.
  public static let webSocketPath = "/ws"
  /// The close code of a connection whose next message is too large to be sent.
  public static let oversizedCode: UInt16 = 4014

  /// The port on which the server listens.
  public let port: Int
  /// The port of the admin endpoint, if there is one.
  public let adminPort: Int?
  /// Stops the server, from any thread.
  public let stopper: Stopper
  /// Passes work to the server's thread, from any thread.
  public let mailbox: Mailbox

  let options: ServerOptions
  /// The application.
  public let application: any WebApplication
  let files: StaticFiles?
  let writeBuffer: WriteBuffer
  var members = MemberTable()
  var exchanges = ExchangeTable()
  let watch = SocketWatch()
  var visitors: Visitors
  var newcomers = Newcomers()
  /// WebSockets whose head libwebsockets is reading.
  var doors: [OpaquePointer: Door] = [:]
  let openFiles: OpenFiles
  /// The buffer for input of members: the largest frame, which may be partial, and one turn.
  let readBuffer: UnsafeMutableRawBufferPointer
  /// The metrics.
  var metrics: ServerMetrics
  let log: Log

  private let definitions: ContextDefinitions
  private let waker = Waker()
  private(set) var context: OpaquePointer?
  private var thread = pthread_self()
  private let listener: Int32
  /// The listener of the admin endpoint, or -1.
  let adminListener: Int32
  private let timer: Int32
  private let signals: Int32
  private(set) var listenerConnections: [OpaquePointer] = []
  private(set) var watchConnection: OpaquePointer?
  /// A reserve descriptor; see FileDescriptors.
  var spare = FileDescriptors.spare()
  var areListenersResting = false
  var isHouseKept = false
  private var scheduled: Int64 = 0
  private(set) var isStopping = false
  private var isFinished = false

  /// The server's clock in seconds, which starts at an arbitrary moment and never jumps.
  public static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Creates a server that listens; it answers once `run()` is called.
  ///
  /// The server holds the application strongly, so the application should refer to the server
  /// weakly.
  /// - Parameters:
  ///   - options: The addresses and limits.
  ///   - application: The application.
  ///   - registry: The registry for its metrics, which are registered once.
  ///   - log: The log, which also receives the messages of libwebsockets.
  /// - Throws: ``ServerError`` if it cannot listen or read its files.
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
    let descriptors = FileDescriptors(connections: options.limits.connections.total)
    var options = options
    options.limits.fit(descriptors)
    self.options = options
    visitors = Visitors(limits: options.limits)
    openFiles = OpenFiles(limit: descriptors.files)
    let frameMax = options.limits.webSockets.receivedMessageBytes + FrameReader.headerMax
    readBuffer = .allocate(byteCount: frameMax + Self.readTurn, alignment: 16)
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
    let messageMax = options.limits.webSockets.sentMessageBytes
    writeBuffer = WriteBuffer(capacity: max(messageMax, WriteBuffer.minimum))
    definitions = ContextDefinitions(limits: options.limits, writeCapacity: writeBuffer.capacity)
    LibwebsocketsLog.send(to: log)
    // libwebsockets also does this, but only for its own writes.
    signal(SIGPIPE, SIG_IGN)
    context = definitions.makeContext(user: Unmanaged.passUnretained(self).toOpaque())
    guard context != nil, timer >= 0, watch.descriptor >= 0 else {
      for descriptor in [listener, adminListener] where descriptor >= 0 { Glibc.close(descriptor) }
      throw .cannotStart(reason: "libwebsockets could not create a context")
    }
    let listeners = [listener, adminListener].filter { $0 >= 0 }
    listenerConnections = listeners.compactMap(adopt)
    watchConnection = adopt(watch.descriptor)
    guard listenerConnections.count == listeners.count, adopt(timer) != nil,
      watchConnection != nil, signals < 0 || adopt(signals) != nil
    else {
      throw .cannotStart(reason: "libwebsockets did not accept the listener")
    }
    waker.attach(context)
  }

  deinit {
    destroyContext()
    readBuffer.deallocate()
    if spare >= 0 { Glibc.close(spare) }
  }

  /// Serves until it is stopped.
  ///
  /// Call it once; the thread may differ from the one that created the server.
  public func run() {
    precondition(context != nil, "A server can run only once")
    thread = pthread_self()
    while !isFinished {
      if stopper.isStopRequested { beginStop(because: "request") }
      if isFinished || lws_service(context, 0) < 0 { break }
    }
    destroyContext()
  }

  /// Updates the gauges before somebody reads them.
  public func measure() {
    checkThread()
    metrics.note(webSockets: members.count, connections: visitors.count + newcomers.count)
  }

  /// The version of the linked libwebsockets, such as `4.1.6`.
  public static var libraryVersion: String {
    let version = lws_get_library_version().map { String(cString: $0) } ?? ""
    return String(version.prefix { $0 != "-" && $0 != " " })
  }

  /// Sends a binary message immediately.
  ///
  /// Returns false if nothing of it was accepted because the connection is still busy with an
  /// earlier message; `becameWritable` reports when it is ready. Also returns false for an unknown
  /// connection, and for a message above `limits.webSockets.sentMessageBytes`, which closes the
  /// connection.
  @discardableResult
  public func send(_ connection: ConnectionID, _ bytes: UnsafeRawBufferPointer) -> Bool {
    checkThread()
    guard let member = members[connection], !member.isClosing else { return false }
    let limit = options.limits.webSockets.sentMessageBytes
    guard bytes.count <= limit else {
      metrics.oversized.add()
      log.error(
        .messageOversized,
        "A message is too large to be sent; its connection is closed.",
        ["bytes": .count(bytes.count), "limit": .count(limit)],
        collapsing: "message.oversized"
      )
      close(connection, code: Self.oversizedCode, reason: "A message was too large to be sent.")
      return false
    }
    // If another message were written after a partial one, libwebsockets would lose its position in
    // the framing.
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

  /// Schedules one `tick` at a time of the `now()` clock and replaces the previous one; nil for
  /// none.
  ///
  /// A time in the past ticks immediately.
  public func schedule(at time: Double?) {
    checkThread()
    // The last second is reserved for close frames.
    if !isStopping { setTimer(time) }
  }

  /// Runs a closure on this thread soon, from any thread; other threads use `Mailbox.perform`,
  /// which does the same.
  public func perform(_ work: @escaping @Sendable () -> Void) {
    mailbox.perform(work)
  }

  private func setTimer(_ time: Double?) {
    // A time that is not a number ticks immediately, so that nobody waits forever.
    let nanoseconds = time.map { $0 > 1e-9 ? Int64(min($0, 4e9) * 1e9) : 1 } ?? 0
    guard nanoseconds != scheduled else { return }
    scheduled = nanoseconds
    _ = lectern_timer_set(timer, nanoseconds)
  }

  func checkThread() {
    precondition(
      pthread_equal(thread, pthread_self()) != 0,
      "The server must be used on its own thread"
    )
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

// Events of libwebsockets, except those of requests and WebSockets.
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
      // The structure begins with the number of the signal (signalfd_siginfo).
      let signal = info.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
      beginStop(because: signal == UInt32(SIGINT) ? "SIGINT" : "SIGTERM")
    }
  }

  /// Handles a request of another thread.
  func wasWoken() {
    for work in mailbox.takeWork() { work(self) }
    if stopper.isStopRequested { beginStop(because: "request") }
  }

  private func beginStop(because cause: String) {
    guard !isStopping else { return }
    log.info(
      .serverStopping,
      "The server is stopping.",
      ["cause": .text(cause), "websockets": .count(members.count)]
    )
    application.willStop(now: Self.now())
    isStopping = true
    for exchange in exchanges.all { fail(exchange, Self.stopping) }
    setTimer(Self.now() + 1)
    for connection in listenerConnections { settle(-1, connection) }
    forgetNewcomers()
    for connection in members.connections {
      close(connection, code: 1001, reason: "the server is stopping")
    }
    finishIfIdle()
  }

  /// Ends `run()` early when a stopping server has no more close frames to send.
  func finishIfIdle() {
    if isStopping, !isFinished, members.count == 0,
      exchanges.all.allSatisfy({ $0.phase == .lingering })
    {
      isFinished = true
      // Otherwise libwebsockets may wait again before run() checks.
      lws_cancel_service(context)
    }
  }

  /// Handles a timeout of a request or of the whole server: -1 closes the connection.
  func timeCame(for socket: OpaquePointer) -> Int32 {
    if socket == watchConnection {
      keepHouse()
      return 0
    }
    return exchangeTimedOut(socket)
  }
}

internal import CLibwebsockets
internal import Glibc

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
  var sockets = SocketCount()
  /// What was done so far.
  public internal(set) var counts = ServerCounts()

  private let definitions: ContextDefinitions
  private let waker = Waker()
  private(set) var context: OpaquePointer?
  private var thread = pthread_self()
  private let listener: Int32
  private let timer: Int32
  private let signals: Int32
  private var listenerConnection: OpaquePointer?
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
  public init(options: ServerOptions, application: any WebApplication) throws(ServerError) {
    self.application = application
    stopper = Stopper(waker: waker)
    mailbox = Mailbox(waker: waker)
    files = try StaticFiles(root: options.staticRoot)
    var options = options
    options.limits.connections = FileDescriptors.allowance(for: options.limits.connections)
    self.options = options
    listener = try Listener.open(address: options.listenAddress, port: options.port)
    port = Int(lectern_bound_port(listener))
    timer = lectern_timer()
    signals = options.stopsOnSignals ? lectern_signals() : -1
    writeBuffer = WriteBuffer(capacity: max(options.limits.sentMessage, WriteBuffer.minimum))
    definitions = ContextDefinitions(limits: options.limits, writeCapacity: writeBuffer.capacity)
    // lws does this too, but only for what it writes itself.
    signal(SIGPIPE, SIG_IGN)
    context = definitions.makeContext(user: Unmanaged.passUnretained(self).toOpaque())
    guard context != nil, timer >= 0, watch.descriptor >= 0 else {
      Glibc.close(listener)
      throw .cannotStart(reason: "libwebsockets gave no context")
    }
    listenerConnection = adopt(listener)
    guard listenerConnection != nil, adopt(timer) != nil,
      adopt(watch.descriptor) != nil, signals < 0 || adopt(signals) != nil
    else {
      throw .cannotStart(reason: "libwebsockets did not take the listener")
    }
    waker.attach(context)
  }

  deinit {
    destroyContext()
  }

  /// Serves until stopped.
  ///
  /// Call once; may be another thread than the one that made the server.
  public func run() {
    precondition(context != nil, "A server runs once")
    thread = pthread_self()
    while !isFinished {
      if stopper.isStopRequested { beginStop() }
      if isFinished || lws_service(context, 0) < 0 { break }
    }
    destroyContext()
  }

  /// How many connections are open, WebSockets and others.
  public var connectionCount: Int { sockets.count }
  /// How many WebSockets are open.
  public var webSocketCount: Int { members.count }
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
      counts.oversized += 1
      ServerLog.write(
        "a message of \(bytes.count) bytes closed its connection: at most "
          + "\(options.limits.sentMessage) are sent at once"
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
    if writeBuffer.write(bytes.count, to: member.socket, as: LWS_WRITE_BINARY) {
      // With a half taken message in hand, lws must not find out by reading that the other side is
      // gone: it would try to get rid of the rest for ever, and serve nobody else meanwhile.
      if lws_partial_buffered(member.socket) != 0, !member.isChoked {
        members.setChoked(connection, true)
        lws_rx_flow_control(member.socket, 0)
      }
      return true
    }
    members.beginClosing(connection, code: 1006, reason: "")
    lws_set_timeout(member.socket, PENDING_TIMEOUT_KILLED_BY_PARENT, Int32(LWS_TO_KILL_ASYNC))
    return false
  }

  /// Closes a connection with a code and a reason of at most 123 bytes.
  ///
  /// `closed` follows later.
  public func close(_ connection: ConnectionID, code: UInt16, reason: String) {
    checkThread()
    guard let member = members[connection], !member.isClosing else { return }
    members.beginClosing(connection, code: code, reason: reason)
    lws_callback_on_writable(member.socket)
    // A reader that takes nothing never gives the chance to say goodbye.
    lws_set_timeout(member.socket, PENDING_TIMEOUT_KILLED_BY_PARENT, 5)
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
    lws_context_destroy(context)
    self.context = nil
  }
}

// What the callbacks of libwebsockets lead to, apart from requests and WebSockets.
extension WebServer {
  func descriptorBecameReadable(_ descriptor: Int32) {
    switch descriptor {
    case listener:
      acceptConnections()
    case timer:
      var expirations: UInt64 = 0
      guard read(timer, &expirations, 8) == 8 else { return }
      scheduled = 0
      if isStopping { isFinished = true } else { application.tick(now: Self.now()) }
    case watch.descriptor:
      socketsChanged()
    default:
      var info = [UInt8](repeating: 0, count: 128)
      if read(descriptor, &info, info.count) > 0 { beginStop() }
    }
  }

  /// Another thread wants something.
  func wasWoken() {
    for work in mailbox.takeWork() { work(self) }
    if stopper.isStopRequested { beginStop() }
  }

  func beginStop() {
    guard !isStopping else { return }
    application.willStop(now: Self.now())
    isStopping = true
    for exchange in exchanges.all { fail(exchange, Self.stopping) }
    setTimer(Self.now() + 1)
    lws_set_timeout(
      listenerConnection,
      PENDING_TIMEOUT_KILLED_BY_PARENT,
      Int32(LWS_TO_KILL_ASYNC)
    )
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

  private func acceptConnections() {
    let host = lws_get_vhost_by_name(context, "default")
    // Bounded, so that a flood of connections leaves time for those that are open.
    for _ in 0..<64 {
      var peer: UInt64 = 0
      var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
      let descriptor = lectern_accept(listener, &peer, &text)
      guard descriptor >= 0 else { return }
      counts.accepted += 1
      let address = String(
        decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)),
        as: UTF8.self
      )
      guard sockets.admits(peer, limits: limits(for: address)) else {
        counts.turnedAway += 1
        Glibc.close(descriptor)
        continue
      }
      if let socket = lws_adopt_socket_vhost(host, descriptor) {
        sockets.add(socket, of: peer, at: address)
      }
    }
  }

  /// Behind a proxy all come from one address.
  private func limits(for address: String) -> ServerOptions.Limits {
    var limits = options.limits
    if options.trustsProxy, PeerAddress(address)?.isLoopback == true {
      limits.connectionsPerAddress = limits.connections
    }
    return limits
  }
}

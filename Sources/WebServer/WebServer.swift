internal import CLibwebsockets
internal import Glibc
package import Telemetry

/// Serves pages, files and WebSockets of the subprotocol `lectern.v1` at `/ws`, on one thread.
///
/// Only the thread that calls `run()` may use the server, from the application's callbacks; other
/// threads use its `Stopper` and its `Mailbox`. At rest nothing runs: the server wakes for sockets,
/// for the one timer of the application, for the mailbox, and to ping silent WebSockets.
package final class WebServer {
  /// The only supported subprotocol.
  package static let subprotocol = "lectern.v1"
  /// The path of WebSockets.
  package static let webSocketPath = "/ws"
  /// The close code of a connection whose next message is too large to be sent.
  package static let oversizedCode: UInt16 = 4014

  /// The application.
  package let application: any WebApplication
  /// What the server shares with the other servers of the process.
  let group: ServerGroup
  let options: ServerOptions
  let loop: ServiceLoop
  let listeners: Listeners
  var connections: ConnectionTable
  var exchanges: ExchangeTable
  /// The WebSockets that this server serves.
  package let webSockets: WebSockets
  let watch = SocketWatch()
  /// The timer of the application.
  let tick = TickTimer()
  /// The timer of the server's own periodic work.
  let housekeeping = TickTimer()
  let writeBuffer: WriteBuffer
  let inputBuffer: InputBuffer

  var log: Log { group.log }
  var metrics: ServerMetrics { group.metrics }
  var files: StaticFiles? { group.files }

  /// The port on which the server listens.
  package var port: Int { listeners.port }
  /// The port of the admin endpoint, if there is one.
  package var adminPort: Int? { listeners.adminPort }
  /// The maximum number of open connections; see ``ServerGroup/connectionLimit``.
  package var connectionLimit: Int { group.connectionLimit }
  /// Stops the server, from any thread.
  package var stopper: Stopper { loop.stopper }
  /// Passes work to the server's thread, from any thread.
  package var mailbox: Mailbox { loop.mailbox }

  /// The server's clock in seconds, which starts at an arbitrary moment and never jumps.
  package static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Creates the only server of its group; it listens, and answers once `run()` is called.
  ///
  /// The server holds the application strongly, so the application should refer to the server
  /// weakly.
  /// - Parameters:
  ///   - options: The addresses and limits.
  ///   - application: The application.
  ///   - registry: The registry for its metrics, which are registered once.
  ///   - log: The log, which also receives the messages of libwebsockets.
  /// - Throws: ``ServerError`` if it cannot listen or read its files.
  package convenience init(
    options: ServerOptions,
    application: any WebApplication,
    registry: MetricRegistry = MetricRegistry(),
    log: Log = .disabled
  ) throws(ServerError) {
    let group = try ServerGroup(options: options, registry: registry, log: log)
    try self.init(in: group, application: application)
  }

  /// Creates the next server of a group; it listens, and answers once `run()` is called.
  /// - Parameters:
  ///   - group: The group.
  ///   - application: The application of this server, which is called on its thread only.
  /// - Throws: ``ServerError`` if it cannot listen.
  package init(in group: ServerGroup, application: any WebApplication) throws(ServerError) {
    (self.group, self.application) = (group, application)
    (options, listeners) = try group.listen()
    connections = ConnectionTable(options: options, census: group.census)
    exchanges = ExchangeTable(openFiles: group.openFiles)
    let messages = options.limits.webSockets
    inputBuffer = InputBuffer(messageBytes: messages.receivedMessageBytes)
    writeBuffer = WriteBuffer(capacity: max(messages.sentMessageBytes, WriteBuffer.minimum))
    loop = ServiceLoop(
      limits: options.limits,
      writeCapacity: writeBuffer.capacity,
      stopsOnSignals: options.stopsOnSignals
    )
    webSockets = WebSockets(group, options, loop, watch, inputBuffer, application)
    try start()
    group.add(loop.stopper)
  }

  private func start() throws(ServerError) {
    let sources = [tick, housekeeping, webSockets.timer].map(\.descriptor) + [watch.descriptor]
    guard sources.allSatisfy({ $0 >= 0 }),
      loop.open(user: Unmanaged.passUnretained(self).toOpaque())
    else {
      throw .cannotStart(reason: "libwebsockets could not create a context")
    }
    guard listeners.adopt(into: loop), sources.allSatisfy({ loop.adopt(file: $0) != nil }) else {
      throw .cannotStart(reason: "libwebsockets did not accept the listener")
    }
    loop.attach()
  }

  deinit { closeLoop() }

  /// Serves until it is stopped.
  ///
  /// Call it once; the thread may differ from the one that created the server.
  package func run() {
    loop.enter()
    while !loop.isFinished {
      if stopper.isStopRequested { beginStop(because: "request") }
      finishIfIdle()
      if loop.isFinished || !loop.serve(waits: exchanges.downloads.isEmpty) { break }
      sendDownloads()
    }
    closeLoop()
  }

  /// Updates the gauges of all servers of the group before somebody reads them.
  package func measure() { group.measure() }

  /// The version of the linked libwebsockets, such as `4.1.6`.
  package static var libraryVersion: String {
    let version = lws_get_library_version().map { String(cString: $0) } ?? ""
    return String(version.prefix { $0 != "-" && $0 != " " })
  }

  /// Schedules one `tick` at a time of the `now()` clock and replaces the previous one; nil for
  /// none.
  ///
  /// A time in the past ticks immediately.
  package func schedule(at time: Double?) {
    loop.checkThread()
    // The last second is reserved for close frames.
    if !loop.isStopping { tick.set(time) }
  }

  /// Runs a closure on this thread soon, from any thread; other threads use `Mailbox.perform`,
  /// which does the same.
  package func perform(_ work: @escaping @Sendable () -> Void) { mailbox.perform(work) }

  private func closeLoop() {
    loop.detach()
    forgetPending()
    webSockets.finishClosingAll()
    loop.close()
  }

  // MARK: Events of libwebsockets, except those of requests and WebSockets

  func descriptorBecameReadable(_ descriptor: Int32) {
    switch descriptor {
    case tick.descriptor:
      guard tick.consume() else { return }
      if loop.isStopping { loop.finish() } else { application.tick(now: Self.now()) }
    case watch.descriptor: socketsChanged()
    case webSockets.timer.descriptor: if webSockets.timer.consume() { webSockets.checkSilences() }
    case housekeeping.descriptor: if housekeeping.consume() { housekeep() }
    case _ where listeners.contains(descriptor): acceptConnections(from: descriptor)
    default:
      guard let signal = loop.readSignal(from: descriptor) else { return }
      beginStop(because: signal)
      group.stop()
    }
  }

  /// Handles a request of another thread.
  func wasWoken() {
    for work in mailbox.drainWork() { work(self) }
    if stopper.isStopRequested { beginStop(because: "request") }
  }

  private func beginStop(because cause: String) {
    guard !loop.isStopping else { return }
    group.noteStop(because: cause)
    application.willStop(now: Self.now())
    loop.beginStop()
    for exchange in exchanges.all { fail(exchange, Self.stopping) }
    tick.set(Self.now() + 1)
    listeners.close()
    forgetPending()
    webSockets.closeAll()
  }

  /// Ends `run()` early when a stopping server has no more close frames to send.
  private func finishIfIdle() {
    if loop.isStopping, !loop.isFinished, webSockets.isEmpty,
      exchanges.all.allSatisfy({ $0.phase == .lingering })
    {
      loop.finish()
    }
  }
}

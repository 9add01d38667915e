internal import CLibwebsockets
internal import Glibc
internal import Synchronization

/// The context of libwebsockets, the thread that serves it, and requests of other threads.
final class ServiceLoop {
  private enum Phase {
    case running
    /// Close frames are still being sent.
    case stopping
    case finished
  }

  let stopper: Stopper
  let mailbox: Mailbox
  private let waker = Waker()
  private let definitions: ContextDefinitions
  private var context: OpaquePointer?
  private var thread = pthread_self()
  private var phase = Phase.running
  /// The descriptor of signals that stop the server, or -1.
  private let signals: Int32

  init(limits: ServerOptions.Limits, writeCapacity: Int, stopsOnSignals: Bool) {
    stopper = Stopper(waker: waker)
    mailbox = Mailbox(waker: waker)
    signals = stopsOnSignals ? lectern_signals() : -1
    definitions = ContextDefinitions(limits: limits, writeCapacity: writeCapacity)
  }

  /// Whether the server is stopping or has stopped.
  var isStopping: Bool { phase != .running }
  var isFinished: Bool { phase == .finished }

  /// Contexts are created one after the other, because that changes values of the whole process.
  private static let creation = Mutex(())

  /// Creates the context, whose callbacks receive a pointer; false if that fails.
  func open(user: UnsafeMutableRawPointer) -> Bool {
    let address = UInt(bitPattern: user)
    let created = Self.creation.withLock { _ in
      UInt(bitPattern: definitions.makeContext(user: UnsafeMutableRawPointer(bitPattern: address)))
    }
    context = OpaquePointer(bitPattern: created)
    return context != nil && (signals < 0 || adopt(file: signals) != nil)
  }

  /// Lets other threads wake the loop.
  func attach() { waker.attach(context) }

  /// Passes a descriptor to libwebsockets, which reports when it is readable and closes it.
  func adopt(file descriptor: Int32) -> OpaquePointer? {
    var union = lws_sock_file_fd_type()
    union.filefd = descriptor
    return definitions.withProtocolName { name in
      lws_adopt_descriptor_vhost(host, LWS_ADOPT_RAW_FILE_DESC, union, name, nil)
    }
  }

  /// Passes a connection to libwebsockets, which reads and closes it; nil if it does not accept it.
  func adopt(connection descriptor: Int32) -> OpaquePointer? {
    lws_adopt_socket_vhost(host, descriptor)
  }

  private var host: OpaquePointer? { lws_get_vhost_by_name(context, "default") }

  /// Binds the loop to the calling thread.
  func enter() {
    precondition(context != nil, "A server can run only once")
    thread = pthread_self()
  }

  /// Handles events, and waits for them if necessary; false if libwebsockets failed.
  func serve(waits: Bool) -> Bool { lws_service(context, waits ? 0 : -1) >= 0 }

  /// Traps on any thread but that of the loop.
  func checkThread() {
    precondition(
      pthread_equal(thread, pthread_self()) != 0,
      "The server must be used on its own thread"
    )
  }

  /// Reads the signal of a descriptor and returns its name; nil if there is none.
  func readSignal(from descriptor: Int32) -> String? {
    var info = [UInt8](repeating: 0, count: 128)
    guard read(descriptor, &info, info.count) > 0 else { return nil }
    // The structure begins with the number of the signal (signalfd_siginfo).
    let signal = info.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
    return signal == UInt32(SIGINT) ? "SIGINT" : "SIGTERM"
  }

  /// Begins to stop.
  func beginStop() { phase = .stopping }

  /// Ends the loop.
  func finish() {
    phase = .finished
    // Otherwise libwebsockets may wait again before the loop checks.
    lws_cancel_service(context)
  }

  /// Drops the pending work of other threads and rejects new work.
  func detach() {
    mailbox.close()
    waker.attach(nil)
  }

  /// Destroys the context, which closes all connections and reports them as closed.
  func close() {
    guard let context else { return }
    lws_context_destroy(context)
    self.context = nil
  }

  /// Closes a connection after the current callback.
  static func closeSoon(_ socket: OpaquePointer) {
    lws_set_timeout(socket, PENDING_TIMEOUT_KILLED_BY_PARENT, Int32(LWS_TO_KILL_ASYNC))
  }
}

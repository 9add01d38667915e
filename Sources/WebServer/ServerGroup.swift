internal import Glibc
internal import Synchronization
package import Telemetry

/// What the servers of one process share: their port, limits, metrics, files and log.
///
/// A group has one server, or one on each of several threads if ``ServerOptions/sharesPort`` is
/// set. The kernel then chooses a server for each connection by a hash of its addresses and ports
/// (`SO_REUSEPORT`), so the number of connections of each is about equal, their work is not, and a
/// client cannot choose. Connections that wait at a server when it stops are lost; their clients
/// have to connect again.
///
/// Limits apply to the group and not to each server, except that
/// ``ServerOptions/Limits/Requests/concurrentHeaders`` is a limit of each. Only the first server
/// has the admin endpoint and receives signals, which stop all of them.
///
/// ```swift
/// let group = try ServerGroup(options: options)
/// let servers = try (0..<2).map { try WebServer(in: group, application: applications[$0]) }
/// ```
package final class ServerGroup: Sendable {
  private struct State {
    /// The port, once the first server listens.
    var port: Int?
    var stoppers: [Stopper] = []
    var isStopping = false
    /// The proxies that are not trusted and have been logged.
    var ignoredProxies: Set<String> = []
  }

  /// How many proxies that are not trusted are logged; anybody can pretend to be one.
  private static let ignoredMax = 8

  /// The options, with limits that fit the system's.
  let options: ServerOptions
  let log: Log
  let metrics: ServerMetrics
  let census: Census
  let files: StaticFiles?
  let openFiles: OpenFiles
  private let state = Mutex(State())

  /// Creates a group without servers.
  /// - Parameters:
  ///   - options: The addresses and limits.
  ///   - registry: The registry for the metrics, which are registered once.
  ///   - log: The log, which also receives the messages of libwebsockets.
  /// - Throws: ``ServerError`` if the static files cannot be read.
  package init(
    options: ServerOptions,
    registry: MetricRegistry = MetricRegistry(),
    log: Log = .disabled
  ) throws(ServerError) {
    files = try StaticFiles(root: options.staticRoot, basePath: options.basePath)
    let descriptors = FileDescriptors(connections: options.limits.connections.total)
    var options = options
    options.limits.fit(descriptors)
    (self.options, self.log) = (options, log)
    metrics = ServerMetrics(in: registry)
    census = Census(limits: options.limits)
    openFiles = OpenFiles(limit: descriptors.files)
    LibwebsocketsLog.send(to: log)
    // libwebsockets also does this, but only for its own writes.
    signal(SIGPIPE, SIG_IGN)
  }

  /// The maximum number of open connections, which is less than the options say if the process may
  /// open too few descriptors.
  package var connectionLimit: Int { options.limits.connections.total }

  /// Updates the gauges before somebody reads them, from any thread.
  package func measure() { metrics.note(census.totals) }

  /// Logs, once for each address, that the clients that it reports are ignored.
  func noteIgnoredReport(of address: String) {
    let isNew = state.withLock { state in
      state.ignoredProxies.count < Self.ignoredMax
        && state.ignoredProxies.insert(address).inserted
    }
    guard isNew else { return }
    log.warning(
      .proxyIgnored,
      "An address that is not trusted sends X-Forwarded-For or Forwarded. All readers behind it "
        + "count as one and share its limits. If it is your proxy, add it to --trust-proxy.",
      ["address": .text(address)]
    )
  }

  /// Logs that the servers stop, for the first of them.
  func noteStop(because cause: String) {
    let isFirst = state.withLock { state in
      defer { state.isStopping = true }
      return !state.isStopping
    }
    guard isFirst else { return }
    log.info(
      .serverStopping,
      "The server is stopping.",
      ["cause": .text(cause), "websockets": .count(census.totals.webSockets)]
    )
  }

  /// Stops all servers, from any thread.
  package func stop() {
    for stopper in state.withLock({ $0.stoppers }) { stopper.stop() }
  }

  /// Opens the listeners of the next server and returns its options.
  ///
  /// It holds the lock meanwhile, so that the other servers find the port of the first.
  func listen() throws(ServerError) -> (ServerOptions, Listeners) {
    try state.withLock { state throws(ServerError) in
      var options = options
      guard let port = state.port else {
        let listeners = try Listeners(options, options.sharesPort ? .first : .alone)
        state.port = listeners.port
        return (options, listeners)
      }
      guard options.sharesPort else {
        throw .cannotStart(reason: "a port that is not shared has one server")
      }
      options.port = port
      options.adminEndpoint = nil
      options.stopsOnSignals = false
      return (options, try Listeners(options, .another))
    }
  }

  /// Adds what stops a server.
  func add(_ stopper: Stopper) { state.withLock { $0.stoppers.append(stopper) } }
}

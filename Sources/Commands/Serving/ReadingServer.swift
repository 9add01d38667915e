internal import Glibc
internal import Library
internal import Rooms
internal import Scene
internal import Staging
package import Telemetry
internal import WebServer

/// A library, the rooms in which it is read, and the web server: everything of `lectern serve`
/// except its command line.
///
/// Create it and run it on one thread; any thread may stop it.
package final class ReadingServer {
  /// The port on which the server listens.
  package var port: Int { server.port }
  /// The port of the admin endpoint, if there is one.
  package var adminPort: Int? { server.adminPort }
  /// Stops the server, from any thread: every member gets a close frame.
  package let stop: @Sendable () -> Void

  /// The text to print at the start: the addresses, with the library's key if one is required.
  package let greeting: String

  private let server: WebServer
  private let library: BookLibrary
  private let host: RoomHost
  private let gateway: WebGateway
  private let recorder: Recorder?
  private let writer: LogWriter

  /// Opens the library and listens; requests are answered once ``run()`` is called.
  ///
  /// Blocks until the folder of books is scanned once, for ``firstScanSeconds`` at most.
  /// - Parameters:
  ///   - options: The options.
  ///   - writer: The destination of the log; by default, only the audit is written.
  /// - Throws: ``CommandError/failed(_:)`` if a folder, a file or an address cannot be used.
  package init(
    options: Options,
    writer: LogWriter = LogWriter(to: nil)
  ) throws(CommandError) {
    self.writer = writer
    let log = writer.log
    log.starting(options)
    // The threads of the library inherit the blocked signals, so signals are blocked first.
    if options.stopsOnSignals { Self.blockStoppingSignals() }
    let thread = HostThread()
    let feed = LibraryFeed(thread: thread)
    library = try options.openLibrary(log) { feed.libraryChanged() }
    library.settle(atMost: Self.firstScanSeconds)
    let numbers = ElementNumbers(numbering: .random(in: 1...UInt32.max))
    let shown = feed.begin(library, numbers: numbers)
    recorder = try options.record.map { path throws(CommandError) in
      try Recorder(path: path, library: shown.layout.outline, log: log)
    }
    if let data = options.storage.data { Self.closeToOthers(data, log) }
    try writer.keepAudit(options)
    let registry = MetricRegistry()
    ProcessMetrics.register(in: registry, of: writer)
    let key = options.keys.library ?? library.key
    let sources = options.sources(library, key: key, metrics: ServiceMetrics(in: registry), log)
    let recorders = RoomRecorders(
      recordings: sources.recordings,
      whole: recorder,
      log: log,
      onStop: { room, reason in
        thread.perform { $0.recordingEnded(room: room, reason: "\(reason)") }
      }
    )
    host = RoomHost(
      options.hostResources(sources, recorders, log),
      shown: shown,
      numbers: numbers,
      thread: thread
    )
    gateway = WebGateway(sources, host: host)
    let publicURL = options.network.publicURL.flatMap(PublicURL.init)
    do {
      server = try WebServer(
        options: options.serverOptions(publicURL),
        application: gateway,
        registry: registry,
        log: log
      )
    } catch { throw .failed("\(error)") }
    let address = options.address(publicURL, port: server.port)
    gateway.listens(server, at: address)
    let adminURL = options.adminURL(port: server.adminPort)
    let access = sources.access
    greeting = address.greeting(access, key: key) + Self.adminGreeting(adminURL)
    thread.attach(server.mailbox, gateway)
    let stopper = server.stopper
    stop = { stopper.stop() }
    log.configured(options, access, address)
    log.reduced(options.connections, granted: server.connectionLimit)
    log.ready(address, adminURL: adminURL, needsKey: !access.library.isOpen, library: library)
  }

  private static func adminGreeting(_ adminURL: String?) -> String {
    adminURL.map { "Health and metrics are at \($0)/readyz and \($0)/metrics\n" } ?? ""
  }

  /// The maximum time that a start waits for the first scan of the folder, in seconds; further
  /// books are imported afterwards.
  private static let firstScanSeconds = 2.0

  /// Blocks SIGINT and SIGTERM in threads that start from now on, so that the server receives them.
  private static func blockStoppingSignals() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Removes the permissions of other users on the data folder, which contains books, keys and
  /// rooms; an older version may have granted them.
  private static func closeToOthers(_ folder: String, _ log: Log) {
    var facts = stat()
    guard stat(folder, &facts) == 0, facts.st_mode & 0o077 != 0 else { return }
    if chmod(folder, facts.st_mode & 0o700) != 0 {
      log.warning(
        .configurationWarning,
        "Others can read the data folder, which holds keys. Take that right from them.",
        ["folder": .text(folder)]
      )
    }
  }

  /// Serves on the calling thread until it is stopped, and then finishes the log.
  package func run() {
    let began = WebServer.now()
    server.run()
    host.finish()
    recorder?.finish()
    library.stop()
    writer.log.info(
      .serverStopped,
      "The server has stopped.",
      ["seconds": .seconds(WebServer.now() - began)]
    )
    writer.finish()
  }
}

extension ReadingServer.Options {
  /// Opens the library of these options.
  fileprivate func openLibrary(
    _ log: Log,
    onChange: @escaping @Sendable () -> Void
  ) throws(CommandError) -> BookLibrary {
    let options = BookLibrary.Options(
      data: storage.data,
      directory: library,
      press: try PressProgram.path(),
      cacheBytes: storage.cacheBytes,
      keepRooms: storage.keepRooms,
      ownsData: true
    )
    do throws(LibraryError) {
      return try BookLibrary(options, log: log, onChange: onChange)
    } catch { throw .failed("\(error)") }
  }

  /// Returns what the site of a library works with.
  fileprivate func sources(
    _ library: BookLibrary,
    key: String,
    metrics: ServiceMetrics,
    _ log: Log
  ) -> Site.Sources {
    Site.Sources(
      library: library,
      uploads: Uploads(library: library, sizeMax: storage.uploadBytes, log: log),
      recordings: Recordings(folder: library.recordingsFolder),
      access: access(key: key),
      audit: Audit(log: log),
      metrics: metrics,
      web: web
    )
  }

  /// Returns what the room host of the same library works with.
  fileprivate func hostResources(
    _ site: Site.Sources,
    _ recorders: RoomRecorders,
    _ log: Log
  )
    -> RoomHost.Resources
  {
    RoomHost.Resources(
      library: site.library,
      recordings: site.recordings,
      recorders: recorders,
      environment: .ofThisServer(
        libraryKey: site.access.library.isOpen ? nil : site.access.library.digest,
        adminKey: site.access.admin
      ),
      metrics: site.metrics,
      log: log
    )
  }

  /// Returns the options of the web server.
  fileprivate func serverOptions(_ publicURL: PublicURL?) -> ServerOptions {
    ServerOptions(
      listenAddress: network.listen,
      port: network.port,
      staticRoot: web,
      origins: .sameHostOrListed(publicURL.map { [$0.base] } ?? []),
      hosts: HostNames.own() + (publicURL.map { [$0.host] } ?? [])
        + network.hosts.map { $0.lowercased() },
      requestFields: ["upload-offset"],
      trustsProxy: network.trustsProxy,
      limits: connections.limits,
      stopsOnSignals: stopsOnSignals,
      adminEndpoint: network.adminListen.map { .init(address: $0.address, port: $0.port) },
      backlog: connections.backlog,
      usesRing: connections.usesRing
    )
  }

  /// Returns the address to give to readers.
  fileprivate func address(_ publicURL: PublicURL?, port: Int) -> ServerAddress {
    ServerAddress(
      publicURL: publicURL,
      listen: network.listen,
      port: port,
      machine: NetworkAddress.all()
    )
  }

  /// Returns the address of health and metrics; nil for none.
  fileprivate func adminURL(port: Int?) -> String? {
    guard let endpoint = network.adminListen, let port else { return nil }
    return "http://\(Endpoint.text(endpoint.address, port))"
  }

  /// Returns who may see and change the library.
  ///
  /// Through a proxy, other machines reach a server that listens on this machine only.
  func access(key: String) -> Access {
    let isForThisMachine =
      ServerAddress.isLoopback(network.listen) && network.publicURL == nil && !network.trustsProxy
    return Access(
      library: LibraryAccess(
        isOpen: keys.opensLibrary || isForThisMachine && keys.library == nil,
        key: key
      ),
      adminToken: keys.admin,
      isForThisMachine: isForThisMachine
    )
  }
}

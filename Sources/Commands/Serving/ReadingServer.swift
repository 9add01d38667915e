internal import Glibc
internal import Library
internal import Rooms
internal import Scene
internal import Staging
package import Telemetry
internal import WebServer

/// A library, the rooms it is read in and the server that shows them: all of `lectern serve` but
/// its words.
///
/// Create it and run it on one thread; any other may stop it.
package final class ReadingServer {
  /// Where it listens and what it serves.
  package struct Options: Equatable, Sendable {
    /// The port; 0 takes any that is free.
    package var port = 8080
    /// The address to listen on.
    package var listen = "127.0.0.1"
    /// The folder of books; it is watched.
    package var library: String
    /// The data folder; nil for one that goes with the server.
    package var data: String?
    /// The most that pictures of pages take on the disk, in bytes.
    package var cacheBytes = 2 << 30
    /// The largest file that the page may bring, in bytes.
    package var uploadMax = 1 << 30
    /// What who brings or corrects books has to show; nil for the library's key.
    package var adminToken: String?
    /// The address under which others find it, such as `https://books.example`.
    package var publicURL: String?
    /// Names it answers to, beside its machine's own.
    package var hosts: [String] = []
    /// Whether a proxy on this machine says who connects.
    package var trustsProxy = false
    /// Whether who reaches it sees the library without its key.
    package var opensLibrary = false
    /// The library's key; nil for the one that the data folder keeps, which is asked for only when
    /// others than this machine reach the server.
    package var libraryKey: String?
    /// Where those who run it ask how it is; nil for nowhere.
    package var adminListen: Endpoint?
    /// The file that notes what hosts did and who was refused; nil for one in the data folder, if
    /// that is told.
    package var audit: String?
    /// How long rooms are kept that nobody uses, in seconds.
    package var keepRooms = 30 * 86_400.0
    /// The folder of the page's files; empty for none.
    package var web: String
    /// The file that a recording is written to.
    package var record: String?
    /// Whether SIGINT and SIGTERM stop it.
    package var stopsOnSignals = false
    /// What is logged, and how it looks.
    package var log = LogOptions()

    /// Options with a library and the page's files, and defaults for the rest.
    package init(library: String, web: String) {
      self.library = library
      self.web = web
    }
  }

  /// The port that is listened on.
  package var port: Int { server.port }
  /// The port for those who run it, if there is one.
  package var adminPort: Int? { server.adminPort }
  /// Stops the server, from any thread: every member gets a close frame.
  package let stop: @Sendable () -> Void

  /// What to say to whoever started it: its addresses, with the library's key if one is needed.
  package let greeting: String

  private let server: WebServer
  private let library: BookLibrary
  private let host: RoomHost
  private let gateway: WebGateway
  private let recorder: Recorder?
  private let writer: LogWriter

  /// Opens the library and listens; nobody is answered before ``run()``.
  ///
  /// Blocks until the folder of books was looked through once, for ``firstScanSeconds`` at most.
  /// - Parameters:
  ///   - options: Where it listens and what it serves.
  ///   - writer: What it logs to; without one it writes nothing but the audit.
  /// - Throws: ``CommandError/failed(_:)`` where a folder, a file or an address cannot be used.
  package init(
    options: Options,
    writer: LogWriter = LogWriter(to: nil)
  ) throws(CommandError) {
    self.writer = writer
    let log = writer.log
    log.starting(options)
    // Threads of the library inherit what of signals is blocked, so that is settled first.
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
    if let data = options.data { Self.closeToOthers(data, log) }
    try writer.keepAudit(options)
    let registry = MetricRegistry()
    ProcessMetrics.register(in: registry, of: writer)
    let key = options.libraryKey ?? library.key
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
    let publicURL = options.publicURL.flatMap(PublicURL.init)
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
    log.ready(address, adminURL: adminURL, needsKey: !access.library.isOpen, library: library)
  }

  private static func adminGreeting(_ adminURL: String?) -> String {
    adminURL.map { "Health and metrics are at \($0)/readyz and \($0)/metrics\n" } ?? ""
  }

  /// How long a start waits for the books of the folder, in seconds; the others come in meanwhile.
  private static let firstScanSeconds = 2.0

  /// Keeps SIGINT and SIGTERM from the threads that start from here on: the server hears them.
  private static func blockStoppingSignals() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Takes from everybody else what they may do with the data folder, which may be older than this
  /// program's care for it: it holds books, keys and rooms.
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

  /// Serves until stopped, on the calling thread; the log is then finished.
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
      data: data,
      directory: library,
      press: try PressProgram.path(),
      cacheBytes: cacheBytes,
      keepRooms: keepRooms,
      ownsData: true
    )
    do throws(LibraryError) {
      return try BookLibrary(options, log: log, onChange: onChange)
    } catch { throw .failed("\(error)") }
  }

  /// What the site of a library answers from.
  fileprivate func sources(
    _ library: BookLibrary,
    key: String,
    metrics: ServiceMetrics,
    _ log: Log
  ) -> Site.Sources {
    Site.Sources(
      library: library,
      uploads: Uploads(library: library, sizeMax: uploadMax, log: log),
      recordings: Recordings(folder: library.recordingsFolder),
      access: access(key: key),
      audit: Audit(log: log),
      metrics: metrics,
      web: web
    )
  }

  /// What a room host works with, beside the site of the same library.
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

  /// Where the server listens and what it accepts.
  fileprivate func serverOptions(_ publicURL: PublicURL?) -> ServerOptions {
    ServerOptions(
      listenAddress: listen,
      port: port,
      staticRoot: web,
      origins: .sameHostOrListed(publicURL.map { [$0.base] } ?? []),
      hosts: HostNames.own() + (publicURL.map { [$0.host] } ?? [])
        + hosts.map { $0.lowercased() },
      requestFields: ["upload-offset"],
      trustsProxy: trustsProxy,
      stopsOnSignals: stopsOnSignals,
      adminEndpoint: adminListen.map { .init(address: $0.address, port: $0.port) }
    )
  }

  /// The address to hand out of a server that listens on a port.
  fileprivate func address(_ publicURL: PublicURL?, port: Int) -> ServerAddress {
    ServerAddress(
      publicURL: publicURL,
      listen: listen,
      port: port,
      machine: NetworkAddress.all()
    )
  }

  /// The address of health and metrics; nil if they are nowhere.
  fileprivate func adminURL(port: Int?) -> String? {
    guard let adminListen, let port else { return nil }
    return "http://\(Endpoint.text(adminListen.address, port))"
  }

  /// Who may see and change the library.
  ///
  /// A proxy in front brings others to a server that listens on this machine alone.
  func access(key: String) -> Access {
    let isForThisMachine =
      ServerAddress.isLoopback(listen) && publicURL == nil && !trustsProxy
    return Access(
      library: LibraryAccess(
        isOpen: opensLibrary || isForThisMachine && libraryKey == nil,
        key: key
      ),
      adminToken: adminToken,
      isForThisMachine: isForThisMachine
    )
  }
}

internal import Clustering
package import Fabric
internal import Glibc
internal import Library
internal import Notices
internal import Rooms
internal import Scene
internal import SharedStore
internal import Staging
internal import Synchronization
package import Telemetry
internal import WebServer

/// A library, the rooms in which it is read, and the web server: everything of `lectern serve`
/// except its command line.
///
/// Create it and run it on one thread; any thread may stop it.
package final class ReadingServer {
  /// The port on which the server listens.
  package var port: Int { servers[0].port }
  /// The port of the admin endpoint, if there is one.
  package var adminPort: Int? { servers[0].adminPort }
  /// Stops the server, from any thread: every member gets a close frame.
  package let stop: @Sendable () -> Void

  /// What to print at the start.
  package let greeting: Greeting

  /// The servers of the threads, of which the first one runs on the thread of ``run()``.
  private let servers: [WebServer]
  private let library: BookLibrary
  private let hosts: [RoomHost]
  let threads: ServiceThreads
  private let cluster: ClusterNode?
  private let recorder: Recorder?
  private let writer: LogWriter

  /// Opens the library and listens; requests are answered once ``run()`` is called.
  ///
  /// If no book is known, blocks until the folder of books is scanned once, for
  /// ``firstScanSeconds`` at most.
  /// - Parameters:
  ///   - options: The options.
  ///   - bus: The connection to the other nodes of a cluster; nil if the process is alone.
  ///   - writer: The destination of the log; by default, only the audit is written.
  /// - Throws: ``StartError`` if a folder, a file or an address cannot be used.
  package init(
    options: Options,
    bus: (any ClusterBus)? = nil,
    writer: LogWriter = LogWriter(to: nil)
  ) throws(StartError) {
    self.writer = writer
    let log = writer.log
    log.starting(options)
    // The threads of the library inherit the blocked signals, so signals are blocked first.
    if options.stopsOnSignals { Self.blockStoppingSignals() }
    let feed = LibraryFeed()
    library = try options.openLibrary(log, feed)
    // A mistake in an address is reported before the books are imported.
    try options.network.checkListening()
    // Readers of a large library do not wait for a scan after each restart.
    if library.bookCount == 0 { library.settle(atMost: Self.firstScanSeconds) }
    if let data = options.storage.data { Self.closeToOthers(data, log) }
    try writer.openAudit(options)
    let registry = MetricRegistry()
    ProcessMetrics.register(in: registry, of: writer)
    let key = options.keys.library ?? library.key
    let sources = options.sources(library, key: key, metrics: ServiceMetrics(in: registry), log)
    let bookmarks = BookmarkStore(library: library, log: log)
    let records = RecordWriter(library: library, log: log)
    let threads = options.serviceThreads(sources, bookmarks, records, isNode: bus != nil)
    // Without a cluster, too, so that an alert notices a node that was started without one.
    let nodeMetrics = ClusterMetrics(in: registry)
    cluster = bus.map { [library] in options.node($0, threads, library, nodeMetrics, log) }
    ClusterMetrics.registerOwners(of: cluster, in: registry)
    // What the scan changes from here on waits for the hosts.
    feed.attach(threads, cluster)
    let numbers = ElementNumbers(numbering: .random(in: 1...UInt32.max))
    let shown = feed.begin(library, numbers: numbers)
    recorder = try options.record.map { path throws(StartError) in
      try Recorder(path: path, library: shown.layout.outline, log: log)
    }
    let resources = threads.resources(sources, recorder, bookmarks, records, log)
    let hosts = threads.hosts(with: resources, cluster, shown, numbers)
    let gateways = hosts.enumerated().map { [cluster] index, host in
      WebGateway(sources, host: host, threads: threads, cluster: cluster, index: index)
    }
    let publicURL = options.network.publicURL.flatMap(PublicURL.init)
    servers = try options.listen(gateways, at: publicURL, registry, log)
    (self.hosts, self.threads) = (hosts, threads)
    let address = options.address(publicURL, port: servers[0].port)
    threads.attach(gateways, to: servers, at: address)
    greeting = Greeting(
      address: address,
      access: sources.access,
      key: key,
      location: options.keys.libraryKeyLocation ?? .file(library.keyFile),
      adminURL: options.adminURL(port: servers[0].adminPort)
    )
    let stoppers = servers.map(\.stopper)
    stop = { for stopper in stoppers { stopper.stop() } }
    cluster?.start()
    logReady(options)
  }

  private func logReady(_ options: Options) {
    let log = writer.log
    log.configured(options, greeting.access, greeting.address)
    log.reduced(options.connections, granted: servers[0].connectionLimit)
    log.ready(greeting, library)
  }

  /// Returns a closure for any thread that lets the server look at its keys and its folder of books
  /// again.
  ///
  /// Readers who are in rooms stay; later connections need the new keys.
  /// - Parameter read: Reads the options as the start did; throws if a file cannot be read.
  /// - Returns: The closure, which blocks while it reads.
  package func reloader(
    _ read: @escaping @Sendable () throws(StartError) -> Options
  ) -> @Sendable () -> Void {
    let (library, threads, log) = (library, threads, writer.log)
    return {
      do throws(StartError) {
        let options = try read()
        var key = options.keys.library ?? ""
        if key.isEmpty { key = try Self.key(of: library) }
        threads.replaceAccess(options.access(key: key))
        log.info(.keysRead, "The keys were read again.")
      } catch {
        log.error(.keysFailed, "The keys could not be read again, so the old ones hold: \(error)")
      }
      library.scan()
    }
  }

  private static func key(of library: BookLibrary) throws(StartError) -> String {
    do throws(LibraryError) { return try library.readKey() } catch { throw .failed("\(error)") }
  }

  /// The maximum time that the start with an empty library waits for the first scan of the folder,
  /// in seconds; further books are imported afterwards.
  private static let firstScanSeconds = 2.0

  /// The maximum time that a stop waits for other nodes to take the rooms, in seconds.
  private static let handOverSeconds = 2.0

  /// Blocks SIGINT and SIGTERM in threads that start from now on, so that the server receives them.
  package static func blockStoppingSignals() {
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
  /// - Parameter onStop: Called when it serves no longer, before it finishes its work.
  package func run(onStop: () -> Void = {}) {
    let began = WebServer.now()
    let others = servers.dropFirst().map { ServiceThread(running: $0) }
    servers[0].run()
    for other in others { other.join() }
    let stopped = WebServer.now()
    onStop()
    cluster?.finishHandOvers(atMost: Self.handOverSeconds)
    cluster?.stop()
    for host in hosts { host.finish() }
    recorder?.finish()
    library.stop()
    writer.log.info(
      .serverStopped,
      "The server has stopped.",
      ["seconds": .seconds(WebServer.now() - stopped), "uptime": .seconds(stopped - began)]
    )
    writer.finish()
  }
}

extension ReadingServer.Options {
  /// Opens the library of these options.
  func openLibrary(_ log: Log, _ feed: LibraryFeed) throws(StartError) -> BookLibrary {
    var options = BookLibrary.Options(
      data: storage.data,
      directory: library,
      press: try PressProgram.path(),
      cacheBytes: storage.cacheBytes,
      keepRooms: storage.keepRooms,
      ownsData: true
    )
    options.mayDeleteFiles = storage.mayDeleteFiles
    options.scanSeconds = storage.scanSeconds
    if let store = storage.store {
      var sharing = BookLibrary.Sharing(store: store.store(storage.storeCredentials))
      sharing.onPublish = { feed.announce($0) }
      options.sharing = sharing
    }
    do throws(LibraryError) {
      return try BookLibrary(options, log: log) { feed.libraryChanged($0) }
    } catch { throw .failed("\(error)") }
  }

  /// Returns what the site of a library works with.
  func sources(
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
      wrongKeys: WrongKeys(),
      passes: Passes(
        signature: { [library] in library.signature(of: $0) },
        collections: { [library] in library.book($0)?.collections ?? [] }
      ),
      web: web,
      basePath: network.basePath
    )
  }

  /// Returns the service threads with what their hosts know.
  fileprivate func serviceThreads(
    _ site: Site.Sources,
    _ bookmarks: BookmarkStore,
    _ records: RecordWriter,
    isNode: Bool
  ) -> ServiceThreads {
    var environment = Environment.ofThisServer(keys: site.access.keys)
    environment.keepsStates = isNode
    environment.sign = { [passes = site.passes] in passes.sign($0) }
    let directory = RoomDirectory(
      readers: bookmarks.load(),
      records: records.load(),
      unixOffset: environment.unixOffset
    )
    // One thread keeps the order of all inputs in a recording of the whole server.
    let count = record == nil ? threads : 1
    return ServiceThreads(
      count: count,
      membersPerThread: membersPerThread,
      directory: directory,
      environment: environment,
      passes: site.passes
    )
  }

  /// Makes the process a node of a cluster, which is not connected yet.
  fileprivate func node(
    _ bus: any ClusterBus,
    _ threads: ServiceThreads,
    _ library: BookLibrary,
    _ metrics: ClusterMetrics,
    _ log: Log
  ) -> ClusterNode {
    ClusterNode(
      bus: bus,
      address: network.publicURL ?? "\(network.listen):\(network.port)",
      threads: threads,
      metrics: metrics,
      library: library,
      log: log
    )
  }

  /// Returns a server for each gateway, all on the same port.
  fileprivate func listen(
    _ gateways: [WebGateway],
    at publicURL: PublicURL?,
    _ registry: MetricRegistry,
    _ log: Log
  ) throws(StartError) -> [WebServer] {
    var options = serverOptions(publicURL)
    options.basePath = network.basePath
    options.userField = network.userHeader
    options.sharesPort = gateways.count > 1
    do {
      let group = try ServerGroup(options: options, registry: registry, log: log)
      return try gateways.map { try WebServer(in: group, application: $0) }
    } catch { throw .failed("\(error)") }
  }

  /// Returns the options of the web servers.
  fileprivate func serverOptions(_ publicURL: PublicURL?) -> ServerOptions {
    ServerOptions(
      listenAddress: network.listen,
      port: network.port,
      staticRoot: web,
      origins: .sameHostOrListed(publicURL.map { [$0.origin] } ?? []),
      hosts: HostNames.own() + (publicURL.map { [$0.host] } ?? [])
        + network.hosts.map { $0.lowercased() },
      requestFields: ["upload-offset", "cookie", Access.keyField],
      proxies: isOpenToThisMachineOnly ? .forbidden : network.proxies,
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
      basePath: network.basePath,
      port: port,
      machine: NetworkAddress.all()
    )
  }

  /// Returns the address of health and metrics; nil for none.
  fileprivate func adminURL(port: Int?) -> String? {
    guard let endpoint = network.adminListen, let port else { return nil }
    return "http://\(Endpoint.text(endpoint.address, port))"
  }

  /// Whether only this machine reaches the server, as far as the options tell: through a proxy,
  /// others reach a server that listens on this machine only.
  private var isForThisMachine: Bool {
    ServerAddress.isLoopback(network.listen) && network.publicURL == nil && network.proxies.isEmpty
      && network.hosts.isEmpty && network.basePath == .none
  }

  /// Whether the server asks for no key only because nobody but this machine reaches it.
  private var isOpenToThisMachineOnly: Bool {
    isForThisMachine && keys.library == nil && !(keys.opensLibrary && keys.admin != nil)
  }

  /// Returns who may see and change the library.
  func access(key: String) -> Access {
    Access(
      library: LibraryAccess(
        isOpen: keys.opensLibrary || isForThisMachine && keys.library == nil,
        key: key
      ),
      adminToken: keys.admin,
      isForThisMachine: isForThisMachine,
      loginKey: network.userHeader == nil ? nil : key
    )
  }
}

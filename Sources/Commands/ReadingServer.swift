internal import Glibc
internal import Library
internal import Rooms
internal import Scene
internal import Staging
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
  private let application: ReadingApplication
  private let recorder: Recorder?

  /// Opens the library and listens; nobody is answered before ``run()``.
  ///
  /// Blocks until the folder of books was looked through once, for ``firstScanSeconds`` at most.
  package init(options: Options) throws(CommandError) {
    // Threads of the library inherit what of signals is blocked, so that is settled first.
    if options.stopsOnSignals { Self.blockStoppingSignals() }
    let press = try PressProgram.path()
    let feed = LibraryFeed()
    do throws(LibraryError) {
      library = try BookLibrary(
        BookLibrary.Options(
          data: options.data,
          directory: options.library,
          press: press,
          cacheBytes: options.cacheBytes,
          keepRooms: options.keepRooms,
          ownsData: true
        ),
        onChange: { feed.libraryChanged() }
      )
    } catch { throw .failed("\(error)") }
    library.settle(atMost: Self.firstScanSeconds)
    let library = library
    let numbers = ElementNumbers(numbering: .random(in: 1...UInt32.max))
    let shown = feed.begin(library, numbers: numbers)
    recorder = try options.record.map { path throws(CommandError) in
      try Recorder(path: path, library: shown.layout.outline)
    }
    if let data = options.data { Self.closeToOthers(data) }
    let key = options.libraryKey ?? library.key
    let access = options.access(key: key)
    let recordings = Recordings(folder: library.recordingsFolder)
    let ends = RecordingNotifier()
    let recorders = RoomRecorders(
      recordings: recordings,
      whole: recorder,
      onStop: { room, reason in ends.announce(room: room, reason: "\(reason)") }
    )
    application = ReadingApplication(
      Site.Sources(
        library: library,
        uploads: Uploads(library: library, sizeMax: options.uploadMax),
        recordings: recordings,
        access: access,
        audit: try (options.audit ?? options.data.map { $0 + "/audit.ndjson" }).map {
          path throws(CommandError) in try Audit(path: path)
        },
        web: options.web
      ),
      shown: shown,
      numbers: numbers,
      recorders: recorders
    )
    let publicURL = options.publicURL.flatMap(PublicURL.init)
    do {
      server = try WebServer(
        options: ServerOptions(
          listenAddress: options.listen,
          port: options.port,
          staticRoot: options.web,
          origins: .sameHostOrListed(publicURL.map { [$0.base] } ?? []),
          hosts: HostNames.own() + (publicURL.map { [$0.host] } ?? [])
            + options.hosts.map { $0.lowercased() },
          requestFields: ["upload-offset"],
          trustsProxy: options.trustsProxy,
          stopsOnSignals: options.stopsOnSignals,
          adminEndpoint: options.adminListen.map { .init(address: $0.address, port: $0.port) }
        ),
        application: application
      )
    } catch { throw .failed("\(error)") }
    let address = ServerAddress(
      publicURL: publicURL,
      listen: options.listen,
      port: server.port,
      machine: NetworkAddress.all()
    )
    application.listens(server, at: address)
    let adminPort = server.adminPort
    let admin = options.adminListen.flatMap { endpoint in
      adminPort.map { "http://\(Endpoint.text(endpoint.address, $0))" }
    }
    greeting =
      address.greeting(access, key: key)
      + (admin.map { "Health and metrics are at \($0)/readyz and \($0)/metrics\n" } ?? "")
    feed.follow(server.mailbox, application)
    ends.follow(server.mailbox, application)
    let stopper = server.stopper
    stop = { stopper.stop() }
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
  private static func closeToOthers(_ folder: String) {
    var facts = stat()
    guard stat(folder, &facts) == 0, facts.st_mode & 0o077 != 0 else { return }
    if chmod(folder, facts.st_mode & 0o700) != 0 {
      Console.error("lectern: others can read \(folder), and that could not be changed")
    }
  }

  /// What could not be used of the library so far.
  package var notes: [String] { library.notes }

  /// Serves until stopped, on the calling thread.
  package func run() {
    server.run()
    application.finish()
    recorder?.finish()
    library.stop()
  }
}

extension ReadingServer.Options {
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

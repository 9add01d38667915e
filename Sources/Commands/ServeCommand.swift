internal import Foundation
internal import Server
internal import SharedStore
internal import Telemetry

/// `lectern serve`: serves the library to browsers.
enum ServeCommand {
  static let help = """
    lectern serve [options]
    Serves the library to browsers and prints the address to open. Ctrl-C or SIGTERM stops it;
    SIGHUP lets it read its keys and look at its folder of books again.

      --port N             the port (8080); 0 for any free port
      --listen ADDR        the address to listen on (127.0.0.1); 0.0.0.0 admits other machines
      --library DIR        the folder of books, which is watched for changes: PDF, EPUB, DjVu, MOBI,
                           FB2, text, CBZ, CBR, CB7, CBT, and folders of images; a folder of books
                           is a collection (the sample library)
      --data DIR           the folder for the catalogue, imported books, page images and
                           bookmarks ($XDG_DATA_HOME/lectern or ~/.local/share/lectern)
      --cache-size MIB     the maximum size of the page images on the disk (2048)
      --upload-limit MIB   the maximum size of an uploaded file (1024)
      --public-url URL     the address under which others reach this server, such as that of a
                           proxy; shared links begin with it
      --host NAME          an additional host name that the server answers to; may be repeated
      --trust-proxy        trust the X-Forwarded-For header of a proxy on this machine
      --library-key WORD   the key required to see the library, \(LibraryAccess.keyMin) or more
                           characters (one in the data folder, required only if other machines
                           reach the server)
      --library-key-file FILE, --admin-token-file FILE
                           read the key or token from the first line of a file, so that it does
                           not appear in the list of processes; $LECTERN_LIBRARY_KEY and
                           $LECTERN_ADMIN_TOKEN also work
      --max-connections N  the maximum number of open connections (2048)
      --max-per-address N  the maximum number of open connections of one address, or one IPv6 /64
                           (512)
      --backlog N          the maximum number of connections that wait to be accepted (1024)
      --no-io-uring        do not use io_uring, which is used if the system permits it
      --admin-listen ADDR:PORT
                           serve /healthz, /readyz and /metrics at this address only, without a
                           key; PORT alone listens on this machine (off)
      --audit FILE         also write the actions of hosts and rejected requests to FILE
                           (audit.ndjson in the data folder); - for the log only
      --log-format FORMAT  the format of log lines on standard error: text or json (text)
      --log-level LEVEL    the lowest level to log: debug, info, warning or error (info)
      --open-library       show the library to everybody who reaches the server
      --admin-token WORD   the token required to add and correct books (the library's key, or
                           nothing while only this machine reaches the server)
      --delete-files       permit readers to delete a book's file in the library's folder, too,
                           30 days later
      --threads N          the number of service threads (one for each processor; 1 with --record)
      --keep-rooms DAYS    how long an unused room is kept (30)
      --web DIR            the folder of the page's files (found beside the program)
      --record FILE        log all room input to FILE, for `lectern replay`; never replaces a file:
                           the next recording is FILE with a number
      --help               print this text

    A cluster of several processes:

      --store PLACE        the store of books, rooms and bookmarks that all processes share: a
                           folder that all of them reach, or a bucket as
                           s3://BUCKET[/PREFIX][?endpoint=URL&region=NAME], whose credentials are
                           in $AWS_ACCESS_KEY_ID and $AWS_SECRET_ACCESS_KEY (off)

    """ + ClusterOptions.help

  static func options(
    _ words: [String],
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(CommandError) -> ReadingServer.Options {
    var cluster: ClusterOptions?
    return try options(words, environment: environment, cluster: &cluster)
  }

  /// Reads the arguments.
  /// - Parameters:
  ///   - words: The arguments.
  ///   - environment: The variables that hold keys.
  ///   - isStrict: Whether missing page files and a cluster without a store are mistakes; if not,
  ///     the options are only noted.
  ///   - cluster: Receives the options of a cluster.
  /// - Returns: The options.
  /// - Throws: ``CommandError/usage(_:)`` if an argument is invalid.
  static func options(
    _ words: [String],
    environment: [String: String],
    isStrict: Bool = true,
    cluster: inout ClusterOptions?
  ) throws(CommandError) -> ReadingServer.Options {
    var arguments = Arguments(words)
    var options = ReadingServer.Options(library: "", web: "")
    options.network = try network(&arguments)
    options.connections = try ReadingServer.Options.Connections(&arguments)
    options.keys = try keys(&arguments, environment)
    options.storage = try storage(&arguments, environment)
    options.log = try LogOptions(&arguments)
    options.record = try arguments.value("--record")
    let processors = min(ProcessInfo.processInfo.activeProcessorCount, 64)
    options.threads = try arguments.integer("--threads", default: processors, in: 1...64)
    cluster = try .parse(from: &arguments, environment: environment)
    let library = try arguments.value("--library")
    let web = try arguments.value("--web")
    // Mistakes in the arguments are reported before missing files.
    try arguments.finish()
    if isStrict, let lack = ClusterOptions.lack(cluster, options.storage) { throw .usage(lack) }
    options.web = isStrict ? try webFolder(web) : web ?? ""
    options.library = library ?? (options.web.isEmpty ? "" : options.web + "/library")
    options.stopsOnSignals = true
    return options
  }

  private static func network(
    _ arguments: inout Arguments
  ) throws(CommandError) -> ReadingServer.Options.Network {
    var network = ReadingServer.Options.Network()
    network.port = try arguments.integer("--port", default: network.port, in: 0...65535)
    network.listen = try arguments.value("--listen") ?? network.listen
    if let text = try arguments.value("--admin-listen") {
      guard let endpoint = Endpoint(text) else {
        throw .usage(
          "--admin-listen is \"\(text)\", but must be like 127.0.0.1:9464, [::1]:9464 or 9464"
        )
      }
      network.adminListen = endpoint
    }
    if let text = try arguments.value("--public-url") {
      guard PublicURL(text) != nil else {
        throw .usage(
          "--public-url is \"\(text)\", but must be like https://books.example, without a path"
        )
      }
      network.publicURL = text
    }
    network.hosts = try arguments.values("--host")
    network.trustsProxy = arguments.flag("--trust-proxy")
    return network
  }

  private static func keys(
    _ arguments: inout Arguments,
    _ environment: [String: String]
  ) throws(CommandError) -> ReadingServer.Options.Keys {
    var keys = ReadingServer.Options.Keys()
    let admin = try KeySource(option: "--admin-token", variable: "LECTERN_ADMIN_TOKEN")
      .parse(from: &arguments, environment: environment)
    keys.admin = admin?.text
    if let token = keys.admin, token.utf8.count < Access.tokenMin {
      throw .usage("--admin-token is too easy to guess; use \(Access.tokenMin) characters or more")
    }
    keys.opensLibrary = arguments.flag("--open-library")
    let library = try KeySource(option: "--library-key", variable: "LECTERN_LIBRARY_KEY")
      .parse(from: &arguments, environment: environment)
    keys.library = library?.text
    keys.libraryKeyLocation = library?.location
    keys.files = [admin, library].compactMap { key in
      if case .file(let path) = key?.location { path } else { nil }
    }
    if let key = keys.library, !LibraryAccess.isFit(key) {
      throw .usage(
        "--library-key needs \(LibraryAccess.keyMin) to \(LibraryAccess.keyMax) letters, digits "
          + "or any of - . _ ~"
      )
    }
    return keys
  }

  private static func storage(
    _ arguments: inout Arguments,
    _ environment: [String: String]
  ) throws(CommandError) -> ReadingServer.Options.Storage {
    var storage = ReadingServer.Options.Storage()
    if let text = try arguments.value("--store") {
      do throws(StoreLocationError) { storage.store = try StoreLocation(text) } catch {
        throw .usage("--store: \(error)")
      }
      storage.storeCredentials = S3Credentials(environment: environment)
    }
    storage.data = try arguments.value("--data") ?? StandardFolders.standard
    let cache = try arguments.integer("--cache-size", default: 2048, in: 16...1 << 20)
    storage.cacheBytes = cache << 20
    let upload = try arguments.integer("--upload-limit", default: 1024, in: 1...1 << 20)
    storage.uploadBytes = upload << 20
    storage.mayDeleteFiles = arguments.flag("--delete-files")
    let days = try arguments.number("--keep-rooms", default: 30, in: 0.01...36_500)
    storage.keepRooms = days * 86_400
    return storage
  }

  static func run(_ words: [String]) throws(CommandError) {
    if Arguments.askForHelp(words) { return try Console.write(help) }
    var cluster: ClusterOptions?
    let environment = ProcessInfo.processInfo.environment
    let options = try options(words, environment: environment, cluster: &cluster)
    let writer = LogWriter(
      to: LogFile(descriptor: STDERR_FILENO),
      format: options.log.format,
      level: options.log.level,
      showsAudit: options.log.audit == "-"
    )
    defer { writer.finish() }
    do throws(CommandError) {
      // The threads of the connection to NATS inherit the blocked signals too.
      if options.stopsOnSignals {
        ReadingServer.blockStoppingSignals()
        HangupSignal.block()
      }
      let early = options.stopsOnSignals ? EarlyStop(writer) : nil
      let bus = try cluster?.connect(writer.log)
      let server = try CommandError.wrap { () throws(StartError) in
        try ReadingServer(options: options, bus: bus, writer: writer)
      }
      early?.end()
      // A server works without an output, too.
      // An output that is no terminal is often a journal that others read.
      try? Console.write(server.greeting.text(showsKey: isatty(STDOUT_FILENO) == 1))
      let reload = server.reloader { () throws(StartError) in
        do throws(CommandError) { return try Self.options(words, environment: environment) } catch {
          throw .failed("\(error)")
        }
      }
      let answer = isatty(STDIN_FILENO) == 1 ? server.stop : reload
      let hangup = options.stopsOnSignals ? HangupSignal(answer) : nil
      withExtendedLifetime(hangup) { server.run() }
    } catch {
      writer.log.error(.serverFailed, "\(error)")
      throw .reported
    }
  }

  /// Finds the page's files in the given folder, in the package that the program was built in, or
  /// where they are installed.
  static func webFolder(_ chosen: String?) throws(CommandError) -> String {
    if let chosen {
      if isWebFolder(chosen) { return chosen }
      throw .failed("--web is \"\(chosen)\", but there is no index.html in it")
    }
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    var folder = program.deletingLastPathComponent()
    var tried: [String] = []
    // .build/<platform>/release/lectern: the package is at most four folders up.
    for _ in 0..<4 {
      tried.append(folder.appendingPathComponent("Web").path)
      folder = folder.deletingLastPathComponent()
    }
    tried.append(
      program.deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("share/lectern").path
    )
    if let found = tried.first(where: isWebFolder) { return found }
    throw .failed(
      "the page's files were not found in " + tried.joined(separator: ", ")
        + "; say where they are with --web DIR"
    )
  }

  private static func isWebFolder(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path + "/index.html")
  }
}

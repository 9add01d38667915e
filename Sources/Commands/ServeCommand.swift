internal import Foundation
internal import Telemetry

/// `lectern serve`: the library, in the browser.
enum ServeCommand {
  static let help = """
    lectern serve [options]
    Serves the library to browsers and prints the address to open. Ctrl-C or SIGTERM ends it.

      --port N             the port (8080); 0 takes any that is free
      --listen ADDR        the address to listen on (127.0.0.1); 0.0.0.0 lets others in
      --library DIR        a folder of books, which is watched: PDF, CBZ, CBR, CB7, CBT, EPUB of
                           fixed layout, and folders of images; a folder of books is a collection
                           (the sample library)
      --data DIR           where the catalogue, imported books, pictures of pages and places in
                           books are kept ($XDG_DATA_HOME/lectern or ~/.local/share/lectern)
      --cache-size MIB     the most that pictures of pages take on the disk (2048)
      --upload-limit MIB   the largest file that the page may bring (1024)
      --public-url URL     the address under which others find this server, such as a proxy's;
                           links that are shared begin with it
      --host NAME          a name that the server also answers to, beside its machine's own; may be
                           given more than once
      --trust-proxy        a proxy on this machine says who connects (X-Forwarded-For)
      --library-key WORD   who shows it sees the library, \(LibraryAccess.keyMin) letters or more;
                           without it the one that is kept in the data folder, and none at all while
                           only this machine reaches the server
      --library-key-file FILE, --admin-token-file FILE
                           the same from a file's first line, which no list of processes shows;
                           $LECTERN_LIBRARY_KEY and $LECTERN_ADMIN_TOKEN are taken as well
      --admin-listen ADDR:PORT
                           answers /healthz, /readyz and /metrics there, without a key, and nowhere
                           else; PORT alone is on this machine (off)
      --audit FILE         writes there too what hosts did and who was refused (audit.ndjson in
                           the data folder); - is only the log
      --log-format FORMAT  how lines on the standard error look: text or json (text)
      --log-level LEVEL    the least that is written: debug, info, warning or error (info)
      --open-library       whoever reaches the server sees the library
      --admin-token WORD   who shows it may bring and correct books; without it the library's key,
                           and nothing at all while only this machine reaches the server
      --keep-rooms DAYS    how long a room is kept that nobody uses (30)
      --web DIR            the page's files (found beside the program)
      --record FILE        writes what the rooms do to FILE, for `lectern replay`
      --help               this text

    """

  static func options(
    _ words: [String],
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(CommandError) -> ReadingServer.Options {
    var arguments = Arguments(words)
    var options = ReadingServer.Options(library: "", web: "")
    options.network = try network(&arguments)
    options.keys = try keys(&arguments, environment)
    options.storage = try storage(&arguments)
    options.log = try LogOptions(&arguments)
    options.record = try arguments.value("--record")
    let library = try arguments.value("--library")
    let web = try arguments.value("--web")
    // Mistakes in the arguments are reported before missing files.
    try arguments.finish()
    options.web = try webFolder(web)
    options.library = library ?? options.web + "/library"
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
    keys.admin = try KeySource(option: "--admin-token", variable: "LECTERN_ADMIN_TOKEN")
      .take(from: &arguments, environment: environment)
    if let token = keys.admin, token.utf8.count < Access.tokenMin {
      throw .usage("--admin-token is too easy to guess; use \(Access.tokenMin) characters or more")
    }
    keys.opensLibrary = arguments.flag("--open-library")
    keys.library = try KeySource(option: "--library-key", variable: "LECTERN_LIBRARY_KEY")
      .take(from: &arguments, environment: environment)
    if let key = keys.library, !LibraryAccess.isFit(key) {
      throw .usage(
        "--library-key needs \(LibraryAccess.keyMin) to \(LibraryAccess.keyMax) letters, digits "
          + "or any of - . _ ~"
      )
    }
    return keys
  }

  private static func storage(
    _ arguments: inout Arguments
  ) throws(CommandError) -> ReadingServer.Options.Storage {
    var storage = ReadingServer.Options.Storage()
    storage.data = try arguments.value("--data") ?? DataFolder.standard
    let cache = try arguments.integer("--cache-size", default: 2048, in: 16...1 << 20)
    storage.cacheBytes = cache << 20
    let upload = try arguments.integer("--upload-limit", default: 1024, in: 1...1 << 20)
    storage.uploadBytes = upload << 20
    let days = try arguments.number("--keep-rooms", default: 30, in: 0.01...36_500)
    storage.keepRooms = days * 86_400
    return storage
  }

  static func run(_ words: [String]) throws(CommandError) {
    if words.contains("--help") { return Console.write(help) }
    let options = try options(words)
    let writer = LogWriter(
      to: LogFile(descriptor: STDERR_FILENO),
      format: options.log.format,
      level: options.log.level,
      showsAudit: options.log.audit == "-"
    )
    defer { writer.finish() }
    do throws(CommandError) {
      let server = try ReadingServer(options: options, writer: writer)
      Console.write(server.greeting)
      server.run()
    } catch {
      writer.log.error(.serverFailed, "\(error)")
      throw .told
    }
  }

  /// Finds the page's files: in the given folder, in the package that the program was built in, or
  /// installed.
  private static func webFolder(_ chosen: String?) throws(CommandError) -> String {
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

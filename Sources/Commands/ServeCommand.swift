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
    options.port = try arguments.integer("--port", default: options.port, in: 0...65535)
    options.listen = try arguments.value("--listen") ?? options.listen
    let library = try arguments.value("--library")
    options.data = try arguments.value("--data") ?? DataFolder.standard
    let cache = try arguments.integer("--cache-size", default: 2048, in: 16...1 << 20)
    options.cacheBytes = cache << 20
    let upload = try arguments.integer("--upload-limit", default: 1024, in: 1...1 << 20)
    options.uploadMax = upload << 20
    options.adminToken = try KeySource(option: "--admin-token", variable: "LECTERN_ADMIN_TOKEN")
      .take(from: &arguments, environment: environment)
    if let token = options.adminToken, token.utf8.count < Access.tokenMin {
      throw .usage("--admin-token is too easy to guess; use \(Access.tokenMin) characters or more")
    }
    try readAccess(&arguments, environment, into: &options)
    options.audit = try arguments.value("--audit")
    options.log = try LogOptions(&arguments)
    let told = try arguments.value("--web")
    options.record = try arguments.value("--record")
    // What a word says wrong comes before what the world lacks.
    try arguments.finish()
    options.web = try webFolder(told)
    options.library = library ?? options.web + "/library"
    options.stopsOnSignals = true
    return options
  }

  /// Who may come, and by which name.
  private static func readAccess(
    _ arguments: inout Arguments,
    _ environment: [String: String],
    into options: inout ReadingServer.Options
  ) throws(CommandError) {
    if let text = try arguments.value("--admin-listen") {
      guard let endpoint = Endpoint(text) else {
        throw .usage(
          "--admin-listen is \"\(text)\", but must be like 127.0.0.1:9464, [::1]:9464 or 9464"
        )
      }
      options.adminListen = endpoint
    }
    if let text = try arguments.value("--public-url") {
      guard PublicURL(text) != nil else {
        throw .usage(
          "--public-url is \"\(text)\", but must be like https://books.example, without a path"
        )
      }
      options.publicURL = text
    }
    options.hosts = try arguments.values("--host")
    options.trustsProxy = arguments.flag("--trust-proxy")
    options.opensLibrary = arguments.flag("--open-library")
    options.libraryKey = try KeySource(option: "--library-key", variable: "LECTERN_LIBRARY_KEY")
      .take(from: &arguments, environment: environment)
    if let key = options.libraryKey, !LibraryAccess.isFit(key) {
      throw .usage(
        "--library-key needs \(LibraryAccess.keyMin) to \(LibraryAccess.keyMax) letters, digits "
          + "or any of - . _ ~"
      )
    }
    let days = try arguments.number("--keep-rooms", default: 30, in: 0.01...36_500)
    options.keepRooms = days * 86_400
  }

  static func run(_ words: [String]) throws(CommandError) {
    if words.contains("--help") { return Console.write(help) }
    let options = try options(words)
    let writer = LogWriter(
      to: LogFile(descriptor: STDERR_FILENO),
      format: options.log.format,
      level: options.log.level,
      showsAudit: options.audit == "-"
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

  /// Finds the page's files: as told, in the package that the program was built in, or installed.
  private static func webFolder(_ told: String?) throws(CommandError) -> String {
    if let told {
      if isWebFolder(told) { return told }
      throw .failed("--web is \"\(told)\", but there is no index.html in it")
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

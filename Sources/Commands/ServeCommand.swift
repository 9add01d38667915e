internal import CSpawn
internal import Foundation
internal import Server
internal import SharedStore
internal import Telemetry
internal import WebServer

/// `lectern serve`: serves the library to browsers.
enum ServeCommand {
  static let definition = Command(
    "serve",
    "[options]",
    summary: "serve the library to browsers",
    text: """
      Serves the library to browsers and prints the address to open. Ctrl-C or SIGTERM stops it;
      SIGHUP lets it read its keys and look at its folder of books again.

      Each option can also be given by a variable of the environment, such as LECTERN_PORT for
      --port, and by a line of the configuration file, such as "port = 8080"; a flag is "yes" or
      "no" there. The command line counts first, then the environment, then the file.
      """,
    groups: groups
  ) { words throws(CommandError) in try run(words) }

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
    var arguments = try Arguments(words, of: definition, environment: environment)
    var options = ReadingServer.Options(library: "", web: "")
    options.network = try network(&arguments)
    options.connections = try ReadingServer.Options.Connections(&arguments)
    options.keys = try keys(&arguments)
    options.storage = try storage(&arguments, environment)
    options.log = try LogOptions(&arguments)
    options.record = try arguments.value("--record")
    let processors = min(ProcessInfo.processInfo.activeProcessorCount, 64)
    options.threads = try arguments.integer("--threads", default: processors, in: 1...64)
    cluster = try .parse(from: &arguments)
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
    network.adminListen = try adminEndpoint(&arguments)
    if let text = try arguments.value("--public-url") {
      guard let url = PublicURL(text) else {
        throw .usage(
          "\(arguments.label("--public-url")) is \"\(text)\", but must be like "
            + "https://books.example or https://nas.example/books"
        )
      }
      (network.publicURL, network.basePath) = (text, url.basePath)
    }
    if let text = try arguments.value("--base-path") {
      guard let path = BasePath(text) else {
        throw .usage(
          "\(arguments.label("--base-path")) is \"\(text)\", but must be a path such as /books, "
            + "which does not begin like the server's own, such as /api"
        )
      }
      guard network.basePath == .none || network.basePath == path else {
        throw .usage(
          "\(arguments.label("--base-path")) is \"\(text)\", but --public-url has the path "
            + "\(network.basePath.text); give the same path, or leave one out"
        )
      }
      network.basePath = path
    }
    network.hosts = try arguments.values("--host")
    try proxies(&arguments, in: &network)
    return network
  }

  private static func proxies(
    _ arguments: inout Arguments,
    in network: inout ReadingServer.Options.Network
  ) throws(CommandError) {
    let list = try arguments.list("--trust-proxy", alone: "loopback")
    if let list {
      guard let proxies = TrustedProxies(list) else {
        throw .usage(
          "\(arguments.label("--trust-proxy")) is \"\(list.joined(separator: ","))\", but must be "
            + "a list of addresses such as 172.18.0.2, networks such as 10.0.0.0/8, or the words "
            + "loopback and private"
        )
      }
      network.proxies = proxies
    }
    if let name = try arguments.value("--user-header") {
      guard ServerOptions.isUserField(name) else {
        throw .usage(
          "\(arguments.label("--user-header")) is \"\(name)\", but must be the name of a header "
            + "such as Remote-User"
        )
      }
      guard !network.proxies.isEmpty else {
        throw .usage(
          "\(arguments.label("--user-header")) needs --trust-proxy: without it, everybody could "
            + "send the header"
        )
      }
      guard list?.contains(where: { $0.lowercased() == "private" }) != true else {
        throw .usage(
          "\(arguments.label("--user-header")) does not go with --trust-proxy private: everybody "
            + "in your network could send the header; give the address of the proxy"
        )
      }
      network.userHeader = name.lowercased()
    }
  }

  /// Removes the address of the admin endpoint from the arguments; nil for none.
  static func adminEndpoint(_ arguments: inout Arguments) throws(CommandError) -> Endpoint? {
    guard let text = try arguments.value("--admin-listen") else { return nil }
    guard let endpoint = Endpoint(text) else {
      throw .usage(
        "\(arguments.label("--admin-listen")) is \"\(text)\", but must be like "
          + "127.0.0.1:9464, [::1]:9464 or 9464"
      )
    }
    return endpoint
  }

  private static func keys(
    _ arguments: inout Arguments
  ) throws(CommandError) -> ReadingServer.Options.Keys {
    var keys = ReadingServer.Options.Keys()
    let admin = try KeySource("--admin-token").parse(from: &arguments)
    keys.admin = admin?.text
    if let token = keys.admin, token.utf8.count < Access.tokenMin {
      throw .usage("--admin-token is too easy to guess; use \(Access.tokenMin) characters or more")
    }
    keys.opensLibrary = try arguments.flag("--open-library")
    let library = try KeySource("--library-key").parse(from: &arguments)
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
        throw .usage("\(arguments.label("--store")): \(error)")
      }
      storage.storeCredentials = S3Credentials(environment: environment)
    }
    storage.data = try arguments.value("--data") ?? StandardFolders.standard
    let cache = try arguments.integer("--cache-size", default: 2048, in: 16...1 << 20)
    storage.cacheBytes = cache << 20
    let upload = try arguments.integer("--upload-limit", default: 1024, in: 1...1 << 20)
    storage.uploadBytes = upload << 20
    storage.mayDeleteFiles = try arguments.flag("--delete-files")
    storage.scanSeconds = try arguments.number("--scan-every", in: 1...86_400)
    if let days = try arguments.number("--keep-rooms", in: 0.01...36_500) {
      storage.keepRooms = days * 86_400
    }
    return storage
  }

  /// Lets freed memory return to the system instead of staying with the process.
  private static func limitHeaps(threads: Int) {
    // Up to eight heaps for each processor would grow apart: what is free in one is lost to others.
    mallopt(M_ARENA_MAX, Int32(max(2, threads)))
    // glibc begins with these limits, but raises both, to 32 and 64 MiB, once large buffers are
    // freed. The images of pages then lie in the heaps, leave gaps there, and no heap shrinks.
    mallopt(M_MMAP_THRESHOLD, 128 << 10)
    mallopt(M_TRIM_THRESHOLD, 128 << 10)
  }

  static func run(_ words: [String]) throws(CommandError) {
    if Arguments.askForHelp(words) { return try Console.write(definition.help) }
    var cluster: ClusterOptions?
    let environment = ProcessInfo.processInfo.environment
    let options = try options(words, environment: environment, cluster: &cluster)
    if let data = options.storage.data { try DataOwner.become(of: data) }
    limitHeaps(threads: options.threads)
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
      let manager = ServiceManager(environment: environment)
      let reloads: @Sendable () -> Void = {
        manager?.tell(.reloading)
        reload()
        manager?.tell(.ready)
      }
      let answer = isatty(STDIN_FILENO) == 1 ? server.stop : reloads
      let hangup = options.stopsOnSignals ? HangupSignal(answer) : nil
      manager?.tell(.ready)
      let log = writer.log
      Thread.detachNewThread { log.reportConfinement() }
      withExtendedLifetime(hangup) { server.run { manager?.tell(.stopping) } }
    } catch {
      writer.finish(with: .serverFailed, "\(error)")
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
    var folder = InstalledFolders.program.deletingLastPathComponent()
    var tried: [String] = []
    // .build/<platform>/release/lectern: the package is at most four folders up.
    for _ in 0..<4 {
      tried.append(folder.appendingPathComponent("Web").path)
      folder = folder.deletingLastPathComponent()
    }
    tried.append(InstalledFolders.shared)
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

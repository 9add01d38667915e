internal import Foundation

/// `lectern serve`: the library, in the browser.
enum ServeCommand {
  static let help = """
    lectern serve [options]
    Serves the library to browsers and prints the address to open. Ctrl-C or SIGTERM ends it.

      --port N         the port (8080); 0 takes any that is free
      --listen ADDR    the address to listen on (127.0.0.1); 0.0.0.0 lets others in
      --library DIR    a folder of folders of JPEG, PNG, WebP or SVG images: each folder of images
                       is a book, each folder of books a collection (the sample library)
      --data DIR       where places in books are kept between runs (nowhere: they live as long as
                       the server)
      --web DIR        the page's files (found beside the program)
      --record FILE    writes what the rooms do to FILE, for `lectern replay`
      --help           this text

    """

  struct Options: Equatable {
    var port = 8080
    var listen = "127.0.0.1"
    var library: String?
    var data: String?
    var web: String?
    var record: String?
  }

  static func options(_ words: [String]) throws(CommandError) -> Options {
    var arguments = Arguments(words)
    var options = Options()
    options.port = try arguments.integer("--port", default: 8080, in: 0...65535)
    options.listen = try arguments.value("--listen") ?? options.listen
    options.library = try arguments.value("--library")
    options.data = try arguments.value("--data")
    options.web = try arguments.value("--web")
    options.record = try arguments.value("--record")
    try arguments.finish()
    return options
  }

  static func run(_ words: [String]) throws(CommandError) {
    if words.contains("--help") { return Console.write(help) }
    let options = try options(words)
    let web = try webFolder(options.web)
    var serving = ReadingServer.Options(library: options.library ?? web + "/library", web: web)
    serving.port = options.port
    serving.listen = options.listen
    serving.data = options.data
    serving.record = options.record
    serving.stopsOnSignals = true
    let server = try ReadingServer(options: serving)
    for note in server.notes { Console.error("lectern: \(note)") }
    let host = options.listen.contains(":") ? "[\(options.listen)]" : options.listen
    Console.write("Lectern is open at http://\(host):\(server.port)/\n")
    server.run()
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

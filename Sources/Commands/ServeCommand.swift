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
                       the server); what changes is written within seconds
      --web DIR        the page's files (found beside the program)
      --record FILE    writes what the rooms do to FILE, for `lectern replay`
      --help           this text

    """

  static func options(_ words: [String]) throws(CommandError) -> ReadingServer.Options {
    var arguments = Arguments(words)
    let port = try arguments.integer("--port", default: 8080, in: 0...65535)
    let listen = try arguments.value("--listen")
    let library = try arguments.value("--library")
    let data = try arguments.value("--data")
    let told = try arguments.value("--web")
    let record = try arguments.value("--record")
    // What a word says wrong comes before what the world lacks.
    try arguments.finish()
    let web = try webFolder(told)
    var options = ReadingServer.Options(library: library ?? web + "/library", web: web)
    options.port = port
    options.listen = listen ?? options.listen
    options.data = data
    options.record = record
    options.stopsOnSignals = true
    return options
  }

  static func run(_ words: [String]) throws(CommandError) {
    if words.contains("--help") { return Console.write(help) }
    let options = try options(words)
    let server = try ReadingServer(options: options)
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

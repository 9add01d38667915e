internal import Library
internal import Scene
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
    /// The folder of books.
    package var library: String
    /// Where places in books are kept; nil for nowhere.
    package var data: String?
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
  /// What could not be used of the library.
  package let notes: [String]
  /// Stops the server, from any thread: every member gets a close frame.
  package let stop: @Sendable () -> Void

  private let server: WebServer
  private let recorder: Recorder?
  private let places: PlaceStore?

  /// Opens the library and listens; nobody is answered before ``run()``.
  package init(options: Options) throws(CommandError) {
    let library: Library
    do { library = try Library.open(directory: options.library) } catch {
      throw .failed("\(error)")
    }
    notes = library.notes
    recorder = try options.record.map { path throws(CommandError) in
      try Recorder(path: path, library: library.catalogue.outline)
    }
    places = try options.data.map { folder throws(CommandError) in
      try PlaceStore(folder: folder)
    }
    let application = ReadingApplication(library: library, recorder: recorder, places: places)
    do {
      server = try WebServer(
        options: ServerOptions(
          listenAddress: options.listen,
          port: options.port,
          staticRoot: options.web,
          stopsOnSignals: options.stopsOnSignals
        ),
        application: application
      )
    } catch { throw .failed("\(error)") }
    application.server = server
    let stopper = server.stopper
    stop = { stopper.stop() }
  }

  /// Serves until stopped, on the calling thread.
  package func run() {
    server.run()
    recorder?.finish()
    places?.finish()
  }
}

internal import Foundation
internal import Library
internal import Server
internal import Telemetry

/// `lectern import`: adds files to the library and prints a line for each.
enum ImportCommand {
  static let definition = Command(
    "import",
    "[options] PATH...",
    summary: "import books into the library",
    text: """
      Imports books into the library: PDF, EPUB, DjVu, MOBI, FB2, text, CBZ, CBR, CB7, CBT, images
      and folders of images. Prints a line for each book: title, format, pages, seconds. Files that
      cannot be read are named on the standard error, with the reason, and the exit code is then 1.
      """,
    groups: [
      OptionGroup([
        .data("the data folder of the library"),
        Option("--collection", "NAME", "the shelf for them (Imported)", isSetting: false),
        Option("--password", "WORD", "opens PDFs that ask for one", isSetting: false),
        .configuration, .help,
      ])
    ],
    takesFiles: true
  ) { words throws(CommandError) in try run(words) }

  struct Options: Equatable {
    var data: String
    var collection: String?
    var password: String
    var paths: [String]
  }

  static func options(
    _ words: [String],
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(CommandError) -> Options {
    var arguments = try Arguments(words, of: definition, environment: environment)
    var options = Options(
      data: try arguments.value("--data") ?? StandardFolders.standard,
      collection: try arguments.value("--collection"),
      password: try arguments.value("--password") ?? "",
      paths: []
    )
    options.paths = [try arguments.operand("the PATH of a book")]
    while arguments.hasOperand { options.paths.append(try arguments.operand("PATH")) }
    try arguments.finish()
    return options
  }

  static func run(_ words: [String]) throws(CommandError) {
    if Arguments.askForHelp(words) { return try Console.write(definition.help) }
    let options = try options(words)
    try DataOwner.become(of: options.data)
    // This log is for faults of the machine, such as a press that is not confined; failures of
    // single files are printed below.
    let writer = LogWriter(to: LogFile(descriptor: STDERR_FILENO), level: .error)
    defer { writer.finish() }
    let library: BookLibrary
    do {
      library = try BookLibrary(
        BookLibrary.Options(data: options.data, press: try CommandError.wrap(PressProgram.path)),
        log: writer.log,
        onChange: { _ in }
      )
    } catch let error as CommandError {
      throw error
    } catch { throw .failed("\(error)") }
    defer { library.stop() }
    var failures = 0
    for path in options.paths where try !bring(path, into: library, options) { failures += 1 }
    guard failures == 0 else { throw .reported }
  }

  /// Imports one path, prints the outcome, and returns whether it succeeded.
  /// - Throws: ``CommandError/failed(_:)`` if the outcome cannot be printed.
  private static func bring(
    _ path: String,
    into library: BookLibrary,
    _ options: Options
  ) throws(CommandError) -> Bool {
    let name = URL(fileURLWithPath: path).standardizedFileURL.lastPathComponent
    let bar = ProgressBar(name: name)
    let began = ContinuousClock.now
    let book: Book
    do {
      book = try library.importFile(
        path,
        name: name,
        collection: options.collection,
        password: options.password
      ) { bar.show($0) }
    } catch {
      bar.clear()
      Console.error("\(path): \(error)")
      return false
    }
    bar.clear()
    if let failure = book.failure {
      Console.error("\(path): \(failure)")
      return false
    }
    let seconds = (ContinuousClock.now - began) / .seconds(1)
    let pages = book.pages == 1 ? "1 page" : "\(book.pages) pages"
    let title = Console.plain(book.title)
    try Console.write("\(title), \(book.format), \(pages), \(String(format: "%.1f", seconds)) s\n")
    return true
  }
}

/// The data folder that is used if no option names another one.
enum StandardFolders {
  /// `$XDG_DATA_HOME/lectern`, by default below `~/.local/share` (XDG Base Directory).
  static var standard: String { below(ProcessInfo.processInfo.environment) }

  /// Returns the folder for an environment; without `$HOME`, the system knows the user's home.
  static func below(_ environment: [String: String]) -> String {
    if let folder = environment["XDG_DATA_HOME"], folder.hasPrefix("/") {
      return folder + "/lectern"
    }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
    return home + "/.local/share/lectern"
  }
}

internal import Foundation
internal import Library
internal import Server
internal import Telemetry

/// A library that a command opens for a moment, also while a server uses its data folder.
enum OpenedLibrary {
  /// Runs work with the library of a data folder.
  static func with(
    data: String,
    _ work: (BookLibrary) throws(CommandError) -> Void
  ) throws(CommandError) {
    try DataOwner.become(of: data)
    guard FileManager.default.fileExists(atPath: data + "/catalogue.sqlite") else {
      throw .failed("there is no library in \(data); say where it is with --data DIR")
    }
    let writer = LogWriter(to: LogFile(descriptor: STDERR_FILENO), level: .error)
    defer { writer.finish() }
    let library: BookLibrary
    do {
      var options = BookLibrary.Options(data: data, press: try CommandError.wrap(PressProgram.path))
      options.worksAhead = false
      options.mayDeleteFiles = true
      library = try BookLibrary(options, log: writer.log, onChange: { _ in })
    } catch let error as CommandError {
      throw error
    } catch { throw .failed("\(error)") }
    defer { library.stop() }
    try work(library)
  }

  /// Acts on books by their ids and prints a line for each; those with which it fails are named on
  /// the standard error.
  static func each(
    _ ids: [String],
    _ act: (String) throws(LibraryFault) -> String
  ) throws(CommandError) {
    var failures = 0
    var lines = LineOutput()
    for id in ids {
      let line: String
      do throws(LibraryFault) { line = try act(id) } catch {
        failures += 1
        Console.error("\(id): \(error)")
        continue
      }
      try lines.add(line)
    }
    try lines.finish()
    guard failures == 0 else { throw .reported }
  }
}

/// A list of books as text or as JSON.
enum BookList {
  /// Prints one line for each book: id, state, source, pages and title, separated by tabs.
  static func text(_ books: [Book]) -> String {
    books.map { book in
      let state = book.deleted == nil ? book.state.rawValue : "deleted"
      let title = Console.plain(book.title)
      return "\(book.id)\t\(state)\t\(book.source.rawValue)\t\(book.pages)\t\(title)\n"
    }.joined()
  }

  /// Returns the list as the HTTP API has it.
  static func json(_ books: [Book]) throws(CommandError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(books.map(BookJSON.init)), as: UTF8.self) + "\n"
    } catch { throw .failed("\(error)") }
  }
}

/// `lectern list`: prints the books of the library.
enum ListCommand {
  static let definition = Command(
    "list",
    "[options]",
    summary: "print the books of the library",
    text: """
      Prints a line for each book, with tabs between its fields: id, state (ready, locked or
      failed), source (folder, imported, store or none if its file is gone), pages, title.
      """,
    groups: [
      OptionGroup([
        .data("the data folder of the library"),
        Option(
          flag: "--json",
          "print JSON, with all that the HTTP API tells about a book",
          isSetting: false
        ), .configuration, .help,
      ])
    ]
  ) { words throws(CommandError) in try run(words) }

  static func run(_ words: [String]) throws(CommandError) {
    if Arguments.askForHelp(words) { return try Console.write(definition.help) }
    var arguments = try Arguments(
      words,
      of: definition,
      environment: ProcessInfo.processInfo.environment
    )
    let data = try arguments.value("--data") ?? StandardFolders.standard
    let isJSON = try arguments.flag("--json")
    try arguments.finish()
    try OpenedLibrary.with(data: data) { (library) throws(CommandError) in
      let books = library.books()
      try Console.write(isJSON ? try BookList.json(books) : BookList.text(books))
    }
  }
}

/// `lectern remove`: puts books into the bin.
enum RemoveCommand {
  static let definition = Command(
    "remove",
    "[options] ID...",
    summary: "put books into the bin",
    text: """
      Puts books into the bin, from which they can be brought back for 30 days: see `lectern bin`.
      The ids are those of `lectern list`. A book of the library's folder is hidden, and its file
      stays.
      """,
    groups: [
      OptionGroup([
        .data("the data folder of the library"),
        Option(
          flag: "--delete-file",
          "also delete the file in the library's folder, after 30 days or when the bin is emptied",
          isSetting: false
        ), .configuration, .help,
      ])
    ]
  ) { words throws(CommandError) in try run(words) }

  static func run(_ words: [String]) throws(CommandError) {
    if Arguments.askForHelp(words) { return try Console.write(definition.help) }
    var arguments = try Arguments(
      words,
      of: definition,
      environment: ProcessInfo.processInfo.environment
    )
    let data = try arguments.value("--data") ?? StandardFolders.standard
    let deletesFile = try arguments.flag("--delete-file")
    var ids = [try arguments.operand("the ID of a book")]
    while arguments.hasOperand { ids.append(try arguments.operand("ID")) }
    try arguments.finish()
    try OpenedLibrary.with(data: data) { (library) throws(CommandError) in
      try OpenedLibrary.each(ids) { (id) throws(LibraryFault) in
        Console.plain(try library.remove(id, deletesFile: deletesFile).title) + " is in the bin"
      }
    }
  }
}

/// `lectern bin`: shows the bin, brings books back, or empties it.
enum BinCommand {
  static let definition = Command(
    "bin",
    "[options]",
    summary: "look at the bin, bring books back, or empty it",
    text: """
      Prints the books in the bin like `lectern list`. A book stays there for 30 days.
      """,
    groups: [
      OptionGroup([
        .data("the data folder of the library"),
        Option(flag: "--json", "print JSON", isSetting: false),
        Option(
          "--restore",
          "ID",
          "bring a book back to its shelf; may be repeated",
          isRepeated: true,
          isSetting: false
        ),
        Option(
          flag: "--empty",
          "erase all books in the bin with their files, which cannot be undone; a book whose file"
            + " stays in the library's folder stays in the bin",
          isSetting: false
        ), .configuration, .help,
      ])
    ]
  ) { words throws(CommandError) in try run(words) }

  static func run(_ words: [String]) throws(CommandError) {
    if Arguments.askForHelp(words) { return try Console.write(definition.help) }
    var arguments = try Arguments(
      words,
      of: definition,
      environment: ProcessInfo.processInfo.environment
    )
    let data = try arguments.value("--data") ?? StandardFolders.standard
    let restored = try arguments.values("--restore")
    let (isJSON, empties) = (try arguments.flag("--json"), try arguments.flag("--empty"))
    try arguments.finish()
    if empties, !restored.isEmpty { throw .usage("use --restore or --empty, not both") }
    try OpenedLibrary.with(data: data) { (library) throws(CommandError) in
      if empties {
        let count: Int
        do throws(LibraryFault) { count = try library.emptyBin() } catch {
          throw .failed("\(error)")
        }
        try Console.write(count == 1 ? "1 book was erased\n" : "\(count) books were erased\n")
      } else if restored.isEmpty {
        let books = library.binnedBooks()
        try Console.write(isJSON ? try BookList.json(books) : BookList.text(books))
      } else {
        try OpenedLibrary.each(restored) { (id) throws(LibraryFault) in
          Console.plain(try library.restore(id).title) + " is back"
        }
      }
    }
  }
}

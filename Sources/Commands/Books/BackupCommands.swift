internal import Foundation
internal import Library
internal import Server

/// `lectern backup`: writes everything that cannot be made again to one file.
enum BackupCommand {
  static let definition = Command(
    "backup",
    "[options] FILE",
    summary: "write the library's data to one file, also while a server uses it",
    text: """
      Writes everything of the data folder that cannot be made again to FILE, a tar archive: titles
      and corrections, bookmarks, rooms, imported books, the library's key and recordings. A server
      may use the folder meanwhile. FILE must not exist; - writes to the standard output. Your own
      folder of books is not part of it. As root, the command reads as the owner of the data folder.
      """,
    groups: ArchivePlace.groups,
    takesFiles: true
  ) { words throws(CommandError) in try run(words) }

  static func run(_ words: [String]) throws(CommandError) {
    if Arguments.askForHelp(words) { return try Console.write(definition.help) }
    let (data, file) = try ArchivePlace.parse(words, of: definition)
    guard file != "-" else { return try write(data, to: STDOUT_FILENO) }
    guard access(file, F_OK) != 0 else {
      throw .failed("\(file) exists; name another file, or remove it")
    }
    // An interrupted backup must not look like one, and two must not write one file.
    let partial = file + ".partial"
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw .failed(
        errno == EEXIST
          ? "\(partial) exists: another backup writes it, or was interrupted; then remove it"
          : "\(partial) cannot be created: \(reason())"
      )
    }
    defer { close(descriptor) }
    do throws(CommandError) { try write(data, to: descriptor) } catch {
      unlink(partial)
      throw error
    }
    guard rename(partial, file) == 0 else {
      throw .failed("\(partial) is complete, but cannot be renamed: \(reason())")
    }
    let bytes = lseek(descriptor, 0, SEEK_END)
    try Console.write("\(file), \(max(1, bytes >> 20)) MiB\n")
  }

  private static func write(_ data: String, to descriptor: Int32) throws(CommandError) {
    let missing = try DataOwner.acting(asOwnerOf: data) { () throws(CommandError) in
      do throws(DataArchive.Fault) {
        return try DataArchive.write(data, to: descriptor, version: Version.number)
      } catch { throw .failed("\(error)") }
    }
    guard missing > 0 else { return }
    let files = missing == 1 ? "1 imported file is" : "\(missing) imported files are"
    Console.error(
      "lectern: \(files) in the catalogue, but not in \(data)/originals, so not in the backup; "
        + "is a disk not mounted?"
    )
  }

  private static func reason() -> String { String(cString: strerror(errno)) }
}

/// `lectern restore`: replaces the data folder by the contents of a backup.
enum RestoreCommand {
  static let definition = Command(
    "restore",
    "[options] FILE",
    summary: "replace the library's data by a backup",
    text: """
      Replaces the data folder by the contents of FILE, which `lectern backup` has written; - reads
      the standard input. Stop the server before. What was in the folder is moved into a folder
      below it, whose name begins with "replaced". A backup of an older version is migrated when the
      server starts.
      """,
    groups: ArchivePlace.groups,
    takesFiles: true
  ) { words throws(CommandError) in try run(words) }

  static func run(_ words: [String]) throws(CommandError) {
    if Arguments.askForHelp(words) { return try Console.write(definition.help) }
    let (data, file) = try ArchivePlace.parse(words, of: definition)
    // The owner of the data folder may not be able to read the file.
    let descriptor = file == "-" ? STDIN_FILENO : open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw .failed("\(file) cannot be read: \(String(cString: strerror(errno)))")
    }
    try DataOwner.become(of: data)
    let restored: DataArchive.Restored
    do throws(DataArchive.Fault) {
      restored = try DataArchive.restore(data, from: descriptor)
    } catch { throw .failed("\(error)") }
    let books = restored.books == 1 ? "1 book" : "\(restored.books) books"
    let replaced = restored.replaced.map { "\nThe former data is in \($0); remove it later.\n" }
    try Console.write("\(Console.plain(restored.label)): \(books)\(replaced ?? "\n")")
  }
}

/// The arguments of both commands: a data folder and a file.
private enum ArchivePlace {
  static let groups = [
    OptionGroup([.data("the data folder of the library"), .configuration, .help])
  ]

  static func parse(
    _ words: [String],
    of command: Command
  ) throws(CommandError) -> (data: String, file: String) {
    var arguments = try Arguments(
      words,
      of: command,
      environment: ProcessInfo.processInfo.environment
    )
    let data = try arguments.value("--data") ?? StandardFolders.standard
    let file = try arguments.operand("the FILE of the backup")
    try arguments.finish()
    return (data, file)
  }
}

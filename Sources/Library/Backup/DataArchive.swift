internal import Foundation
internal import Glibc

/// A data folder in one file: a tar archive of everything in it that cannot be made again.
///
/// It has the catalogue, the copies of imported books and their pages, the secret and the key,
/// recordings and the audit log; and, as its first member, a line that says what it is. The program
/// `tar` writes and reads it.
///
/// All functions block until the archive is complete.
package enum DataArchive {
  /// Why a data folder cannot be backed up or restored: a sentence that says what to do.
  package struct Fault: Error, Equatable, CustomStringConvertible {
    package let description: String
  }

  /// What was restored.
  package struct Restored: Equatable, Sendable {
    /// The line of the archive, such as "Lectern 0.1.0, 2026-11-28T17:00:00Z".
    package let label: String
    /// The number of books in the catalogue.
    package let books: Int
    /// The folder to which the former contents were moved; nil if there were none.
    package let replaced: String?
  }

  /// The first member of an archive.
  private static let label = "lectern-backup"
  private static let catalogue = "catalogue.sqlite"
  /// The beginnings of the names in a data folder that an archive omits.
  ///
  /// These are the files of processes, and those that can be made again or are incomplete. The
  /// catalogue is added as a copy.
  private static let omitted = [
    "announced", "backups", "catalogue.sqlite", "owner.lock", "pages", "replaced-", "restoring-",
    "unfinished", "uploads", "users.lock",
  ]

  private static func isOmitted(_ name: String) -> Bool { omitted.contains { name.hasPrefix($0) } }

  // MARK: Writing

  /// Writes an archive while a server may use the folder.
  /// - Parameters:
  ///   - data: The data folder.
  ///   - descriptor: Where to write the archive: a file or a pipe.
  ///   - version: The version of this program.
  /// - Returns: How many files of imported books the catalogue names and the folder lacks.
  /// - Throws: ``Fault`` if the folder has no catalogue, or if something cannot be read or written.
  package static func write(
    _ data: String,
    to descriptor: Int32,
    version: String
  ) throws(Fault) -> Int {
    let database = DataFolder.database(in: data)
    guard access(database, R_OK) == 0 else {
      throw Fault(
        description:
          "\(database) cannot be read (\(reason())); name the data folder with --data DIR"
      )
    }
    // While this lock is held, a server removes nothing of what follows.
    let lock = try sharedLock(data)
    defer { if let lock { close(lock) } }
    let name = "unfinished/backup-\(String(UInt64.random(in: .min ... .max), radix: 36))"
    let (copy, line) = (name + ".sqlite", name + ".txt")
    defer { for file in [copy, line] { unlink("\(data)/\(file)") } }
    do {
      // What the catalogue refers to is there: files are stored before they are recorded.
      try Database(path: database, isReader: true).copy(to: "\(data)/\(copy)")
      let text = "Lectern \(version), \(ISO8601DateFormatter().string(from: Date()))\n"
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(data)/\(line)"))
    } catch let error as DatabaseError {
      throw Fault(description: "\(error)")
    } catch {
      throw Fault(description: "\(data) cannot be written: \(error.localizedDescription)")
    }
    let names = StoredFiles.names(in: data).filter { !isOmitted($0) }.sorted()
    try rejectOthers(names, in: data)
    let missing = missingFiles(of: "\(data)/\(copy)", in: data)
    // A folder may be on another disk, so links are followed; this process has no more rights than
    // the owner of the folder.
    let status = try tar(
      [
        "--create", "--file=-", "--directory=\(data)", "--dereference", "--owner=0", "--group=0",
        "--mode=u=rwX,go=", "--transform=s,^\(copy)$,\(catalogue),",
        "--transform=s,^\(line)$,\(label),", "--", line, copy,
      ] + names,
      output: descriptor
    )
    // 1: a file changed or was removed meanwhile, such as the log or a book that somebody deleted.
    guard status <= 1, fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS else {
      throw Fault(
        description: "The backup is incomplete (tar: \(status)); remove it. Is the disk full?"
      )
    }
    return missing
  }

  /// Rejects links that lead nowhere, such as to a disk that is not mounted, and anything else that
  /// cannot be restored as a file or folder.
  private static func rejectOthers(_ names: [String], in data: String) throws(Fault) {
    for name in names {
      let inner = FileManager.default.enumerator(atPath: "\(data)/\(name)")
      let paths = [name] + (inner?.compactMap { ($0 as? String).map { "\(name)/\($0)" } } ?? [])
      for path in paths {
        var (own, facts) = (stat(), stat())
        // What was removed meanwhile is no part of the backup.
        guard lstat("\(data)/\(path)", &own) == 0 else { continue }
        if stat("\(data)/\(path)", &facts) == 0 {
          if [S_IFREG, S_IFDIR].contains(facts.st_mode & S_IFMT) { continue }
          throw Fault(description: "\(data)/\(path) is neither a file nor a folder; remove it.")
        }
        guard own.st_mode & S_IFMT == S_IFLNK else { continue }
        throw Fault(
          description:
            "\(data)/\(path) is a link that leads nowhere (\(reason())); mount its disk, "
            + "or remove the link."
        )
      }
    }
  }

  /// Returns how many of the files of imported books that a catalogue names are missing.
  private static func missingFiles(of catalogue: String, in data: String) -> Int {
    // An older catalogue may not tell.
    let rows = try? Database(path: catalogue, isReader: true)
    let needed = try? rows?.books.neededFiles()
    return needed?[.originals]?.count { name in
      access("\(data)/\(StoredFiles.Kind.originals.rawValue)/\(name.prefix(2))/\(name)", R_OK) != 0
    } ?? 0
  }

  /// Returns the lock that keeps a server from cleaning up; nil if no server has used the folder.
  ///
  /// Creates no lock, because this process may be root's and the server another user's.
  private static func sharedLock(_ data: String) throws(Fault) -> Int32? {
    let path = DataFolder.usersLock(in: data)
    let lock = open(path, O_RDWR | O_CLOEXEC)
    guard lock >= 0 else {
      guard errno != ENOENT else { return nil }
      throw Fault(
        description: "\(path) cannot be opened: \(reason()). Run this as the server's user."
      )
    }
    // A server holds it alone only for moments.
    for _ in 0..<50 {
      if flock(lock, LOCK_SH | LOCK_NB) == 0 { return lock }
      usleep(100_000)
    }
    close(lock)
    throw Fault(description: "\(path) is locked by another process; try again.")
  }

  // MARK: Restoring

  /// Replaces the contents of a data folder by those of an archive.
  ///
  /// The former contents are moved into a folder below it, except for drawn pages. No process may
  /// use the folder meanwhile. An incomplete or newer archive changes nothing.
  /// - Parameters:
  ///   - data: The data folder, which need not exist.
  ///   - descriptor: Where to read the archive from.
  /// - Returns: What was restored.
  /// - Throws: ``Fault`` if the folder is in use or the archive is unusable.
  package static func restore(_ data: String, from descriptor: Int32) throws(Fault) -> Restored {
    if let fault = DataFolder.diskFault(of: data) { throw Fault(description: fault) }
    let folder: DataFolder
    do throws(FileFault) { folder = try DataFolder(data) } catch {
      throw Fault(description: "\(error)")
    }
    defer { folder.leave() }
    guard folder.isOwner else { throw Fault(description: folder.whoOwnsIt) }
    // Other processes wait until the folder is whole again.
    let restored = try folder.withoutGuests { () throws(Fault) in
      try restore(into: folder, from: descriptor)
    }
    guard let restored else {
      throw Fault(description: "Another process uses \(data); wait until it has ended.")
    }
    return restored
  }

  private static func restore(
    into folder: DataFolder,
    from descriptor: Int32
  ) throws(Fault) -> Restored {
    let moment = ISO8601DateFormatter().string(from: Date()).replacing(":", with: "")
    let staging = "\(folder.path)/restoring-\(moment)"
    defer { try? FileManager.default.removeItem(atPath: staging) }
    guard mkdir(staging, 0o700) == 0 else {
      throw Fault(description: "\(staging) cannot be created: \(reason()).")
    }
    let status = try tar(
      [
        "--extract", "--file=-", "--directory=\(staging)", "--no-same-owner",
        "--no-same-permissions",
      ],
      input: descriptor
    )
    let found = try examined(staging, status)
    let replaced = try swap(staging, into: folder.path, aside: "replaced-\(moment)")
    // The folders of files that an archive omits.
    _ = try? StoredFiles(folder: folder.path)
    return Restored(label: found.label, books: found.books, replaced: replaced)
  }

  /// Returns what an extracted archive has, if it can be used.
  private static func examined(
    _ staging: String,
    _ status: Int32
  ) throws(Fault) -> (label: String, books: Int) {
    guard let bytes = try? InputFile.head(of: "\(staging)/\(label)", limit: 200) else {
      throw Fault(description: "This is no backup of Lectern; name a file of `lectern backup`.")
    }
    guard status == 0 else {
      throw Fault(
        description: "The backup is damaged or incomplete, or the disk is full (tar: \(status))."
      )
    }
    for name in StoredFiles.names(in: staging) where isOmitted(name) && name != catalogue {
      throw Fault(description: "The backup contains \(name), which no backup does.")
    }
    let line = String(decoding: bytes, as: UTF8.self).filter { !$0.isNewline }
    let path = "\(staging)/\(catalogue)"
    try rejectLinks(in: staging)
    let (version, books): (Int, Int)
    do throws(DatabaseError) {
      let rows = try Database(path: path, isReader: true)
      try rows.check()
      version = try rows.version()
      books = try rows.first("SELECT count(*) FROM book") { $0.int(0) } ?? 0
    } catch {
      throw Fault(description: "The catalogue of the backup is damaged: \(error)")
    }
    guard version <= Schema.steps.count else {
      throw Fault(
        description: "The backup (\(line)) is newer than this program; install that version."
      )
    }
    return (line, books)
  }

  /// Rejects everything but files and folders, because a link could lead out of the folder.
  private static func rejectLinks(in folder: String) throws(Fault) {
    guard let names = FileManager.default.enumerator(atPath: folder) else {
      throw Fault(description: "\(folder) cannot be read.")
    }
    for case let name as String in names {
      var facts = stat()
      guard lstat("\(folder)/\(name)", &facts) == 0,
        [S_IFREG, S_IFDIR].contains(facts.st_mode & S_IFMT)
      else { throw Fault(description: "The backup contains \(name), which is not a file.") }
    }
  }

  /// Moves the former contents of a folder aside, and those of another into it, or changes nothing.
  /// - Returns: Where the former contents are now; nil if there were none.
  private static func swap(
    _ staging: String,
    into data: String,
    aside name: String
  ) throws(Fault) -> String? {
    let files = FileManager.default
    let former = StoredFiles.names(in: data).filter { name in
      !["owner.lock", "users.lock"].contains(name)
        && !["replaced-", "restoring-"].contains { name.hasPrefix($0) }
    }
    let aside = "\(data)/\(name)"
    var isKept = false
    // Drawn pages can be drawn again.
    var drawn: [String] = []
    var moves: [(from: String, to: String)] = []
    func move(_ from: String, _ to: String) throws {
      try files.moveItem(atPath: from, toPath: to)
      moves.append((from, to))
    }
    do {
      for name in former {
        let path = "\(data)/\(name)"
        if rmdir(path) == 0 { continue }
        guard mkdir(aside, 0o700) == 0 || errno == EEXIST else {
          throw FileFault(path: aside, code: errno)
        }
        try move(path, "\(aside)/\(name)")
        if name.hasPrefix("pages") { drawn.append("\(aside)/\(name)") } else { isKept = true }
      }
      unlink("\(staging)/\(label)")
      for name in StoredFiles.names(in: staging) {
        try move("\(staging)/\(name)", "\(data)/\(name)")
      }
    } catch {
      for (from, to) in moves.reversed() { try? files.moveItem(atPath: to, toPath: from) }
      let isLeft = rmdir(aside) != 0 && errno != ENOENT
      let rest = isLeft ? " What was in it is in \(aside); move it back." : ""
      throw Fault(
        description: "\(data) could not be replaced: \(error.localizedDescription)\(rest)"
      )
    }
    for path in drawn { try? files.removeItem(atPath: path) }
    if !isKept { rmdir(aside) }
    return isKept ? aside : nil
  }

  // MARK: tar

  /// Runs tar and returns its status, or 128 and its signal; its messages go to the standard error.
  private static func tar(
    _ arguments: [String],
    input: Int32? = nil,
    output: Int32? = nil
  ) throws(Fault) -> Int32 {
    let program = Process()
    program.executableURL = URL(fileURLWithPath: "/bin/tar")
    program.arguments = arguments
    func handle(_ descriptor: Int32?) -> FileHandle {
      descriptor.map { FileHandle(fileDescriptor: $0) } ?? .nullDevice
    }
    (program.standardInput, program.standardOutput) = (handle(input), handle(output))
    do { try program.run() } catch {
      throw Fault(description: "/bin/tar cannot be run; install Debian's package tar.")
    }
    program.waitUntilExit()
    let status = program.terminationStatus
    return program.terminationReason == .exit ? status : 128 + status
  }

  private static func reason() -> String { String(cString: strerror(errno)) }
}

internal import Foundation
internal import Glibc
internal import Synchronization

/// The folder in which a library stores its data, and the processes that use it.
///
/// One process at a time owns the folder: a server. Other processes can be guests that import
/// books; guests do not clean up and render no pages.
final class DataFolder: Sendable {
  let path: String
  /// Whether this process owns the folder and cleans it up.
  let isOwner: Bool
  /// Whether no other process used the folder when this one opened it.
  let isAlone: Bool
  /// Whether the folder is deleted when this process leaves it.
  let isTemporary: Bool
  /// How often a process asks in vain, ten times a second, until it gives up.
  private static let patience = 100
  /// The lock files that this process holds, the owner's first.
  private let locks: Mutex<[Int32]>

  /// Opens a folder and creates it if it is missing; without a path, creates a temporary one.
  init(_ path: String?) throws(FileFault) {
    isTemporary = path == nil
    var folder = path ?? ""
    if path == nil {
      folder = NSTemporaryDirectory() + "lectern-" + String(repeating: "X", count: 6)
      var template = Array(folder.utf8CString)
      guard mkdtemp(&template) != nil else { throw FileFault(path: folder, code: errno) }
      folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    if !folder.hasPrefix("/") { folder = FileManager.default.currentDirectoryPath + "/" + folder }
    self.path = folder
    try StoredFiles.make(folder)
    let owner = try Self.open(Self.ownerLock(in: folder))
    let users = try Self.open(Self.usersLock(in: folder))
    locks = Mutex([owner, users])
    isOwner = flock(owner, LOCK_EX | LOCK_NB) == 0
    isAlone = isOwner && flock(users, LOCK_EX | LOCK_NB) == 0
    // Every later process sees that it is not alone. This one waits while another restores, which
    // can take long.
    var attempts = 0
    while flock(users, LOCK_SH | LOCK_NB) != 0 {
      guard attempts < Self.patience else { throw FileFault(path: folder, code: EBUSY) }
      attempts += 1
      usleep(100_000)
    }
    _ = try StoredFiles(folder: folder)
    if isOwner {
      // Names the owner for the message of a later process; only the lock decides.
      ftruncate(owner, 0)
      let text = Array("\(getpid())\n".utf8)
      _ = pwrite(owner, text, text.count, 0)
    }
  }

  /// Returns why a data folder, which need not exist, cannot be where it is; nil if it can.
  static func diskFault(
    of path: String,
    findMounts: (String) -> Mounts = { Mounts(of: $0) }
  ) -> String? {
    var folder = URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL
    while access(folder.path, F_OK) != 0, folder.pathComponents.count > 1 {
      folder.deleteLastPathComponent()
    }
    let mounts = findMounts(folder.path)
    guard !mounts.isFitForDatabase, let type = mounts.type else { return nil }
    return "The data folder \(path) is on a network share (\(type)), which would damage the "
      + "catalogue: SQLite needs locks and shared memory that such a share does not have. Choose a "
      + "folder on a disk of this machine with --data DIR; the books may stay on the share."
  }

  deinit { leave() }

  /// Releases the folder to other processes; this process must not use it any longer.
  ///
  /// Deletes a temporary folder. A process that exits as soon as it has stopped its library frees
  /// none of the values that hold the folder.
  func leave() {
    locks.withLock { locks in
      for lock in locks { close(lock) }
      locks = []
    }
    if isTemporary { try? FileManager.default.removeItem(atPath: path) }
  }

  /// Runs a closure while no guest uses the folder; guests that come meanwhile wait.
  /// - Returns: What the closure returned; nil if a guest uses the folder, so that it did not run.
  @discardableResult
  func withoutGuests<T: Sendable, E: Error>(_ work: () throws(E) -> T) throws(E) -> T? {
    try locks.withLock { locks throws(E) in
      guard isOwner, let users = locks.last else { return nil }
      // An attempt in vain gives up the lock that the folder's users share.
      defer { flock(users, LOCK_SH) }
      guard flock(users, LOCK_EX | LOCK_NB) == 0 else { return nil }
      return try work()
    }
  }

  /// The message for a process that must own the folder when another process owns it.
  var whoOwnsIt: String { Self.ownerSentence(path) }

  /// The message for a process that must own a folder when another process owns it.
  static func ownerSentence(_ path: String) -> String {
    let bytes = (try? InputFile.head(of: ownerLock(in: path), limit: 20)) ?? []
    let number = Int(String(decoding: bytes, as: UTF8.self).prefix { $0.isNumber })
    let process = number.map { " (process \($0))" } ?? ""
    return "The data folder \(path) is in use by another Lectern server\(process). "
      + "Stop that server, or choose another folder with --data DIR."
  }

  var database: String { Self.database(in: path) }

  static func database(in folder: String) -> String { folder + "/catalogue.sqlite" }

  /// The file that the owner of a folder has locked.
  static func ownerLock(in folder: String) -> String { folder + "/owner.lock" }

  /// The file that every process that uses a folder has locked with others.
  static func usersLock(in folder: String) -> String { folder + "/users.lock" }

  /// The folder of the catalogue's backups.
  var backups: String { path + "/backups" }

  /// The folder of pictures; every guest has its own.
  var pictures: String { isOwner ? path + "/pages" : "\(path)/pages-\(getpid())" }

  /// The file that a guest touches when it has changed the catalogue.
  var announcement: String { path + "/announced" }

  private static func open(_ path: String) throws(FileFault) -> Int32 {
    let file = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw FileFault(path: path, code: errno) }
    return file
  }
}

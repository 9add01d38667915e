internal import Foundation
internal import Glibc
internal import Synchronization

/// The folder in which a library keeps what it knows, and who else uses it.
///
/// One process at a time owns it: a server. Others may come as guests, to import books: they clean
/// up nothing and print no pages.
final class DataFolder: Sendable {
  let path: String
  /// Whether this process is the one that keeps the folder in order.
  let isOwner: Bool
  /// Whether no other process used it when this one came.
  let isAlone: Bool
  /// Whether it goes with the value.
  let isTemporary: Bool
  /// The files that are locked while this process uses the folder, the owner's first.
  private let locks: Mutex<[Int32]>

  /// Opens a folder, making it if it is not there; without a path, one that goes with the value.
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
    _ = try StoredFiles(folder: folder)
    let owner = try Self.open(folder + "/owner.lock")
    let users = try Self.open(folder + "/users.lock")
    locks = Mutex([owner, users])
    isOwner = flock(owner, LOCK_EX | LOCK_NB) == 0
    isAlone = isOwner && flock(users, LOCK_EX | LOCK_NB) == 0
    // Whoever comes now has found out that it is not alone.
    flock(users, LOCK_SH)
    if isOwner {
      // For whoever finds the folder taken; the lock itself is what counts.
      ftruncate(owner, 0)
      let text = Array("\(getpid())\n".utf8)
      _ = pwrite(owner, text, text.count, 0)
    }
  }

  deinit {
    leave()
    if isTemporary { try? FileManager.default.removeItem(atPath: path) }
  }

  /// Lets another process have the folder; nothing in it is touched any more.
  func leave() {
    locks.withLock { locks in
      for lock in locks { close(lock) }
      locks = []
    }
  }

  /// Does something while no guest uses the folder, if that is so now.
  func withoutGuests(_ work: () -> Void) {
    locks.withLock { locks in
      guard isOwner, let users = locks.last, flock(users, LOCK_EX | LOCK_NB) == 0 else { return }
      work()
      flock(users, LOCK_SH)
    }
  }

  /// What to tell somebody who must own the folder and finds that another process does.
  var whoOwnsIt: String {
    let bytes = (try? InputFile.head(of: path + "/owner.lock", limit: 20)) ?? []
    let number = Int(String(decoding: bytes, as: UTF8.self).prefix { $0.isNumber })
    let process = number.map { " (process \($0))" } ?? ""
    return "The data folder \(path) is in use by another Lectern server\(process). "
      + "Stop that one, or give this one a folder of its own with --data DIR."
  }

  var database: String { path + "/catalogue.sqlite" }

  /// Where copies of the catalogue are kept.
  var backups: String { path + "/backups" }

  /// Where pictures are kept: a guest's are its own.
  var pictures: String { isOwner ? path + "/pages" : "\(path)/pages-\(getpid())" }

  /// A file that a guest touches when it has changed the catalogue.
  var announcement: String { path + "/announced" }

  private static func open(_ path: String) throws(FileFault) -> Int32 {
    let file = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw FileFault(path: path, code: errno) }
    return file
  }
}

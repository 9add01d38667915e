internal import CSpawn
internal import Glibc
internal import PressProtocol

/// The identity of a file and of its contents.
package struct FileVersion: Hashable, Sendable {
  private let device: UInt64
  private let node: UInt64
  private let size: Int
  /// The times of the last change of the contents and of the inode; the latter cannot be set.
  private let times: [Int]

  /// Reads the version of the file at a path and follows links.
  package init?(_ path: String) {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    self.init(facts)
  }

  fileprivate init(_ facts: stat) {
    device = UInt64(facts.st_dev)
    node = UInt64(facts.st_ino)
    size = Int(facts.st_size)
    times = [facts.st_mtim, facts.st_ctim].flatMap { [$0.tv_sec, $0.tv_nsec] }
  }
}

/// A regular file that is open for reading and closed when the value is destroyed.
struct OpenFile: ~Copyable {
  let descriptor: Int32
  let version: FileVersion
  private let name: String
  let bytes: Int

  /// Opens a file.
  ///
  /// Rejects everything except regular files, so it never waits for the other end of a named pipe.
  /// Unless links are followed, it also rejects a path whose last part is a symbolic link.
  init(_ path: String, followsLink: Bool) throws(PressFault) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    do throws(SystemError) {
      let facts: stat
      (descriptor, facts) = try Self.open(path, followsLink ? 0 : O_NOFOLLOW)
      bytes = Int(facts.st_size)
      version = FileVersion(facts)
    } catch {
      throw .unreadable(name: name, reason: error.reason)
    }
    self.name = name
  }

  private static func open(_ path: String, _ flags: Int32) throws(SystemError) -> (Int32, stat) {
    let opened = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags)
    guard opened >= 0 else { throw SystemError(errno) }
    var facts = stat()
    guard fstat(opened, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      close(opened)
      throw SystemError(reason: "notRegular")
    }
    // High enough not to be a standard stream, even if this process has closed its own.
    guard opened < 16 else { return (opened, facts) }
    let high = fcntl(opened, F_DUPFD_CLOEXEC, 16)
    let code = errno
    close(opened)
    guard high >= 0 else { throw SystemError(code) }
    return (high, facts)
  }

  deinit { close(descriptor) }

  /// Checks that this is the requested file, and not one that has replaced it.
  func check(_ version: FileVersion?) throws(PressFault) {
    guard self.version != version else { return }
    throw .unreadable(name: name, reason: "replaced")
  }

  /// Reads the whole file; blocks.
  func contents(limit: Int) throws(PressFault) -> [UInt8] {
    guard bytes <= limit else { throw .fileTooLarge(bytes: bytes, limit: limit) }
    var code: Int32 = 0
    let contents = [UInt8](unsafeUninitializedCapacity: bytes) { buffer, count in
      while count < bytes {
        let result = read(descriptor, buffer.baseAddress.map { $0 + count }, bytes - count)
        if result < 0, errno == EINTR { continue }
        if result < 0 { code = errno }
        guard result > 0 else { break }
        count += result
      }
    }
    guard code == 0 else { throw .unreadable(name: name, reason: SystemError(code).reason) }
    return contents
  }
}

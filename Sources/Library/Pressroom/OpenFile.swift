internal import CSpawn
internal import Glibc
internal import PressProtocol

/// What tells a file from any other, and from itself with other bytes.
struct FileVersion: Hashable, Sendable {
  private let device: UInt64
  private let node: UInt64
  private let size: Int
  /// When its bytes changed, and when anything of it did, which nobody sets at will.
  private let times: [Int]

  /// The file at a path; links are followed.
  init?(_ path: String) {
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

/// A regular file that is open for reading; closed with the value's last owner.
struct OpenFile: ~Copyable {
  let descriptor: Int32
  let version: FileVersion
  private let name: String
  let bytes: Int

  /// Opens a file.
  ///
  /// Never waits for the other end of a named pipe: what is no regular file is refused. Unless
  /// links are followed, so is a path whose last part is a symbolic link.
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
      throw SystemError(reason: "it is not a regular file")
    }
    // High enough not to be one of the standard streams, whatever this process has closed.
    guard opened < 16 else { return (opened, facts) }
    let high = fcntl(opened, F_DUPFD_CLOEXEC, 16)
    let code = errno
    close(opened)
    guard high >= 0 else { throw SystemError(code) }
    return (high, facts)
  }

  deinit { close(descriptor) }

  /// Checks that this is the file that was asked for, and no other that took its place since.
  func check(_ version: FileVersion?) throws(PressFault) {
    guard self.version != version else { return }
    throw .unreadable(name: name, reason: "another file took its place just now; try again")
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

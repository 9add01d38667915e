internal import Glibc
internal import PressProtocol

/// A regular file that is open for reading; closed with the value's last owner.
struct OpenFile: ~Copyable {
  let descriptor: Int32
  private let name: String
  private let bytes: Int

  /// Opens a file.
  ///
  /// Never waits for the other end of a named pipe: what is no regular file is refused. Unless
  /// links are followed, so is a path whose last part is a symbolic link.
  init(_ path: String, followsLink: Bool) throws(PressFault) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    do throws(SystemError) {
      (descriptor, bytes) = try Self.open(path, followsLink ? 0 : O_NOFOLLOW)
    } catch {
      throw .unreadable(name: name, reason: error.reason)
    }
    self.name = name
  }

  private static func open(_ path: String, _ flags: Int32) throws(SystemError) -> (Int32, Int) {
    let opened = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags)
    guard opened >= 0 else { throw SystemError(errno) }
    var facts = stat()
    guard fstat(opened, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      close(opened)
      throw SystemError(reason: "it is not a regular file")
    }
    // High enough not to be one of the standard streams, whatever this process has closed.
    guard opened < 16 else { return (opened, Int(facts.st_size)) }
    let high = fcntl(opened, F_DUPFD_CLOEXEC, 16)
    let code = errno
    close(opened)
    guard high >= 0 else { throw SystemError(code) }
    return (high, Int(facts.st_size))
  }

  deinit { close(descriptor) }

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

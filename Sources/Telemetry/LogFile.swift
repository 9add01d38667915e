internal import Glibc

/// A descriptor that lines are written to: the standard error, or a file that begins anew when it
/// is long.
///
/// Belongs to one thread at a time; which is why it is handed over and never shared.
public final class LogFile: @unchecked Sendable {
  /// The longest file, in bytes; the one before is kept beside it, with `.1` after its name.
  public static let sizeMax = 8 << 20
  /// How long a descriptor that takes nothing is waited for, in milliseconds.
  private static let patience: Int32 = 1000

  /// Nil for a descriptor that somebody else opened.
  private let path: String?
  private var descriptor: Int32
  private var size = 0

  /// Writes to an open descriptor, which stays its owner's.
  public init(descriptor: Int32) {
    path = nil
    self.descriptor = descriptor
  }

  /// Writes to the end of a file that only its owner may read; it is made if it is not there.
  /// - Throws: ``LogFileError`` where that cannot be.
  public init(path: String) throws(LogFileError) {
    self.path = path
    descriptor = -1
    guard open() else {
      throw LogFileError(path: path, reason: String(cString: strerror(errno)))
    }
  }

  deinit {
    if path != nil, descriptor >= 0 { close(descriptor) }
  }

  /// Writes a line.
  /// - Returns: Whether all of it was taken.
  func write(_ line: String) -> Bool {
    var bytes = Array(line.utf8)[...]
    if let path, size + bytes.count > Self.sizeMax {
      rename(path, path + ".1")
      // Where no new file can be made the old one goes on: it is longer, and nothing is lost.
      _ = open()
    }
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        size += count
        bytes = bytes.dropFirst(count)
      } else if count < 0, errno == EAGAIN {
        var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&polled, 1, Self.patience) > 0 else { return false }
      } else if count == 0 || errno != EINTR {
        return false
      }
    }
    return true
  }

  private func open() -> Bool {
    guard let path else { return false }
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW
    let opened = Glibc.open(path, flags, 0o600)
    guard opened >= 0 else { return false }
    if descriptor >= 0 { close(descriptor) }
    descriptor = opened
    fchmod(descriptor, 0o600)
    size = max(0, Int(lseek(descriptor, 0, Int32(SEEK_END))))
    return true
  }
}

/// Why a file takes no lines.
public struct LogFileError: Error, Equatable, CustomStringConvertible {
  /// The file.
  public let path: String
  /// The system's own words.
  public let reason: String

  /// What was wrong and what to do.
  public var description: String {
    "\(path) cannot be written: \(reason). Name a file in a folder that this user may write to."
  }
}

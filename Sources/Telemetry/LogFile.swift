internal import Glibc

/// The output of lines: the standard error, or a file that is rotated when it reaches ``sizeMax``.
///
/// Use it on one thread at a time; it may move between threads but must not be shared.
package final class LogFile: @unchecked Sendable {
  /// The maximum size of a file in bytes; the previous file is kept with the suffix `.1`.
  package static let sizeMax = 8 << 20
  /// How long to wait for a descriptor that accepts nothing, in milliseconds.
  private static let patience: Int32 = 1000

  /// The path of the file; nil for a descriptor that was opened elsewhere.
  private let path: String?
  private var descriptor: Int32
  private var size = 0

  /// Writes to an open descriptor, which the caller still owns.
  package init(descriptor: Int32) {
    path = nil
    self.descriptor = descriptor
  }

  /// Appends to a file that only its owner can read, and creates it if it is missing.
  /// - Throws: ``LogFileError`` if it cannot be opened.
  package init(path: String) throws(LogFileError) {
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
  /// - Returns: Whether all of it was accepted.
  func write(_ line: String) -> Bool {
    var bytes = Array(line.utf8)[...]
    if let path, size + bytes.count > Self.sizeMax {
      rename(path, path + ".1")
      // If no new file can be created, the old one grows and nothing is lost.
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

/// A reason that a file cannot be written.
package struct LogFileError: Error, Equatable, CustomStringConvertible {
  /// The file.
  package let path: String
  /// The message of the system.
  package let reason: String

  /// The error and what to do.
  package var description: String {
    "\(path) cannot be written: \(reason). Name a file in a folder that this user may write to."
  }
}

internal import Glibc
internal import PressProtocol

/// The pipe that replies go out on.
struct ReplyPipe {
  let descriptor: Int32

  /// Takes the standard output for replies alone: what libraries print goes to the errors.
  init?() {
    // Above the document's descriptor, which may be absent.
    descriptor = fcntl(1, F_DUPFD, 10)
    guard descriptor >= 0, dup2(2, 1) == 1 else { return nil }
  }

  /// Writes all bytes.
  /// - Returns: Whether the server took them.
  func write(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let count = Glibc.write(
          descriptor,
          buffer.baseAddress?.advanced(by: done),
          buffer.count - done
        )
        if count > 0 {
          done += count
        } else if count < 0, errno != EINTR {
          return false
        }
      }
      return true
    }
  }

  /// Sends a reply; without a server that reads it the press ends.
  func send(_ reply: PressReply) {
    if !write(reply.encoded()) { exit(0) }
  }

  /// Reads exactly so many bytes of the standard input.
  /// - Returns: `nil` at the end of the input.
  static func read(_ count: Int) -> [UInt8]? {
    var end = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      while end < count {
        let got = Glibc.read(0, buffer.baseAddress?.advanced(by: end), count - end)
        if got > 0 {
          end += got
        } else if got == 0 || errno != EINTR {
          break
        }
      }
      initialized = end
    }
    return end == count ? bytes : nil
  }
}

internal import Glibc
internal import PressProtocol

/// The pipe for replies.
struct ReplyPipe {
  let descriptor: Int32

  /// Reserves the standard output for replies: printed text of libraries goes to the standard
  /// error.
  init?() {
    // Uses a number above the descriptor of the document, which may be absent.
    descriptor = fcntl(1, F_DUPFD, 10)
    guard descriptor >= 0, dup2(2, 1) == 1 else { return nil }
  }

  /// Writes all bytes.
  /// - Returns: Whether the server accepted them.
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

  /// Sends a reply; ends the press if no server reads it.
  func send(_ reply: PressReply) {
    if !write(reply.encoded()) { exit(0) }
  }

  /// Reads an exact number of bytes from the standard input.
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

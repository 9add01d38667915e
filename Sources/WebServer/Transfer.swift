internal import Bytes
internal import CLibwebsockets
internal import Glibc

/// A response that is being sent.
final class Transfer {
  /// The result of one turn.
  enum Progress {
    case complete
    /// More can be sent.
    case partial
    /// More can be sent once the socket has room.
    case full
    /// The connection is broken, or the file became shorter.
    case failed
  }

  /// The length of the whole body.
  let count: Int
  /// The part of the head, and of the body sent with it, that the socket did not accept.
  private var rest: [UInt8] = []
  private var isBodyWanted = true
  private let body: HTTPResponse.Body
  private let openFiles: OpenFiles
  /// The open file, or -1: if many files are being sent, it is opened again for each part.
  private var descriptor: Int32 = -1
  private var retainsFile = false
  private let changed: UInt64
  /// The number of bytes of the body that were sent.
  private(set) var sent = 0

  /// The reason that there is nothing to send.
  enum Fault: Error {
    /// The file does not exist or is not a regular file.
    case missing
    /// The file cannot be opened now because too many are open.
    case busy
  }

  init(_ body: HTTPResponse.Body, _ openFiles: OpenFiles) throws(Fault) {
    (self.body, self.openFiles) = (body, openFiles)
    switch body {
    case .bytes(let bytes):
      changed = 0
      count = bytes.count
    case .file(let path):
      let file = try File(path)
      changed = file.changed
      count = file.count
      retainsFile = openFiles.claim()
      if retainsFile { descriptor = file.descriptor } else { Glibc.close(file.descriptor) }
    }
  }

  deinit {
    if retainsFile { openFiles.giveBack() }
    if descriptor >= 0 { Glibc.close(descriptor) }
  }

  /// A regular file that was just opened.
  private struct File {
    let descriptor: Int32
    let changed: UInt64
    let count: Int

    init(_ path: String) throws(Fault) {
      // A pipe would block open() before its type is known.
      let opened = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      guard opened >= 0 else {
        throw errno == EMFILE || errno == ENFILE || errno == ENOMEM ? .busy : .missing
      }
      var status = stat()
      guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        Glibc.close(opened)
        throw .missing
      }
      descriptor = opened
      changed = Transfer.stamp(of: status.st_mtim)
      count = Int(status.st_size)
    }
  }

  /// Opens the file for this part if necessary; false if it has changed.
  private func reopen() -> Bool {
    guard case .file(let path) = body, descriptor < 0 else { return true }
    guard let file = try? File(path) else { return false }
    descriptor = file.descriptor
    return file.changed == changed && file.count == count
  }

  private func closeUnlessRetained() {
    guard !retainsFile, descriptor >= 0 else { return }
    Glibc.close(descriptor)
    descriptor = -1
  }

  /// The entity tag, which changes when the content does; without quotation marks.
  ///
  /// - Complexity: O(`count`) for bytes.
  var entityTag: String {
    switch body {
    case .bytes(let bytes): String(FNV1a.hash(bytes), radix: 16)
    case .file: "\(String(changed, radix: 16))-\(String(count, radix: 16))"
    }
  }

  /// Returns the bytes if there are few enough to send them with the head.
  func smallBytes(limit: Int) -> [UInt8]? {
    guard case .bytes(let bytes) = body, count <= limit else { return nil }
    return bytes
  }

  /// Stores bytes to be sent before the body, or in place of it.
  func retain(_ rest: [UInt8], isFollowed: Bool) {
    self.rest = rest
    isBodyWanted = isFollowed
  }

  /// Writes up to a number of bytes of the body directly to the socket.
  ///
  /// There is neither TLS nor framing, so libwebsockets has nothing to add, and the kernel sends a
  /// file without copying it.
  func advance(to socket: Int32, atMost limit: Int) -> Progress {
    while !rest.isEmpty {
      let taken = rest.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard taken > 0 else { return Self.progress(afterTaking: taken) }
      rest.removeFirst(taken)
    }
    guard isBodyWanted else { return .complete }
    defer { closeUnlessRetained() }
    guard reopen() else { return .failed }
    let end = min(count, sent + limit)
    while sent < end {
      let taken = write(to: socket, atMost: end - sent)
      guard taken > 0 else { return Self.progress(afterTaking: taken) }
      sent += taken
    }
    return sent == count ? .complete : .partial
  }

  private func write(to socket: Int32, atMost limit: Int) -> Int {
    switch body {
    case .bytes(let bytes):
      bytes.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress.map { $0 + sent }, limit, Int32(MSG_NOSIGNAL))
      }
    case .file: lectern_send_file(socket, descriptor, Int64(sent), limit)
    }
  }

  /// Returns a number for a modification time, which may be before 1970 or beyond the range of
  /// nanoseconds.
  static func stamp(of time: timespec) -> UInt64 {
    UInt64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000
      &+ UInt64(truncatingIfNeeded: time.tv_nsec)
  }

  private static func progress(afterTaking taken: Int) -> Progress {
    // If no byte is accepted and there is no error, the file became shorter.
    taken < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) ? .full : .failed
  }
}

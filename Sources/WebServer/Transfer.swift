internal import CLibwebsockets
internal import Glibc

/// An answer on its way out.
final class Transfer {
  /// How far a turn came.
  enum Progress {
    case complete
    case partial
    /// The connection is broken, or the file ended before its time.
    case failed
  }

  /// The length of the whole body.
  let count: Int
  /// What the socket did not take of the head, and of the body that went with it.
  private var rest: [UInt8] = []
  private var isBodyWanted = true
  private let body: HTTPResponse.Body
  private let openFiles: OpenFiles
  /// The open file, or -1: when many files are being sent it is opened anew for every part.
  private var descriptor: Int32 = -1
  private var keepsFile = false
  private let changed: UInt64
  private var sent = 0

  /// Why there is nothing to send.
  enum Fault: Error {
    /// There is no such file, or it is none that is sent.
    case missing
    /// It cannot be opened now: too many are open.
    case busy
  }

  init(_ body: HTTPResponse.Body, _ openFiles: OpenFiles) throws(Fault) {
    self.body = body
    self.openFiles = openFiles
    switch body {
    case .bytes(let bytes):
      changed = 0
      count = bytes.count
    case .file(let path):
      let file = try File(path)
      changed = file.changed
      count = file.count
      keepsFile = openFiles.take()
      if keepsFile { descriptor = file.descriptor } else { Glibc.close(file.descriptor) }
    }
  }

  deinit {
    if keepsFile { openFiles.giveBack() }
    if descriptor >= 0 { Glibc.close(descriptor) }
  }

  /// A regular file, just opened.
  private struct File {
    let descriptor: Int32
    let changed: UInt64
    let count: Int

    init(_ path: String) throws(Fault) {
      // A pipe would block in open, before it is known to be none.
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

  /// Opens the file for this part, if it is not open; false when it is another by now.
  private func reopen() -> Bool {
    guard case .file(let path) = body, descriptor < 0 else { return true }
    guard let file = try? File(path) else { return false }
    descriptor = file.descriptor
    return file.changed == changed && file.count == count
  }

  private func closeUnlessKept() {
    guard !keepsFile, descriptor >= 0 else { return }
    Glibc.close(descriptor)
    descriptor = -1
  }

  /// Changes when the content does; without quotation marks.
  ///
  /// - Complexity: O(`count`) for bytes.
  var entityTag: String {
    switch body {
    case .bytes(let bytes): Self.fingerprint(bytes)
    case .file: "\(String(changed, radix: 16))-\(String(count, radix: 16))"
    }
  }

  /// The bytes, when there are few enough of them to go out with the head.
  func smallBytes(limit: Int) -> [UInt8]? {
    guard case .bytes(let bytes) = body, count <= limit else { return nil }
    return bytes
  }

  /// Puts bytes in front of the body, or in its place.
  func keep(_ rest: [UInt8], isFollowed: Bool) {
    self.rest = rest
    isBodyWanted = isFollowed
  }

  /// Writes up to so many bytes of the body, straight to the socket: there is no TLS and no
  /// framing, so libwebsockets has nothing to add, and the kernel takes a file's pages without a
  /// copy.
  func advance(to socket: Int32, atMost limit: Int) -> Progress {
    while !rest.isEmpty {
      let taken = rest.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard taken > 0 else { return Self.progress(afterTaking: taken) }
      rest.removeFirst(taken)
    }
    guard isBodyWanted else { return .complete }
    defer { closeUnlessKept() }
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

  /// A number for a time of change, which may lie before 1970 or beyond what nanoseconds count to.
  static func stamp(of time: timespec) -> UInt64 {
    UInt64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000
      &+ UInt64(truncatingIfNeeded: time.tv_nsec)
  }

  private static func progress(afterTaking taken: Int) -> Progress {
    // Nothing taken without an error is a file that ended before its time.
    taken < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) ? .partial : .failed
  }

  /// A text that changes when bytes do: FNV-1a of 64 bits, to notice change, not to resist an
  /// attacker.
  static func fingerprint(_ bytes: [UInt8]) -> String {
    let hash: UInt64 = bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return String(hash, radix: 16)
  }
}

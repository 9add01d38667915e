internal import Glibc

/// The body of an answer on its way out.
final class Transfer {
  /// The length of the whole body.
  let count: Int
  /// Changes when the content does.
  let entityTag: String
  private let bytes: [UInt8]
  private let descriptor: Int32
  private var sent = 0

  /// Nil when the body is a file that cannot be read.
  init?(_ body: HTTPResponse.Body) {
    switch body {
    case .bytes(let bytes):
      self.bytes = bytes
      descriptor = -1
      count = bytes.count
      entityTag = "\"\(String(Self.fingerprint(bytes), radix: 16))\""
    case .file(let path):
      // A pipe would block in open, before it is known to be none.
      let opened = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      guard opened >= 0 else { return nil }
      var status = stat()
      guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        Glibc.close(opened)
        return nil
      }
      bytes = []
      descriptor = opened
      count = Int(status.st_size)
      let time = UInt64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ UInt64(status.st_mtim.tv_nsec)
      entityTag = "\"\(String(time, radix: 16))-\(String(count, radix: 16))\""
    }
  }

  deinit {
    if descriptor >= 0 { Glibc.close(descriptor) }
  }

  var isComplete: Bool { sent == count }

  /// Copies the next bytes out; nil when a file ended before its time.
  func next(into destination: UnsafeMutablePointer<UInt8>, capacity: Int) -> Int? {
    let wanted = min(capacity, count - sent)
    var taken = wanted
    if descriptor >= 0 {
      taken = pread(descriptor, destination, wanted, sent)
    } else {
      bytes.withUnsafeBufferPointer { source in
        if let base = source.baseAddress { destination.update(from: base + sent, count: wanted) }
      }
    }
    guard taken > 0 || wanted == 0 else { return nil }
    sent += taken
    return taken
  }

  // FNV-1a, 64 bits: to notice change, not to resist an attacker.
  private static func fingerprint(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}

internal import Glibc

/// A file of this machine or of a shared folder, closed when the object is destroyed.
final class LocalFile {
  let descriptor: Int32
  let path: String
  private static let piece = 1 << 20

  /// The failure of a file, with the error of the system.
  struct Failure: Error {
    var path: String
    var code: Int32

    var text: String { "\(path): \(String(cString: strerror(code)))" }
  }

  /// Opens a regular file for reading.
  init(reading path: String) throws(Failure) {
    self.path = path
    // A network file system reports a stale handle if the file was just replaced.
    descriptor = Self.again { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
    guard descriptor >= 0 else { throw Failure(path: path, code: errno) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      throw Failure(path: path, code: EINVAL)
    }
  }

  /// Creates a new file, which must not exist.
  init(creating path: String) throws(Failure) {
    self.path = path
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Failure(path: path, code: errno) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The current size in bytes.
  func size() throws(Failure) -> Int {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw Failure(path: path, code: errno) }
    return Int(facts.st_size)
  }

  /// Reads the next bytes, at most a megabyte; none at the end.
  func read() throws(Failure) -> [UInt8] {
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.piece) { buffer, count in
      var got: Int
      repeat {
        got = Glibc.read(descriptor, buffer.baseAddress, Self.piece)
      } while got < 0 && errno == EINTR
      if got < 0 { code = errno }
      count = max(0, got)
    }
    guard code == 0 else { throw Failure(path: path, code: code) }
    return bytes
  }

  /// Writes all bytes.
  func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Failure(path: path, code: errno) }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Writes all bytes.
  func write(_ bytes: [UInt8]) throws(Failure) {
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(Failure) in try write(bytes) }
    }
    try result.get()
  }

  /// Flushes the content to the disk.
  func sync() throws(Failure) {
    guard fsync(descriptor) == 0 else { throw Failure(path: path, code: errno) }
  }

  /// Returns the digest and the size of a file.
  static func digest(of path: String) throws(Failure) -> (digest: [UInt8], size: Int) {
    let file = try LocalFile(reading: path)
    let digest = ContentDigest()
    var size = 0
    while true {
      let bytes = try file.read()
      guard !bytes.isEmpty else { return (digest.finished(), size) }
      digest.update(bytes)
      size += bytes.count
    }
  }

  /// Repeats a call a few times while it reports a stale handle.
  static func again(_ call: () -> Int32) -> Int32 {
    for _ in 0..<3 {
      let result = call()
      if result >= 0 || errno != ESTALE && errno != EINTR { return result }
    }
    return call()
  }
}

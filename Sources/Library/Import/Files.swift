internal import Glibc

/// A failure of a file, in the system's words.
struct FileFault: Error, Equatable, CustomStringConvertible {
  var path: String
  var code: Int32

  var reason: String { String(cString: strerror(code)) }

  /// What was wrong and what to do, for a person.
  var description: String {
    switch code {
    case ENOENT: "There is no file at \(path). Check its name."
    case EACCES, EPERM: "The file \(path) may not be read or written. Check who may."
    case ENOSPC, EDQUOT: "There is no room for \(path). Free some space and try again."
    case EBADMSG:
      "The file \(path) is damaged. Bring back a copy of it, or remove it for a new one."
    case EFBIG, EIO: "The file \(path) failed: \(reason). Check the disk."
    default: "The file \(path) cannot be used: \(reason)."
    }
  }
}

/// A regular file that is open for reading, from its start to its end.
struct InputFile: ~Copyable {
  private let descriptor: Int32
  private let path: String
  private static let piece = 1 << 20

  init(_ path: String) throws(FileFault) {
    self.path = path
    // Without O_NONBLOCK a pipe of that name would be waited for.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw FileFault(path: path, code: errno) }
    var facts = stat()
    // What is thrown away by a throw is closed as any other.
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      throw FileFault(path: path, code: EINVAL)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Hands over the next piece.
  /// - Returns: Its length; 0 at the end.
  func read(
    _ body: (UnsafeRawBufferPointer) throws(FileFault) -> Void
  ) throws(FileFault) -> Int {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.piece, alignment: 16)
    defer { buffer.deallocate() }
    var count: Int
    repeat {
      count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    } while count < 0
      && errno == EINTR
    guard count >= 0 else { throw FileFault(path: path, code: errno) }
    if count > 0 { try body(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
    return count
  }

  /// The beginning of a file, at most so many bytes.
  static func head(of path: String, limit: Int) throws(FileFault) -> [UInt8] {
    let file = try InputFile(path)
    return try file.head(limit: limit)
  }

  private func head(limit: Int) throws(FileFault) -> [UInt8] {
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      while count < limit {
        let got = Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, limit - count)
        if got < 0, errno == EINTR { continue }
        if got < 0 { code = errno }
        guard got > 0 else { break }
        count += got
      }
    }
    guard code == 0 else { throw FileFault(path: path, code: code) }
    return bytes
  }
}

/// What tells whether a file is still the one it was, without reading it.
struct FileStamp: Equatable, Sendable {
  var size: Int
  /// Nanoseconds of Unix time.
  var changed: Int
  var node: UInt64
  var isFolder: Bool

  /// The facts of what is at a path; links are followed.
  init?(_ path: String) {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    self.init(facts)
  }

  init(_ facts: stat) {
    size = Int(facts.st_size)
    changed = facts.st_mtim.tv_sec * 1_000_000_000 + facts.st_mtim.tv_nsec
    node = UInt64(facts.st_ino)
    isFolder = facts.st_mode & S_IFMT == S_IFDIR
  }

  /// All of it in one number.
  var number: Int {
    var mix = StampMix()
    mix.add(self)
    return mix.number
  }
}

/// Stamps of many files in one number.
struct StampMix {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  private mutating func add(_ value: UInt64) {
    // A word at a time: a folder of a thousand pages is looked at on every scan.
    state = (state ^ value) &* 0x9E37_79B9_7F4A_7C15
    state ^= state >> 29
  }

  mutating func add(_ stamp: FileStamp) {
    add(UInt64(bitPattern: Int64(stamp.size)))
    add(UInt64(bitPattern: Int64(stamp.changed)))
    add(stamp.node)
  }

  mutating func add(_ name: String) {
    for byte in name.utf8 { add(UInt64(byte)) }
    add(UInt64(1 << 32))
  }

  var number: Int { Int(truncatingIfNeeded: state) }
}

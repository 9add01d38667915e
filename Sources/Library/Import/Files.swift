internal import CSpawn
internal import Glibc
internal import Notices

/// A failure of a file, with the error of the system.
struct FileFault: NoticeError, Equatable {
  var path: String
  var code: Int32

  /// The text of the system, or `notRegular`.
  var reason: String { code == EINVAL ? "notRegular" : String(cString: strerror(code)) }

  /// What is wrong and what to do.
  var notice: Notice {
    switch code {
    case ENOENT: Notice(.fileMissing, ["path": path])
    case EACCES, EPERM: Notice(.fileForbidden, ["path": path])
    case ENOSPC, EDQUOT: Notice(.noRoomForFile, ["path": path])
    case EBADMSG: Notice(.fileDamaged, ["path": path])
    case EFBIG, EIO: Notice(.fileFailed, ["path": path, "reason": reason])
    default: Notice(.fileUnusable, ["path": path, "reason": reason])
    }
  }
}

/// A regular file that is open for sequential reading.
///
/// Files in a file system of the kernel, such as `/proc`, are rejected, because they can claim any
/// size and never end.
struct InputFile: ~Copyable {
  private let descriptor: Int32
  private let path: String
  /// The size of the file when it was opened, in bytes.
  let size: Int
  private static let piece = 1 << 20

  init(_ path: String) throws(FileFault) {
    self.path = path
    // Without O_NONBLOCK, opening a named pipe would wait for its writer.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw FileFault(path: path, code: errno) }
    var facts = stat()
    // If the initialiser throws from here on, `deinit` closes the descriptor.
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
      !FileSystem.isKernels(descriptor)
    else { throw FileFault(path: path, code: EINVAL) }
    size = Int(facts.st_size)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Flushes the contents of the file to the disk.
  func sync() throws(FileFault) {
    guard fsync(descriptor) == 0 else { throw FileFault(path: path, code: errno) }
  }

  /// Reads the next bytes.
  /// - Returns: Their number; 0 at the end.
  func read(_ body: (UnsafeRawBufferPointer) throws(FileFault) -> Void) throws(FileFault) -> Int {
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

  /// Returns the first and the last bytes of the file, at most `count` of each.
  func ends(_ count: Int) throws(FileFault) -> (head: [UInt8], tail: [UInt8]) {
    (try bytes(count, at: 0), try bytes(count, at: max(0, size - count)))
  }

  /// Returns the beginning of a file, up to a limit in bytes.
  static func head(of path: String, limit: Int) throws(FileFault) -> [UInt8] {
    let file = try InputFile(path)
    return try file.bytes(limit, at: 0)
  }

  /// Returns the bytes from an offset on, up to a limit.
  private func bytes(_ limit: Int, at offset: Int) throws(FileFault) -> [UInt8] {
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      while count < limit {
        let rest = buffer.baseAddress.map { $0 + count }
        let got = pread(descriptor, rest, limit - count, off_t(offset + count))
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

/// The facts that reveal whether a file has changed, without reading it.
struct FileStamp: Equatable, Sendable {
  var size: Int
  /// The modification time in nanoseconds of Unix time, which wraps around after the year 2262: use
  /// it to distinguish times, not to order them.
  var changed: Int
  /// The modification time in seconds of Unix time.
  var changedSeconds: Double
  var node: UInt64
  var isFolder: Bool

  /// Reads the facts of the file at a path and follows links.
  init?(_ path: String) {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    self.init(facts)
  }

  init(_ facts: stat) {
    size = Int(facts.st_size)
    changed = facts.st_mtim.tv_sec &* 1_000_000_000 &+ facts.st_mtim.tv_nsec
    changedSeconds = facts.st_mtim.seconds
    node = UInt64(facts.st_ino)
    isFolder = facts.st_mode & S_IFMT == S_IFDIR
  }

  /// All facts combined in one number.
  var number: Int {
    var mix = StampMix()
    mix.add(self)
    return mix.number
  }
}

extension timespec {
  /// The time in seconds; exact to less than a microsecond for times of this century.
  var seconds: Double { Double(tv_sec) + Double(tv_nsec) / 1e9 }
}

/// Facts about file systems.
enum FileSystem {
  /// The magic numbers (see `statfs(2)`) of the kernel's own file systems: their files contain no
  /// books, and their folders can be endless.
  private static let kernels: Set<Int> = [
    0x9FA0,  // proc
    0x6265_6572,  // sysfs
    0x1CD1,  // devpts
    0x6462_6720,  // debugfs
    0x7472_6163,  // tracefs
    0x7363_6673,  // securityfs
    0x6265_6570,  // configfs
    0x6367_7270,  // cgroup2
    0x0027_E0EB,  // cgroup
    0xCAFE_4A11,  // bpf
    0x6165_676C,  // pstore
    0x4249_4E4D,  // binfmt_misc
    0xF97C_FF8C,  // selinux
    0x1980_0202,  // mqueue
    0xDE5E_81E4,  // efivarfs
    0x6573_5543,  // fusectl
  ]

  /// Returns whether an open file or folder is in such a file system.
  static func isKernels(_ descriptor: Int32) -> Bool {
    var facts = statfs()
    return fstatfs(descriptor, &facts) == 0 && kernels.contains(Int(facts.f_type))
  }
}

/// Combines the stamps of many files in one number.
struct StampMix {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  private mutating func add(_ value: UInt64) {
    // One step per word, because every scan visits folders of a thousand pages.
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

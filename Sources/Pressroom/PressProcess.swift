internal import Bytes
internal import CSpawn
internal import Glibc
internal import PressProtocol

/// A running press and its three pipes.
///
/// Belongs to the thread that started it: the kernel kills a press when that thread ends, so the
/// thread must live as long. No call blocks. The thread must have SIGPIPE blocked.
final class PressProcess {
  /// The process; valid until ``reap()`` returns how it ended.
  let pid: pid_t
  /// The descriptors of replies and diagnostics; -1 once closed.
  private(set) var output: Int32
  private(set) var errors: Int32
  private(set) var input: Int32

  /// The end of the standard error, at most 4 KiB.
  private(set) var diagnostics: [UInt8] = []
  private let limits: PressLimits
  /// The total number of bytes of diagnostics so far.
  private var muttered = 0
  private var received = PressFrameBuffer()
  private var unsent: [UInt8] = []
  private var sent = 0

  /// Whether part of a request is not written yet.
  var hasUnsent: Bool { sent < unsent.count }

  /// Starts a press.
  ///
  /// The descriptor of the document becomes number 3 in the press; the caller still owns its own
  /// descriptor.
  init(
    program: String,
    arguments: [String],
    limits: PressLimits,
    document: Int32?
  ) throws(SpawnFailure) {
    self.limits = limits
    var pipes: [Int32] = []
    defer { for end in pipes where end >= 0 { close(end) } }
    for _ in 0..<3 { pipes += try Self.makePipe() }
    // pipes[1], pipes[2] and pipes[4] are the ends of this process; the others become 0, 1 and 2 of
    // the press.
    for end in [pipes[1], pipes[2], pipes[4]] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    pid = try Self.spawn(
      program,
      arguments,
      descriptors: [pipes[0], pipes[3], pipes[5]] + (document.map { [$0] } ?? [])
    )
    input = pipes[1]
    output = pipes[2]
    errors = pipes[4]
    pipes = [pipes[0], pipes[3], pipes[5]]
  }

  deinit { closeAll() }

  /// Queues a request and writes as much as the pipe accepts.
  func send(_ request: PressRequest) {
    unsent = request.encoded()
    sent = 0
    flush()
  }

  /// Writes as much as the pipe accepts.
  ///
  /// If the press has ended, the pipe for replies reports it.
  func flush() {
    while hasUnsent, input >= 0 {
      let count = unsent.withUnsafeBytes { bytes in
        write(input, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return }
      guard count > 0 else { break }
      sent += count
    }
    // Frees an image of up to 64 MiB before the press ends.
    unsent = []
    sent = 0
  }

  /// The result of reading.
  enum Reading: Equatable {
    case more
    case ended
  }

  /// Reads available bytes up to a limit, so that one press cannot occupy the thread.
  func read(atMost budget: Int = 1 << 20) -> Reading {
    var budget = budget
    while budget > 0, output >= 0 {
      let (bytes, reading) = Self.read(output)
      received.append(bytes)
      budget -= bytes.count
      if reading == .ended { return .ended }
      if bytes.isEmpty { return .more }
    }
    return .more
  }

  /// Returns the next complete reply.
  ///
  /// Throws as soon as a reply begins that is longer than a press may send.
  func nextReply() throws(ByteError) -> PressReply? {
    guard let message = try received.next(lengthMax: limits.lengthMax(ofReply:)) else {
      return nil
    }
    return try PressReply(decoding: message, limits)
  }

  /// Whether the press has written more than 16 MiB of diagnostics, more than any correct press
  /// writes.
  var isDeafening: Bool { muttered > 16 << 20 }

  /// Reads diagnostics and keeps their end.
  func readDiagnostics() {
    guard errors >= 0 else { return }
    let (bytes, reading) = Self.read(errors)
    muttered += bytes.count
    diagnostics.append(contentsOf: bytes)
    if diagnostics.count > 4096 { diagnostics.removeFirst(diagnostics.count - 4096) }
    if reading == .ended {
      close(errors)
      errors = -1
    }
  }

  /// Kills the process.
  ///
  /// ``reap()`` reports when it has ended.
  func kill() {
    _ = Glibc.kill(pid, SIGKILL)
    for end in [input, output] where end >= 0 { close(end) }
    input = -1
    output = -1
  }

  /// How a process ended.
  enum Ending: Equatable {
    case exited(Int32)
    case signalled(Int32)

    var signal: Int32? {
      if case .signalled(let signal) = self { signal } else { nil }
    }
  }

  /// Reaps the process if it has ended; returns nil while it runs.
  ///
  /// Must not be called again after it has returned how the process ended.
  func reap() -> Ending? {
    var status: Int32 = 0
    let found = waitpid(pid, &status, WNOHANG)
    if found == 0 || (found < 0 && errno == EINTR) { return nil }
    readDiagnostics()
    closeAll()
    // If other code has reaped the process, its exit status is unknown.
    guard found == pid else { return .exited(-1) }
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
  }

  private func closeAll() {
    for end in [input, output, errors] where end >= 0 { close(end) }
    input = -1
    output = -1
    errors = -1
  }

  private static func read(_ descriptor: Int32) -> ([UInt8], Reading) {
    var reading = Reading.more
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      var result: Int
      repeat {
        result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      } while result < 0
        && errno == EINTR
      count = max(0, result)
      if result == 0 || (result < 0 && errno != EAGAIN) { reading = .ended }
    }
    return (bytes, reading)
  }
}

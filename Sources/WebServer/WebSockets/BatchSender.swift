internal import CLibwebsockets
internal import CUring
internal import Glibc

/// Sends the same bytes to many sockets: with io_uring where the system permits it, otherwise with
/// one system call for each.
///
/// It belongs to one thread.
final class BatchSender {
  /// The most sockets of one system call.
  private static let depth = 256
  /// Below this number of sockets, io_uring saves nothing.
  private static let ringMinimum = 4
  /// The result of a socket to which nothing was sent, because the ring failed before.
  private static let unsent = Int32(lectern_ring_unsent)

  /// Opens a ring for a number of sockets; nil once it was called, or without a ring.
  private var open: ((Int) -> OpaquePointer?)?
  private var ring: OpaquePointer?

  /// Creates a sender, which opens its ring when it first needs one.
  /// - Parameters:
  ///   - usesRing: Whether it needs one at all.
  ///   - open: Opens a ring for a number of sockets; nil if the system does not permit it.
  init(usesRing: Bool, open: @escaping (Int) -> OpaquePointer? = BatchSender.openRing(depth:)) {
    self.open = usesRing ? open : nil
  }

  deinit { closeRing() }

  /// Whether a ring is open.
  var hasRing: Bool { ring != nil }

  /// Opens a ring of the kernel; nil if the system does not permit it.
  static func openRing(depth: Int) -> OpaquePointer? { lectern_ring_open(UInt32(depth)) }

  /// Sends bytes to one socket without waiting.
  /// - Returns: How many of them the socket accepted, or a negated error number.
  static func send(_ bytes: UnsafeRawBufferPointer, to socket: Int32) -> Int32 {
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    let sent = Glibc.send(socket, bytes.baseAddress, bytes.count, flags)
    return sent >= 0 ? Int32(clamping: sent) : -errno
  }

  /// Sends bytes to sockets without waiting.
  ///
  /// If the ring fails, the sockets that it has not reached are sent to one by one. A socket whose
  /// result the ring did not report may have received the bytes, so it is not sent to again.
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - sockets: The descriptors of the sockets.
  ///   - results: Receives for each socket what ``send(_:to:)`` returns for it; -`EIO` if that is
  ///     unknown.
  func send(_ bytes: UnsafeRawBufferPointer, to sockets: [Int32], results: inout [Int32]) {
    results.removeAll(keepingCapacity: true)
    results.append(contentsOf: repeatElement(Self.unsent, count: sockets.count))
    if sockets.count >= Self.ringMinimum { sendByRing(bytes, to: sockets, results: &results) }
    for index in sockets.indices where results[index] == Self.unsent {
      results[index] = Self.send(bytes, to: sockets[index])
    }
  }

  private func sendByRing(
    _ bytes: UnsafeRawBufferPointer,
    to sockets: [Int32],
    results: inout [Int32]
  ) {
    if let open {
      ring = open(Self.depth)
      self.open = nil
    }
    guard ring != nil else { return }
    sockets.withUnsafeBufferPointer { sockets in
      results.withUnsafeMutableBufferPointer { results in
        guard let from = sockets.baseAddress, let to = results.baseAddress else { return }
        for start in stride(from: 0, to: sockets.count, by: Self.depth) {
          let count = min(Self.depth, sockets.count - start)
          let failure = lectern_ring_send(
            ring,
            from + start,
            UInt32(count),
            bytes.baseAddress,
            bytes.count,
            to + start
          )
          guard failure == 0 else { return closeRing() }
        }
      }
    }
  }

  private func closeRing() {
    if let ring { lectern_ring_close(ring) }
    ring = nil
  }
}

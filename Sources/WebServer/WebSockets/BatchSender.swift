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

  private let wantsRing: Bool
  private var hasTried = false
  private var ring: OpaquePointer?

  /// Creates a sender, which opens its ring when it first needs one.
  init(usesRing: Bool) { wantsRing = usesRing }

  deinit { closeRing() }

  /// Sends bytes to one socket without waiting.
  /// - Returns: How many of them the socket accepted, or a negated error number.
  static func send(_ bytes: UnsafeRawBufferPointer, to socket: Int32) -> Int32 {
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    let sent = Glibc.send(socket, bytes.baseAddress, bytes.count, flags)
    return sent >= 0 ? Int32(clamping: sent) : -errno
  }

  /// Sends bytes to sockets without waiting.
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - sockets: The descriptors of the sockets.
  ///   - results: Receives for each socket what ``send(_:to:)`` returns for it.
  func send(_ bytes: UnsafeRawBufferPointer, to sockets: [Int32], results: inout [Int32]) {
    results.removeAll(keepingCapacity: true)
    results.append(contentsOf: repeatElement(Self.unknown, count: sockets.count))
    if sockets.count >= Self.ringMinimum, openRing() {
      sendByRing(bytes, to: sockets, results: &results)
    }
    for index in sockets.indices where results[index] == Self.unknown {
      results[index] = Self.send(bytes, to: sockets[index])
    }
  }

  private static let unknown = Int32(lectern_ring_unknown)

  private func sendByRing(
    _ bytes: UnsafeRawBufferPointer,
    to sockets: [Int32],
    results: inout [Int32]
  ) {
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

  private func openRing() -> Bool {
    if wantsRing, !hasTried {
      hasTried = true
      ring = lectern_ring_open(UInt32(Self.depth))
    }
    return ring != nil
  }

  private func closeRing() {
    if let ring { lectern_ring_close(ring) }
    ring = nil
  }
}

/// The frames that are being sent, and the WebSockets that get them.
///
/// It keeps its memory from one sending to the next.
final class FrameSender {
  /// The frames, which are the same for all sockets.
  var frames = FrameBuffer()
  private let batch: BatchSender
  private var sockets: [Int32] = []
  /// The index of each socket in the caller's list.
  private var indices: [Int] = []
  private var results: [Int32] = []

  init(usesRing: Bool) { batch = BatchSender(usesRing: usesRing) }

  /// Whether many sockets are sent to with one system call.
  var hasRing: Bool { batch.hasRing }

  /// Removes the frames and the sockets of the previous sending.
  func begin() {
    frames.removeAll()
    sockets.removeAll(keepingCapacity: true)
    indices.removeAll(keepingCapacity: true)
  }

  /// Adds a socket, which has a index in the caller's list.
  func add(_ socket: Int32, at index: Int) {
    sockets.append(socket)
    indices.append(index)
  }

  /// Sends the frames to the sockets.
  /// - Parameter onRest: Called for each socket that did not accept all bytes, with its index and
  ///   with what ``BatchSender/send(_:to:)`` returned for it.
  func send(onRest: (Int, Int32) -> Void) {
    frames.withBytes { batch.send($0, to: sockets, results: &results) }
    for (index, result) in results.enumerated() where Int(result) != frames.count {
      onRest(indices[index], result)
    }
  }
}

/// Reassembles the frames of a connection, for clients without a browser.
///
/// Frames wait in a queue until their time; a snapshot discards all of them.
package struct FrameDecoder: Sendable {
  /// The introduced elements, by id.
  package private(set) var elements: [UInt64: WireElement] = [:]
  /// The last received frame, on which the next delta builds.
  package private(set) var latest: DecodedFrame?
  /// The received frames that were not taken yet, oldest first.
  ///
  /// The queue contains at most ``queueLimit`` frames; if none are taken, the oldest are dropped.
  package private(set) var queue: [DecodedFrame] = []

  /// The maximum number of queued frames.
  package static let queueLimit = 512

  /// Creates a decoder that has received nothing.
  package init() {}

  /// Applies a message; messages with neither frames nor elements are ignored.
  ///
  /// - Throws: An error if the message does not follow from earlier ones; the frames of a batch
  ///   before the wrong one are kept.
  package mutating func apply(_ message: ServerMessage) throws(WireError) {
    switch message {
    case .elements(let introduced): for element in introduced { elements[element.id] = element }
    case .retired(let ids): for id in ids { elements[id] = nil }
    case .snapshot(let update): try apply(snapshot: update)
    case .delta(let update): try apply(delta: update)
    case .batch(let updates): for update in updates { try apply(delta: update) }
    case .welcome, .camera, .cameras, .framing, .clock, .error, .caption, .role, .room, .people,
      .pointer, .place, .links, .sync, .goodbye, .playback, .pass:
      break
    }
  }

  /// Removes and returns the newest frame whose time has come, and drops those before it.
  package mutating func dequeue(at time: Double) -> DecodedFrame? {
    guard let index = queue.lastIndex(where: { $0.time <= time }) else { return nil }
    let frame = queue[index]
    queue.removeSubrange(...index)
    return frame
  }

  private mutating func apply(snapshot update: FrameUpdate) throws(WireError) {
    try requireElements(of: update)
    let frame = try DecodedFrame(snapshot: update)
    queue.removeAll(keepingCapacity: true)
    append(frame)
  }

  private mutating func apply(delta update: FrameUpdate) throws(WireError) {
    guard let latest else { throw .brokenChain(last: nil, number: update.number) }
    let frame = try latest.followed(by: update)
    try requireElements(of: update)
    append(frame)
  }

  private func requireElements(of update: FrameUpdate) throws(WireError) {
    for entry in update.entries where entry.isFull && elements[entry.id] == nil {
      throw .unknownElement(id: entry.id)
    }
  }

  private mutating func append(_ frame: DecodedFrame) {
    latest = frame
    if queue.count == FrameDecoder.queueLimit { queue.removeFirst() }
    queue.append(frame)
  }
}

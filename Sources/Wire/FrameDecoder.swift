public import Scene

/// A frame as a client sees it, at wire precision.
public struct DecodedFrame: Equatable, Sendable {
  /// The frame's number.
  public var number: UInt32
  /// When it is to be shown, in seconds of the server's clock.
  public var time: Double
  /// The screen.
  public var screen: Screen
  /// Whether there is no finger, no motion, and the pose is exactly at rest.
  public var isSettled: Bool
  /// The shown elements, by ascending number and part.
  public var shown: [ShownElement]

  /// The shown element with a number; for one in parts, the first part.
  public subscript(id: UInt64) -> ShownElement? {
    let place = place(of: id, part: 0)
    return place < shown.count && shown[place].id == id ? shown[place] : nil
  }

  /// Returns the first position whose number and part are not smaller.
  fileprivate func place(of id: UInt64, part: UInt8) -> Int {
    var low = 0
    var high = shown.count
    while low < high {
      let middle = (low + high) / 2
      if (shown[middle].id, shown[middle].part) < (id, part) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}

/// Decodes the frames of a connection, for clients without a browser.
///
/// Frames wait in a queue until their time; a snapshot discards all of them.
public struct FrameDecoder: Sendable {
  /// The introduced elements, by id.
  public private(set) var elements: [UInt64: WireElement] = [:]
  /// The last received frame, which the next delta follows.
  public private(set) var latest: DecodedFrame?
  /// The received frames that were not taken yet, oldest first.
  ///
  /// Contains at most ``queueLimit`` frames; if none are taken, the oldest are dropped.
  public private(set) var queue: [DecodedFrame] = []

  /// The maximum number of waiting frames.
  public static let queueLimit = 512

  /// Creates a decoder that has received nothing.
  public init() {}

  /// Applies a message; ignores those that contain neither frames nor elements.
  ///
  /// - Throws: An error if the message does not follow from earlier ones; the frames of a batch
  ///   before the wrong one are kept.
  public mutating func apply(_ message: ServerMessage) throws(WireError) {
    switch message {
    case .elements(let introduced):
      for element in introduced { elements[element.id] = element }
    case .retired(let ids):
      for id in ids { elements[id] = nil }
    case .snapshot(let update): try apply(snapshot: update)
    case .delta(let update): try apply(delta: update)
    case .batch(let updates):
      for update in updates { try apply(delta: update) }
    default: break
    }
  }

  /// Returns the newest frame whose time has come and drops those before it.
  public mutating func take(at time: Double) -> DecodedFrame? {
    guard let index = queue.lastIndex(where: { $0.time <= time }) else { return nil }
    let frame = queue[index]
    queue.removeSubrange(...index)
    return frame
  }

  private mutating func apply(snapshot update: FrameUpdate) throws(WireError) {
    var frame = DecodedFrame(update)
    for entry in update.entries { try apply(entry, to: &frame) }
    queue.removeAll(keepingCapacity: true)
    append(frame)
  }

  private mutating func apply(delta update: FrameUpdate) throws(WireError) {
    guard let latest, update.number == latest.number &+ 1 else {
      throw .brokenChain(last: latest?.number, number: update.number)
    }
    var frame = DecodedFrame(update)
    frame.shown = latest.shown
    for entry in update.entries { try apply(entry, to: &frame) }
    append(frame)
  }

  private mutating func append(_ frame: DecodedFrame) {
    latest = frame
    if queue.count == FrameDecoder.queueLimit { queue.removeFirst() }
    queue.append(frame)
  }

  private func apply(_ entry: FrameEntry, to frame: inout DecodedFrame) throws(WireError) {
    let place = frame.place(of: entry.id, part: entry.part)
    let isShown =
      place < frame.shown.count
      && (frame.shown[place].id, frame.shown[place].part) == (entry.id, entry.part)
    if entry.isFull, let opacity = entry.opacity, let shade = entry.shade, let z = entry.z {
      guard elements[entry.id] != nil else { throw .unknownElement(id: entry.id) }
      let new = ShownElement(
        id: entry.id,
        part: entry.part,
        matrix: entry.matrix,
        opacity: opacity,
        shade: shade,
        z: z
      )
      if isShown { frame.shown[place] = new } else { frame.shown.insert(new, at: place) }
      return
    }
    guard isShown else { throw .unknownElement(id: entry.id) }
    if entry.isHidden {
      frame.shown.remove(at: place)
      return
    }
    for k in 0..<16 where entry.matrixMask &>> UInt16(k) & 1 == 1 {
      frame.shown[place].matrix[k] = entry.matrix[k]
    }
    if let opacity = entry.opacity { frame.shown[place].opacity = opacity }
    if let shade = entry.shade { frame.shown[place].shade = shade }
    if let z = entry.z { frame.shown[place].z = z }
  }
}

extension DecodedFrame {
  fileprivate init(_ update: FrameUpdate) {
    number = update.number
    time = update.time
    screen = update.screen
    isSettled = update.isSettled
    shown = []
  }
}

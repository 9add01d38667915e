public import Scene

/// A frame and when it shall be seen.
public struct TimedFrame: Equatable, Sendable {
  /// Seconds of the server's clock.
  public var time: Double
  /// What is seen.
  public var frame: Frame

  /// Creates a timed frame.
  public init(time: Double, frame: Frame) {
    self.time = time
    self.frame = frame
  }
}

/// Encodes the frames of one room, each once for all of its members.
///
/// It keeps the room's table of element ids and the last frame at wire precision, so that a delta
/// holds what differs in bytes and nothing else. Before a frame is encoded, all of its elements are
/// introduced:
///
/// ```swift
/// let unknown = encoder.unknown(in: frame)
/// for message in encoder.introduce(unknown.map(element(for:))) { broadcast(message) }
/// buffer.removeAll(keepingCapacity: true)
/// encoder.delta(of: frame, number: number, time: time, into: &buffer)
/// ```
///
/// Of a frame that shows more than ``WireLimits/placements`` the first are encoded.
///
/// A member that joins gets ``elementsMessages()`` and ``snapshotOfLast(into:)`` and then follows
/// the deltas like all others; so does a member that missed a frame, without the elements.
public struct FrameEncoder: Sendable {
  private struct Shown {
    var key: ElementKey
    var element: ShownElement
    /// Found again in the frame that is being encoded.
    var isKept = false
  }

  private var table = ElementTable()
  private var shown: [Shown] = []
  /// The place where the next frame is put together, kept for its capacity.
  private var spare: [Shown] = []
  private var screen = Screen.collections
  private var isSettled = false
  private var isReset = false

  /// The number of the last encoded frame; nil before the first.
  public private(set) var lastNumber: UInt32?
  /// The time of the last encoded frame.
  public private(set) var lastTime = 0.0

  /// Creates an encoder that knows no element and no frame.
  public init() {
    shown.reserveCapacity(64)
    spare.reserveCapacity(64)
  }

  /// Whether so many elements are introduced that the next frame should go out as a snapshot.
  public var needsReset: Bool { isReset || table.count >= WireLimits.elements }

  /// All elements stand for something else now: none is known any more, and the next frame goes out
  /// as a snapshot to all.
  public mutating func reset() {
    isReset = true
    table.forget { _ in true }
    shown.removeAll(keepingCapacity: true)
  }

  /// The id of an element; nil if it was not introduced.
  public func id(of key: ElementKey) -> UInt16? { table.id(of: key) }

  /// The element that an id names; nil if none was introduced by it.
  public func key(of id: UInt16) -> ElementKey? { table.key(of: id) }

  /// How many elements are introduced.
  public var elementCount: Int { table.count }

  /// The elements of a frame that are not introduced yet, in the frame's order.
  ///
  /// Does not allocate if there are none.
  public func unknown(in frame: Frame) -> [ElementKey] {
    var unknown: [ElementKey] = []
    for (index, placement) in frame.placements.enumerated() {
      // What stands where it stood in the last frame is known without a look into the table.
      if index < shown.count, shown[index].key == placement.key { continue }
      if table.id(of: placement.key) == nil { unknown.append(placement.key) }
    }
    return unknown
  }

  /// Gives elements their ids and encodes the messages that tell all members: more than one, if
  /// there are many or their texts are long.
  ///
  /// An element that is known keeps its id and is replaced.
  public mutating func introduce(_ elements: [Element]) -> [[UInt8]] {
    ServerMessage.introducing(elements.map { table.introduce($0) })
  }

  /// Encodes the messages that introduce all elements of the room to one that joins.
  ///
  /// All, and not those of the last frame alone: the next delta may show any of them.
  public func elementsMessages(_ part: ElementsPart = .all) -> [[UInt8]] {
    let all =
      switch part {
      case .all: table.all
      case .ofLast: table.all.filter { element in shown.contains { $0.element.id == element.id } }
      case .others: table.all.filter { element in !shown.contains { $0.element.id == element.id } }
      }
    return ServerMessage.introducing(all)
  }

  /// Appends a delta message, what differs from the last frame, and makes this frame the last.
  ///
  /// Does not allocate once the buffers have grown to the size of the frames.
  /// - Precondition: A snapshot came before, and all elements of the frame are introduced.
  public mutating func delta(
    of frame: Frame,
    number: UInt32,
    time: Double,
    into bytes: inout [UInt8]
  ) {
    bytes.beginServer(.delta)
    appendDelta(of: frame, number: number, time: time, into: &bytes)
  }

  /// Appends a batch message: deltas ahead of their time, numbered on from the first.
  ///
  /// - Precondition: As for a delta.
  /// - Returns: How many of the frames are in it: all of them, unless they are more or longer than
  ///   one message takes. The others are for the next.
  @discardableResult
  public mutating func batch(
    of frames: some Collection<TimedFrame>,
    firstNumber: UInt32,
    into bytes: inout [UInt8]
  ) -> Int {
    let limit = bytes.count + WireLimits.serverMessageBytes
    bytes.beginServer(.batch)
    bytes.append(0)
    let head = bytes.count - 1
    var count = 0
    for timed in frames.prefix(WireLimits.batchFrames) {
      let entries = timed.frame.placements.count * Self.entryBytes + shown.count * Self.hiddenBytes
      guard count == 0 || bytes.count + Self.headBytes + entries <= limit else { break }
      bytes.append16(0)
      let start = bytes.count
      appendDelta(
        of: timed.frame,
        number: firstNumber &+ UInt32(count),
        time: timed.time,
        into: &bytes
      )
      bytes.set16(UInt16(truncatingIfNeeded: bytes.count - start), at: start - 2)
      count += 1
    }
    bytes[head] = UInt8(count)
    return count
  }

  /// The most that the head of a frame takes in a batch, an element that is shown, and one that is
  /// hidden, in bytes.
  private static let (headBytes, entryBytes, hiddenBytes) = (19, 75, 5)

  /// Appends a snapshot message to all members and makes this frame the last.
  ///
  /// It recalls all frames sent ahead. If ``needsReset``, the elements not in it are forgotten here
  /// and, by a flag, by the members; so it must go to all of them.
  /// - Precondition: All elements of the frame are introduced.
  public mutating func snapshot(
    of frame: Frame,
    number: UInt32,
    time: Double,
    into bytes: inout [UInt8]
  ) {
    let resets = needsReset
    rebase(on: frame, number: number, time: time)
    if resets { table.forget { key in !shown.contains { $0.key == key } } }
    isReset = false
    appendSnapshot(resets: resets, into: &bytes)
  }

  /// Appends a snapshot of the last encoded frame for members that joined or missed one.
  ///
  /// The chain of deltas goes on from it. Appends nothing before the first frame. One that comes
  /// from another table `resets`: it shall forget all elements introduced before, and is told those
  /// of the frame before and the others after.
  public func snapshotOfLast(resets: Bool = false, into bytes: inout [UInt8]) {
    guard lastNumber != nil else { return }
    appendSnapshot(resets: resets, into: &bytes)
  }

  /// Makes a frame the last without a message, in a copy that speaks to one member alone: one that
  /// comes while frames that were sent ahead have not been seen yet.
  /// - Precondition: All elements of the frame are introduced.
  public mutating func rebase(on frame: Frame, number: UInt32, time: Double) {
    spare.removeAll(keepingCapacity: true)
    for placement in frame.placements.prefix(WireLimits.placements) {
      let id = idOf(placement.key)
      spare.append(Shown(key: placement.key, element: ShownElement(placement, id: id)))
    }
    end(frame, number: number, time: time)
  }
}

/// Which of the elements of a room.
public enum ElementsPart: Sendable {
  /// All that were introduced.
  case all
  /// Those of the last frame.
  case ofLast
  /// All but those of the last frame.
  case others
}

extension FrameEncoder {
  private func idOf(_ key: ElementKey) -> UInt16 {
    guard let id = table.id(of: key) else {
      preconditionFailure("Introduce \(key) before the frame that shows it.")
    }
    return id
  }

  private mutating func end(_ frame: Frame, number: UInt32, time: Double) {
    swap(&shown, &spare)
    screen = frame.screen
    isSettled = frame.isSettled
    lastNumber = number
    lastTime = time
  }

  private func appendSnapshot(resets: Bool, into bytes: inout [UInt8]) {
    bytes.beginServer(.snapshot)
    let flags = (isSettled ? FrameFlags.settled : 0) | (resets ? FrameFlags.reset : 0)
    let place = bytes.appendFrameHead(
      number: lastNumber ?? 0,
      time: lastTime,
      screen: screen,
      flags: flags
    )
    bytes.set16(UInt16(shown.count), at: place)
    for entry in shown { bytes.appendAppearing(entry.element) }
  }

  private mutating func appendDelta(
    of frame: Frame,
    number: UInt32,
    time: Double,
    into bytes: inout [UInt8]
  ) {
    precondition(lastNumber != nil, "Send a snapshot before the first delta.")
    let place = bytes.appendFrameHead(
      number: number,
      time: time,
      screen: frame.screen,
      flags: frame.isSettled ? FrameFlags.settled : 0
    )
    var count: UInt16 = 0
    spare.removeAll(keepingCapacity: true)
    var cursor = 0
    for placement in frame.placements.prefix(WireLimits.placements) {
      if let index = index(of: placement.key, near: cursor) {
        let old = shown[index].element
        let new = ShownElement(placement, id: old.id)
        shown[index].isKept = true
        if bytes.appendChange(from: old, to: new) { count += 1 }
        spare.append(Shown(key: placement.key, element: new))
        cursor = index + 1
      } else {
        let new = ShownElement(placement, id: idOf(placement.key))
        bytes.appendAppearing(new)
        count += 1
        spare.append(Shown(key: placement.key, element: new))
      }
    }
    for old in shown where !old.isKept {
      bytes.appendEntryHead(id: old.element.id, mask: 0, flags: EntryFlags.hidden)
      count += 1
    }
    bytes.set16(count, at: place)
    end(frame, number: number, time: time)
  }

  /// Where an element is in the last frame: at the cursor as long as the order stays the same.
  private func index(of key: ElementKey, near cursor: Int) -> Int? {
    for index in cursor..<max(cursor, shown.count) where shown[index].key == key { return index }
    for index in 0..<min(cursor, shown.count) where shown[index].key == key { return index }
    return nil
  }
}

extension [UInt8] {
  fileprivate mutating func appendAppearing(_ element: ShownElement) {
    let mask = element.matrix.mask(differingFrom: .identity)
    appendEntryHead(id: element.id, mask: mask, flags: EntryFlags.appearing)
    appendMatrix(element.matrix, mask: mask)
    append16(element.opacity)
    append16(element.shade)
    append16(UInt16(bitPattern: element.z))
  }

  /// Appends what differs and returns whether anything did.
  fileprivate mutating func appendChange(
    from old: ShownElement,
    to new: ShownElement
  ) -> Bool {
    let mask = new.matrix.mask(differingFrom: old.matrix)
    var flags: UInt8 = 0
    if new.opacity != old.opacity { flags |= EntryFlags.opacity }
    if new.shade != old.shade { flags |= EntryFlags.shade }
    if new.z != old.z { flags |= EntryFlags.z }
    guard mask != 0 || flags != 0 else { return false }
    appendEntryHead(id: new.id, mask: mask, flags: flags)
    appendMatrix(new.matrix, mask: mask)
    if new.opacity != old.opacity { append16(new.opacity) }
    if new.shade != old.shade { append16(new.shade) }
    if new.z != old.z { append16(UInt16(bitPattern: new.z)) }
    return true
  }
}

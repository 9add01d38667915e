internal import Bytes
package import Scene

/// A frame and the time at which it is to be shown.
package struct TimedFrame: Equatable, Sendable {
  /// The time, in seconds of the server's clock.
  package var time: Double
  /// The frame.
  package var frame: Frame

  /// Creates a timed frame.
  package init(time: Double, frame: Frame) {
    self.time = time
    self.frame = frame
  }
}

/// Encodes the frames of one room, each once for all of its members.
///
/// The encoder stores which elements were introduced, and the last frame at wire precision, so that
/// a delta contains only what differs in bytes. Introduce all elements of a frame before encoding
/// it:
///
/// ```swift
/// let unknown = encoder.unknown(in: frame)
/// for message in encoder.introduce(unknown.map(element(for:))) { broadcast(message) }
/// buffer.removeAll(keepingCapacity: true)
/// encoder.delta(of: frame, number: number, time: time, into: &buffer)
/// ```
///
/// If a frame shows more than ``WireLimits/placements`` elements, the first ones are encoded.
///
/// A member that joins receives ``elementsMessages`` and ``snapshotOfLast(into:)`` and then follows
/// the deltas like all others; so does a member that missed a frame, without the elements. When
/// there are too many elements, ``retire(keeping:)`` retires those that are not needed.
package struct FrameEncoder: Sendable {
  private struct Shown {
    var key: ElementKey
    var element: ShownElement
    /// Whether the element occurs in the frame that is being encoded.
    var isKept = false
  }

  private var live = LiveElements()
  private var shown: [Shown] = []
  /// The buffer for the next frame, kept for its capacity.
  private var spare: [Shown] = []
  private var screen = Screen.collections
  private var isSettled = false

  /// The number of the last encoded frame; nil before the first.
  package private(set) var lastNumber: UInt32?
  /// The time of the last encoded frame.
  package private(set) var lastTime = 0.0

  /// Creates an encoder without elements and frames.
  package init() {
    shown.reserveCapacity(64)
    spare.reserveCapacity(64)
  }

  /// Frees what only motion needs; the buffers grow again with the next frames.
  package mutating func rest() {
    spare = []
    live.rest()
    var exact: [Shown] = []
    exact.reserveCapacity(shown.count)
    exact.append(contentsOf: shown)
    shown = exact
  }

  /// Whether enough elements are introduced that some should be retired.
  package var isFull: Bool { live.count >= WireLimits.elements }

  /// Returns whether an element is introduced.
  package func knows(_ key: ElementKey) -> Bool { live.contains(key) }

  /// Returns the element with a number; nil if it is not introduced.
  package func key(of number: UInt64) -> ElementKey? { live.key(of: number) }

  /// The number of introduced elements.
  package var elementCount: Int { live.count }

  /// The keys of the introduced elements, in no order.
  package var introduced: [ElementKey] { live.keys }

  /// Returns whether an element is introduced with exactly this content.
  package func isCurrent(_ element: Element) -> Bool { live.has(WireElement(element)) }

  /// Returns the elements of a frame that are not introduced, in the frame's order, each once.
  ///
  /// Does not allocate if there are none.
  package func unknown(in frame: Frame) -> [ElementKey] {
    var unknown: [ElementKey] = []
    for (index, placement) in frame.placements.enumerated() {
      // An element at the same position as in the last frame is known without a lookup.
      if index < shown.count, shown[index].key == placement.key { continue }
      let key = placement.key.whole
      if !live.contains(key), !unknown.contains(key) { unknown.append(key) }
    }
    return unknown
  }

  /// Encodes the messages that introduce elements to all members: several if there are many
  /// elements or long texts.
  ///
  /// A known element is replaced.
  package mutating func introduce(_ elements: [Element]) -> [[UInt8]] {
    ServerMessage.introducing(elements.map { live.introduce($0) })
  }

  /// The messages that introduce all elements to a member that joins, beginning with those of the
  /// last frame.
  ///
  /// All elements are included, because the next delta can show any of them.
  package var elementsMessages: [[UInt8]] {
    let ids = Set(shown.map(\.element.id))
    let all = live.all
    let ordered = all.filter { ids.contains($0.id) } + all.filter { !ids.contains($0.id) }
    return ServerMessage.introducing(ordered)
  }

  /// Retires the elements that are neither in the last frame nor wanted, and encodes the messages
  /// for all members; retired elements are introduced again before a frame shows them.
  package mutating func retire(keeping isWanted: (ElementKey) -> Bool) -> [[UInt8]] {
    let ids = Set(shown.map(\.element.id))
    let retired = live.retire { ids.contains($0.number) || isWanted($0) }
    return ServerMessage.retiring(retired)
  }

  /// Appends a delta message with the differences from the last frame, and makes this frame the
  /// last.
  ///
  /// Does not allocate once the buffers have grown to the size of the frames.
  /// - Precondition: A snapshot was encoded before, and all elements of the frame are introduced.
  package mutating func delta(
    of frame: Frame,
    number: UInt32,
    time: Double,
    into bytes: inout [UInt8]
  ) {
    bytes.append(ServerKind.delta.rawValue)
    appendDelta(of: frame, number: number, time: time, into: &bytes)
  }

  /// Appends a batch message of deltas ahead of their time, numbered consecutively from the first.
  ///
  /// - Precondition: As for a delta.
  /// - Returns: The number of frames in the message: all of them, unless they exceed the limits of
  ///   one message; then encode the others in the next.
  @discardableResult
  package mutating func batch(
    of frames: some Collection<TimedFrame>,
    firstNumber: UInt32,
    into bytes: inout [UInt8]
  ) -> Int {
    let limit = bytes.count + WireLimits.serverMessageBytes
    bytes.append(ServerKind.batch.rawValue)
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

  /// Upper bounds on the sizes of a frame's head in a batch, of an element that is shown, and of an
  /// element that is hidden, in bytes.
  private static let (headBytes, entryBytes, hiddenBytes) = (18, 83, 11)

  /// Appends a snapshot message for all members and makes this frame the last.
  ///
  /// It cancels all frames sent ahead.
  /// - Precondition: All elements of the frame are introduced.
  package mutating func snapshot(
    of frame: Frame,
    number: UInt32,
    time: Double,
    into bytes: inout [UInt8]
  ) {
    rebase(on: frame, number: number, time: time)
    appendSnapshot(into: &bytes)
  }

  /// Appends a snapshot of the last encoded frame for members that joined or missed a frame.
  ///
  /// The chain of deltas continues from it. Appends nothing before the first frame.
  package func snapshotOfLast(into bytes: inout [UInt8]) {
    guard lastNumber != nil else { return }
    appendSnapshot(into: &bytes)
  }

  /// Makes a frame the last without a message, in a copy of the encoder for a single member that
  /// joins while frames sent ahead have not been shown yet.
  /// - Precondition: All elements of the frame are introduced.
  package mutating func rebase(on frame: Frame, number: UInt32, time: Double) {
    spare.removeAll(keepingCapacity: true)
    for placement in frame.placements.prefix(WireLimits.placements) {
      requireKnown(placement.key)
      spare.append(Shown(key: placement.key, element: ShownElement(placement)))
    }
    end(frame, number: number, time: time)
  }
}

extension FrameEncoder {
  private func requireKnown(_ key: ElementKey) {
    precondition(live.contains(key), "Introduce \(key) before the frame that shows it.")
  }

  private mutating func end(_ frame: Frame, number: UInt32, time: Double) {
    swap(&shown, &spare)
    screen = frame.screen
    isSettled = frame.isSettled
    lastNumber = number
    lastTime = time
  }

  private func appendSnapshot(into bytes: inout [UInt8]) {
    bytes.append(ServerKind.snapshot.rawValue)
    let place = bytes.appendFrameHead(
      number: lastNumber ?? 0,
      time: lastTime,
      screen: screen,
      isSettled: isSettled
    )
    bytes.set16(UInt16(shown.count), at: place)
    var heads = EntryHeads()
    for entry in shown {
      bytes.appendEntry(FrameEntry(appearing: entry.element), known: .max, &heads)
    }
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
      isSettled: frame.isSettled
    )
    var count: UInt16 = 0
    spare.removeAll(keepingCapacity: true)
    var cursor = 0
    var heads = EntryHeads()
    for placement in frame.placements.prefix(WireLimits.placements) {
      if let index = index(of: placement.key, near: cursor) {
        let old = shown[index].element
        let new = ShownElement(placement)
        shown[index].isKept = true
        if let entry = FrameEntry(from: old, to: new) {
          bytes.appendEntry(entry, known: .max, &heads)
          count += 1
        }
        spare.append(Shown(key: placement.key, element: new))
        cursor = index + 1
      } else {
        requireKnown(placement.key)
        let new = ShownElement(placement)
        bytes.appendEntry(FrameEntry(appearing: new), known: .max, &heads)
        count += 1
        spare.append(Shown(key: placement.key, element: new))
      }
    }
    for old in shown where !old.isKept {
      bytes.appendEntry(FrameEntry(hiding: old.element), known: .max, &heads)
      count += 1
    }
    bytes.set16(count, at: place)
    end(frame, number: number, time: time)
  }

  /// Returns the position of an element in the last frame, which is the cursor while the order
  /// stays the same.
  private func index(of key: ElementKey, near cursor: Int) -> Int? {
    for index in cursor..<max(cursor, shown.count) where shown[index].key == key { return index }
    for index in 0..<min(cursor, shown.count) where shown[index].key == key { return index }
    return nil
  }
}

extension [UInt8] {
  /// Appends the head of a frame and returns the position of its count, which is set at the end.
  fileprivate mutating func appendFrameHead(
    number: UInt32,
    time: Double,
    screen: Screen,
    isSettled: Bool
  ) -> Int {
    append32(number)
    append64(time.bitPattern)
    append(FrameState.byte(screen, isSettled: isSettled))
    append16(0)
    return count - 2
  }
}

internal import Fabric
internal import Scene
internal import Staging
internal import Wire

/// What has been published of one stage: the last frame, the frames that were sent ahead of their
/// time, and the elements that frames name.
struct FrameStream: Sendable {
  /// How many frames of a flight are sent at first: all frames that are sent ahead would take long
  /// on a narrow connection, and the first of them are due at once.
  static let flownFirst = 4
  /// How long flown frames are remembered, in seconds: longer than any delay of followers.
  static let flownKept = 0.3
  /// After this many deltas a gateway receives a whole frame, so that it need not keep more of
  /// them.
  static let keyframeEvery = 64

  /// The stream's name.
  var id: StreamID
  /// The last frame; its time may not have come yet.
  var frame: Frame
  /// The number of the last frame.
  private(set) var number: UInt32 = 0
  /// The time of the last frame, in seconds of the room's clock.
  private(set) var time: Double
  /// The last frames that were sent ahead and not recalled, the oldest first.
  private(set) var flown: [TimedFrame] = []

  private var encoder = FrameEncoder()
  private var times = FrameTimes()
  /// The time of the last frame that was sent ahead and not recalled.
  private var flownTime = -Double.infinity
  /// The last frame that was published for members that prefer reduced motion.
  private var lastStill: Frame?
  private var deltaCount = 0

  /// Creates a stream that has published nothing.
  init(_ id: StreamID, frame: Frame, at time: Double) {
    (self.id, self.frame, self.time) = (id, frame, time)
  }

  /// Whether a frame was published.
  var isStarted: Bool { encoder.lastNumber != nil }

  /// Whether frames were sent whose time has not come.
  func wasSentAhead(of now: Double) -> Bool { flownTime > now }

  /// Whether a frame for a given time recalls frames that were sent before.
  func recalls(at time: Double, now: Double) -> Bool {
    wasSentAhead(of: now) || time < self.time || !isStarted
  }

  /// Returns the time of a frame by its number; nil if it is not remembered.
  func time(of number: UInt32) -> Double? { times.time(of: number) }

  // MARK: Frames

  /// Publishes ``frame`` for a given time, and recalls all frames that were sent ahead.
  /// - Precondition: All elements of the frame are introduced.
  mutating func publishFrame(at time: Double, isSnapshot: Bool, into messages: inout HostMessages) {
    flownTime = -.infinity
    if !flown.isEmpty { flown.removeAll(keepingCapacity: true) }
    advance(to: time)
    if isSnapshot {
      deltaCount = 0
      messages.publish(.snapshot, on: id) {
        encoder.snapshot(of: frame, number: number, time: time, into: &$0)
      }
    } else {
      messages.publish(.frames, on: id) {
        encoder.delta(of: frame, number: number, time: time, into: &$0)
      }
      deltaCount += 1
      guard deltaCount >= Self.keyframeEvery else { return }
      deltaCount = 0
      messages.publish(.keyframe, on: id) { encoder.snapshotOfLast(into: &$0) }
    }
  }

  /// Publishes frames ahead of their time, the first few of a flight in a separate message.
  /// - Precondition: A frame was published, and all elements are introduced.
  mutating func publishFlight(
    _ frames: [TimedFrame],
    now: Double,
    into messages: inout HostMessages
  ) {
    flown.removeAll { $0.time < now - Self.flownKept }
    let count = wasSentAhead(of: now) ? frames.count : min(Self.flownFirst, frames.count)
    publishBatches(of: frames.prefix(count), into: &messages)
    publishBatches(of: frames.dropFirst(count), into: &messages)
    for timed in frames {
      advance(to: timed.time)
      flownTime = timed.time
      flown.append(timed)
    }
    if let last = frames.last { frame = last.frame }
  }

  private mutating func publishBatches(
    of frames: ArraySlice<TimedFrame>,
    into messages: inout HostMessages
  ) {
    var rest = frames
    while !rest.isEmpty {
      let first = (encoder.lastNumber ?? 0) &+ 1
      var count = 0
      messages.publish(.frames, on: id) {
        count = encoder.batch(of: rest, firstNumber: first, into: &$0)
      }
      rest = rest.dropFirst(count)
    }
  }

  private mutating func advance(to time: Double) {
    number &+= 1
    self.time = time
    times.note(number, time)
  }

  // MARK: Rest

  /// How long after its last frame a stream is at rest, in seconds: longer than any delay of
  /// followers, and than the gap after which reports of frames no longer count.
  static let restAfter = 2.0

  /// Frees what only motion needs, once all members see the last frame.
  mutating func rest() {
    flown = []
    times = FrameTimes()
    encoder.rest()
    var placements: [Placement] = []
    placements.reserveCapacity(frame.placements.count)
    placements.append(contentsOf: frame.placements)
    frame.placements = placements
  }

  // MARK: Stills

  /// Publishes a frame for members that prefer reduced motion, unless it was the last such frame.
  /// - Precondition: All elements of the frame are introduced.
  mutating func publishStill(_ still: Frame, at time: Double, into messages: inout HostMessages) {
    guard still != lastStill else { return }
    lastStill = still
    var own = encoder
    own.rebase(on: still, number: number, time: time)
    messages.publish(.still, on: id) { own.snapshotOfLast(into: &$0) }
  }

  // MARK: Elements

  /// Returns the elements of a frame that have not been introduced.
  func unknown(in frame: Frame) -> [ElementKey] { encoder.unknown(in: frame) }

  /// Whether an element is introduced.
  func knows(_ key: ElementKey) -> Bool { encoder.knows(key) }

  /// Whether an element is introduced with exactly these properties.
  func isCurrent(_ element: Element) -> Bool { encoder.isCurrent(element) }

  /// Returns the element with a number; nil if it is not introduced.
  func key(of number: UInt64) -> ElementKey? { encoder.key(of: number) }

  /// The elements that are introduced, in no particular order.
  var introduced: [ElementKey] { encoder.introduced }

  /// The elements that are shown, or on their way to members.
  var visible: Set<ElementKey> {
    let frames = flown.map(\.frame) + [frame]
    return Set(frames.lazy.flatMap(\.placements).map(\.key.whole))
  }

  /// Returns the elements that are introduced and look different in a library, in their order.
  func outdated(in library: ShownLibrary, on stage: Stage) -> [ElementKey] {
    introduced.sorted { $0.number < $1.number }
      .filter { library.layout.has($0) && !isCurrent(library.element(for: $0, on: stage)) }
  }

  /// Whether so many elements are introduced that some should be retired.
  var isFull: Bool { encoder.isFull }

  /// Introduces elements, or introduces them again.
  mutating func introduce(_ elements: [Element], into messages: inout HostMessages) {
    for message in encoder.introduce(elements) {
      messages.publish(.elements, on: id) { $0 += message }
    }
  }

  /// Retires elements that are neither in the last frame nor wanted.
  mutating func retire(keeping isWanted: (ElementKey) -> Bool, into messages: inout HostMessages) {
    for message in encoder.retire(keeping: isWanted) {
      messages.publish(.elements, on: id) { $0 += message }
    }
  }
}

extension Stage {
  /// Returns the frames of a time, up to the first one at rest.
  func flight(from start: Double, until end: Double) -> [TimedFrame] {
    var frames: [TimedFrame] = []
    var time = start
    while time <= end, frames.last?.frame.isSettled != true {
      frames.append(TimedFrame(time: time, frame: frame(at: time)))
      time += Pacing.flownStep
    }
    return frames
  }

  /// Returns the frame in which nothing moves any more: what flies has landed, and what is held is
  /// where it would land if it were released without any effect.
  func frameAtRest(after time: Double) -> Frame {
    var later = self
    later.abandonGesture(at: time)
    // By then, a leaf that waits for images and a sequence of several moves have ended, too.
    later.advance(to: time + Stage.standingSeconds)
    return later.frame(at: time + Stage.standingSeconds)
  }
}

/// The times of the last frames, by their numbers.
private struct FrameTimes: Sendable {
  private static let count = 512
  /// The times, by the remainders of the numbers; empty before the first.
  private var times: [Double] = []
  private var newest: UInt32 = 0

  mutating func note(_ number: UInt32, _ time: Double) {
    if times.isEmpty { times = Array(repeating: -.infinity, count: Self.count) }
    times[Int(number) % Self.count] = time
    newest = number
  }

  /// Returns the time of a frame; nil if it is not remembered.
  func time(of number: UInt32) -> Double? {
    guard !times.isEmpty, newest &- number < UInt32(Self.count) else { return nil }
    let time = times[Int(number) % Self.count]
    return time.isFinite ? time : nil
  }
}

internal import Fabric
internal import Scene
internal import Wire

/// The current picture of one stream, assembled from what its host publishes.
///
/// It serves members that join late or fall behind, without a request to the host. Messages are
/// kept as bytes and decoded only when a member needs them, or when ``pendingMax`` of them are
/// pending. While a finger drives the stage, the host's keyframes prevent the latter.
struct StreamReplica: Sendable {
  /// The most messages that may wait to be decoded.
  static let pendingMax = 128
  /// How long a frame is kept after its time, in seconds before that of the newest frame; longer
  /// than frames are sent ahead and followers show them late.
  static let retainedSeconds = 1.0

  /// How long after the last message a stream is at rest, in seconds: all members then see the last
  /// frame, although it may have been sent ahead of its time.
  static let restAfter = 1.5

  /// How long after its time followers show each frame, in seconds.
  var delay = 0.0
  /// The last caption; empty before the first one.
  private(set) var caption: [UInt8] = []
  /// The last still; empty before the first one.
  private(set) var still: [UInt8] = []

  /// Whether ``rest(at:)`` will be called.
  var isWatchedForRest = false
  /// When the last message was published.
  private var noteTime = -Double.infinity

  /// The elements by their numbers; empty while only ``packed`` has them.
  private var elements: [UInt64: WireElement] = [:]
  /// The messages that introduce all elements; empty if they have changed since.
  private var packed: [[UInt8]] = []
  /// Consecutive frames, oldest first.
  private var frames: [DecodedFrame] = []
  /// Undecoded messages with later frames, back to back, and the offset at which each ends.
  private var pending: [UInt8] = []
  private var ends: [Int] = []

  /// Records a published message.
  mutating func note(_ bytes: UnsafeRawBufferPointer, _ publication: Publication, now: Double) {
    noteTime = now
    switch publication {
    case .snapshot, .keyframe:
      frames.removeAll(keepingCapacity: true)
      pending.removeAll(keepingCapacity: true)
      ends.removeAll(keepingCapacity: true)
      append(bytes)
    case .frames:
      append(bytes)
      if ends.count >= Self.pendingMax { decode() }
    case .elements: noteElements(bytes)
    case .still: still = Array(bytes)
    case .caption: caption = Array(bytes)
    case .pointer: break
    }
  }

  /// Returns the messages that introduce all elements, beginning with those of the last frame.
  ///
  /// The next frame may show any element, so none can be left out.
  ///
  /// The messages are kept, because many members may join at once.
  mutating func elementsMessages() -> [[UInt8]] {
    guard packed.isEmpty else { return packed }
    decode()
    let shown = Set(frames.last?.shown.map(\.id) ?? [])
    let all = elements.values.sorted { $0.id < $1.id }
    packed = ServerMessage.introducing(
      all.filter { shown.contains($0.id) } + all.filter { !shown.contains($0.id) }
    ).map { message in
      // The messages are kept for long, so they must not keep the room in which they grew.
      [UInt8](unsafeUninitializedCapacity: message.count) { copy, count in
        _ = copy.initialize(from: message)
        count = message.count
      }
    }
    return packed
  }

  /// Frees what only motion needs, if the last message was published long enough ago: the last
  /// frame and the elements are kept as bytes.
  /// - Returns: When to call this again; nil at rest.
  mutating func rest(at now: Double) -> Double? {
    guard noteTime + Self.restAfter <= now else { return noteTime + Self.restAfter }
    isWatchedForRest = false
    _ = elementsMessages()
    elements = [:]
    decode()
    let last = frames.last
    (frames, pending, ends) = ([], [], [])
    guard let last else { return nil }
    let snapshot = ServerMessage.snapshot(FrameUpdate(snapshotOf: last)).encoded()
    pending.reserveCapacity(snapshot.count)
    snapshot.withUnsafeBytes { append($0) }
    return nil
  }

  /// Decodes the elements if only their messages were kept.
  private mutating func unpackElements() {
    guard elements.isEmpty else { return }
    for message in packed {
      guard case .elements(let all) = try? ServerMessage(decoding: message) else { continue }
      for element in all { elements[element.id] = element }
    }
  }

  /// What a member needs to see the same as others at a given time.
  struct Picture {
    /// The frame at that time; empty before the first frame.
    var snapshot: [UInt8] = []
    /// All later frames.
    var rest: [[UInt8]] = []
  }

  /// Returns the picture at a given time, in seconds of the host's clock: the newest frame whose
  /// time has come, or else the oldest frame that is kept.
  mutating func picture(at time: Double) -> Picture {
    decode()
    guard let first = frames.first else { return Picture() }
    let index = frames.lastIndex { $0.time <= time } ?? 0
    let seen = frames.indices.contains(index) ? frames[index] : first
    var picture = Picture(snapshot: ServerMessage.snapshot(FrameUpdate(snapshotOf: seen)).encoded())
    var batch: [FrameUpdate] = []
    var size = 0
    for (last, frame) in zip(frames[index...], frames[(index + 1)...]) {
      let update = FrameUpdate(from: last, to: frame)
      let bytes = Self.headBytes + update.entries.count * Self.entryBytes
      if !batch.isEmpty,
        size + bytes > WireLimits.serverMessageBytes || batch.count == WireLimits.batchFrames
      {
        picture.rest.append(ServerMessage.batch(batch).encoded())
        (batch, size) = ([], 0)
      }
      batch.append(update)
      size += bytes
    }
    if !batch.isEmpty { picture.rest.append(ServerMessage.batch(batch).encoded()) }
    return picture
  }

  /// Upper bounds on the sizes of a frame's head and of an entry in a batch, in bytes.
  private static let (headBytes, entryBytes) = (22, 84)

  private mutating func append(_ bytes: UnsafeRawBufferPointer) {
    pending.append(contentsOf: bytes)
    ends.append(pending.count)
  }

  private mutating func noteElements(_ bytes: UnsafeRawBufferPointer) {
    unpackElements()
    packed = []
    let message = try? ServerMessage(decoding: bytes)
    if case .elements(let introduced)? = message {
      for element in introduced { elements[element.id] = element }
    } else if case .retired(let numbers)? = message {
      for number in numbers { elements[number] = nil }
      decode()
      // A member that joins after this cannot be shown a frame with a retired element.
      let known = elements
      let last = frames.lastIndex { $0.shown.contains { known[$0.id] == nil } }
      if let last { frames.removeFirst(last + 1) }
    }
  }

  /// Decodes the pending messages, and drops frames that no member displays any more.
  private mutating func decode() {
    if !ends.isEmpty {
      var start = 0
      for end in ends {
        decode(pending[start..<end])
        start = end
      }
      pending.removeAll(keepingCapacity: true)
      ends.removeAll(keepingCapacity: true)
    }
    guard let newest = frames.last else { return }
    frames.removeFirst(frames.lastIndex { $0.time <= newest.time - Self.retainedSeconds } ?? 0)
  }

  /// Decodes one message.
  ///
  /// If a message does not fit the last frame, frames are missing until the next snapshot.
  private mutating func decode(_ bytes: ArraySlice<UInt8>) {
    do {
      let message = try bytes.withUnsafeBytes { bytes throws(WireError) in
        try ServerMessage(decoding: bytes)
      }
      if case .snapshot(let update) = message {
        frames = [try DecodedFrame(snapshot: update)]
      } else if case .delta(let update) = message {
        try follow(update)
      } else if case .batch(let updates) = message {
        for update in updates { try follow(update) }
      }
    } catch {
      frames = []
    }
  }

  private mutating func follow(_ update: FrameUpdate) throws(WireError) {
    guard let last = frames.last else { return }
    frames.append(try last.followed(by: update))
  }
}

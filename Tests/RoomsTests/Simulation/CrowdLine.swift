import TestVectors

/// The way between a server and one page, in virtual time: what is sent arrives in order and later,
/// and no more is taken at once than a small buffer of the kernel holds.
struct CrowdLine {
  /// The least time a message takes, and what chance adds, in seconds.
  let delay, jitter: Double
  /// How much the page reads, in bytes a second.
  let rate: Double
  /// How many bytes may wait in the kernel before it refuses more.
  let buffer: Double

  private var random: SplitMix64
  /// When all that the kernel took has been read.
  private var freeAt = -Double.infinity
  private var lastUp = -Double.infinity
  private var lastDown = -Double.infinity
  /// What a line took since it broke, in bytes; nil while it holds.
  private var lost: Double?

  /// One of three kinds of line.
  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<5: (delay, jitter, rate, buffer) = (0.002, 0.006, 2_000_000, 65_536)
    case 5..<8: (delay, jitter, rate, buffer) = (0.04, 0.08, 120_000, 16_384)
    default:
      (delay, jitter, buffer) = (0.05, 0.15, 4096)
      rate = .random(in: 4_000...30_000, using: &random)
    }
  }

  /// The longest that a message of a size is under way on an idle line, in seconds.
  func longest(for bytes: Double) -> Double { delay + jitter + bytes / rate }

  /// What waits in the kernel, in bytes.
  func backlog(at now: Double) -> Double { lost ?? max(0, freeAt - now) * rate }

  /// Whether a message would be taken.
  func takes(at now: Double) -> Bool { backlog(at: now) <= buffer }

  /// When a line that refused a message takes others again; nil for one that is broken.
  func writableTime(at now: Double) -> Double? {
    lost == nil ? max(now, freeAt - buffer / 2 / rate) : nil
  }

  /// Takes a message of a size.
  /// - Returns: When it arrives; nil when it never does.
  mutating func send(_ bytes: Int, at now: Double) -> Double? {
    if let lost {
      self.lost = lost + Double(bytes)
      return nil
    }
    freeAt = max(freeAt, now) + Double(bytes) / rate
    lastDown = max(lastDown, freeAt + delay + .random(in: 0...jitter, using: &random))
    return lastDown
  }

  /// When what the page says now is heard.
  mutating func say(at now: Double) -> Double {
    lastUp = max(lastUp, now + delay + .random(in: 0...jitter, using: &random))
    return lastUp
  }

  /// The page reads nothing for a while.
  mutating func stall(for seconds: Double, at now: Double) { freeAt = max(freeAt, now) + seconds }

  /// Nothing gets through any more, and neither side knows.
  mutating func tear(at now: Double) { lost = lost ?? backlog(at: now) }
}

/// Events in the order of their times, and of those at one instant in the order they were made.
struct CrowdAgenda<Event> {
  private struct Entry {
    let time: Double
    let serial: Int
    let event: Event

    func isBefore(_ other: Entry) -> Bool { (time, serial) < (other.time, other.serial) }
  }

  private var heap: [Entry] = []
  private var serial = 0

  /// When the first event is; +infinity when there is none.
  var nextTime: Double { heap.first?.time ?? .infinity }

  mutating func add(_ event: Event, at time: Double) {
    serial += 1
    heap.append(Entry(time: time, serial: serial, event: event))
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].isBefore(heap[parent]) else { break }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  mutating func removeFirst() -> Event? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    guard !heap.isEmpty else { return first.event }
    heap[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
        if heap[child].isBefore(heap[least]) { least = child }
      }
      guard least != parent else { break }
      heap.swapAt(least, parent)
      parent = least
    }
    return first.event
  }
}

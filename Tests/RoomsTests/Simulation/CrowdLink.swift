import TestVectors

/// A connection between a server and one page, in virtual time: messages arrive in order and with a
/// delay, and a small buffer, like the kernel's, bounds what is accepted at once.
struct CrowdLink {
  /// The minimum delay of a message, and the maximum random addition, in seconds.
  let delay, jitter: Double
  /// The rate at which the page reads, in bytes a second.
  let rate: Double
  /// The number of bytes that may wait in the kernel before it rejects more.
  let buffer: Double

  private var random: SplitMix64
  /// The time at which everything that the kernel accepted has been read.
  private var freeAt = -Double.infinity
  private var lastUp = -Double.infinity
  private var lastDown = -Double.infinity
  /// The bytes that the connection accepted since it broke; nil while it works.
  private var lost: Double?

  /// Creates a connection of one of three kinds.
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

  /// Returns the maximum time that a message of a size takes on an idle connection, in seconds.
  func longest(for bytes: Double) -> Double { delay + jitter + bytes / rate }

  /// Returns the number of bytes that wait in the kernel.
  func backlog(at now: Double) -> Double { lost ?? max(0, freeAt - now) * rate }

  /// Returns whether a message would be accepted.
  func takes(at now: Double) -> Bool { backlog(at: now) <= buffer }

  /// Returns the time at which a full connection accepts messages again; nil for a broken one.
  func writableTime(at now: Double) -> Double? {
    lost == nil ? max(now, freeAt - buffer / 2 / rate) : nil
  }

  /// Accepts a message of a size.
  /// - Returns: The time of its arrival; nil if it never arrives.
  mutating func send(_ bytes: Int, at now: Double) -> Double? {
    if let lost {
      self.lost = lost + Double(bytes)
      return nil
    }
    freeAt = max(freeAt, now) + Double(bytes) / rate
    lastDown = max(lastDown, freeAt + delay + .random(in: 0...jitter, using: &random))
    return lastDown
  }

  /// Returns the time at which the server receives a message that the page sends now.
  mutating func say(at now: Double) -> Double {
    lastUp = max(lastUp, now + delay + .random(in: 0...jitter, using: &random))
    return lastUp
  }

  /// Makes the page read nothing for a number of seconds.
  mutating func stall(for seconds: Double, at now: Double) { freeAt = max(freeAt, now) + seconds }

  /// Breaks the connection, which neither side notices.
  mutating func tear(at now: Double) { lost = lost ?? backlog(at: now) }
}

/// Events in the order of their times; events with the same time in the order of their creation.
struct CrowdAgenda<Event> {
  private struct Entry {
    let time: Double
    let serial: Int
    let event: Event

    func isBefore(_ other: Entry) -> Bool { (time, serial) < (other.time, other.serial) }
  }

  private var heap: [Entry] = []
  private var serial = 0

  /// The time of the first event; +infinity if there is none.
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

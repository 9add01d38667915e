/// The times at which connections are checked for silence, as a timing wheel.
///
/// Scheduling and removal take constant time, and a connection that is heard often costs nothing
/// until its check. A sorted list, as in libwebsockets, takes a time proportional to the number of
/// connections for each.
struct SilenceWheel {
  /// The time between two slots, in seconds; a check is late by at most this.
  static let step = 0.25

  private var slots: [[ConnectionID]]
  /// The number of the first slot that may not have been taken, counted from time 0.
  private var next: Int?
  private(set) var count = 0

  /// Creates a wheel for checks at most a number of seconds ahead.
  init(seconds: Double) {
    let steps = Int((min(max(seconds, 0), 86_400) / Self.step).rounded(.up))
    slots = Array(repeating: [], count: steps + 2)
  }

  /// The time of the next check; nil without one.
  ///
  /// The cost is proportional to the number of empty slots before it.
  var nextTime: Double? {
    guard count > 0, let next else { return nil }
    let number = (next..<next + slots.count).first { !slots[$0 % slots.count].isEmpty }
    return number.map { Double($0) * Self.step }
  }

  /// Schedules a check of a connection at a time after `now`, both in seconds.
  ///
  /// The check is early if the time is further ahead than the wheel reaches, or if checks that are
  /// due have not been taken.
  mutating func add(_ connection: ConnectionID, at time: Double, now: Double) {
    let first = Self.number(of: now) + 1
    if count == 0 { next = first }
    // Slots before the first one are reused, so none of those that are empty may seem to be due.
    while let unused = next, unused < first, slots[unused % slots.count].isEmpty {
      next = unused + 1
    }
    let last = first + slots.count - 2
    let number = min(max(Self.number(of: time) + 1, first), last)
    slots[number % slots.count].append(connection)
    count += 1
  }

  /// Removes and returns the connections whose check is due.
  mutating func due(at now: Double) -> [ConnectionID] {
    let current = Self.number(of: now)
    guard count > 0, let first = next, first <= current else { return [] }
    var due: [ConnectionID] = []
    for number in first...min(current, first + slots.count - 1) {
      due += slots[number % slots.count]
      slots[number % slots.count] = []
    }
    next = current + 1
    count -= due.count
    return due
  }

  /// The number of the slot of a time.
  private static func number(of time: Double) -> Int { Int(max(0, min(time, 1e12)) / step) }
}

/// Counts the wrong keys of each address and bans an address that sends too many.
package struct RateLimiter: Equatable, Sendable {
  /// How long wrong keys are remembered, and how long an address is banned, in seconds.
  package static let seconds = 60.0
  /// The maximum number of addresses that are remembered.
  private static let addressesMax = 10_000

  private struct Count: Equatable, Sendable {
    var wrong = 0
    var since: Double
  }

  private let attempts: Int
  private var counts: [String: Count] = [:]

  /// Creates a limiter that bans an address with its given number of wrong keys in ``seconds``.
  package init(attempts: Int) { self.attempts = attempts }

  /// Whether an address is banned at a time in seconds.
  package func isBanned(_ address: String, at now: Double) -> Bool {
    current(address, now).map { $0.wrong >= attempts } ?? false
  }

  /// Counts a wrong key of an address at a time in seconds.
  package mutating func note(_ address: String, at now: Double) {
    if counts.count >= Self.addressesMax {
      counts = counts.filter { now < $0.value.since + Self.seconds }
      // An attacker with this many addresses has more of them; nobody else is banned because of it.
      if counts.count >= Self.addressesMax { counts.removeAll() }
    }
    var count = current(address, now) ?? Count(since: now)
    count.wrong += 1
    // The ban is measured from the latest wrong key, not from the first.
    if count.wrong >= attempts { count.since = now }
    counts[address] = count
  }

  private func current(_ address: String, _ now: Double) -> Count? {
    counts[address].flatMap { now < $0.since + Self.seconds ? $0 : nil }
  }
}

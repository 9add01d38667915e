/// Counts the wrong keys that each address shows, and bans an address that shows too many.
///
/// A page whose key was changed asks several times before it notices, so a few are free.
struct RateLimiter: Sendable {
  /// The number of wrong keys that an address may show within ``seconds``.
  static let max = 20
  /// How long wrong keys are remembered, and how long an address is banned, in seconds.
  static let seconds = 60.0
  /// The number of addresses that are remembered.
  private static let addressesMax = 10_000

  private struct Count {
    var wrong = 0
    var since: Double
  }

  private var counts: [String: Count] = [:]

  /// Whether an address is banned at a time in seconds.
  func isBanned(_ address: String, at now: Double) -> Bool {
    current(address, now).map { $0.wrong > Self.max } ?? false
  }

  /// Counts a wrong key of an address at a time in seconds.
  mutating func note(_ address: String, at now: Double) {
    if counts.count >= Self.addressesMax {
      counts = counts.filter { now < $0.value.since + Self.seconds }
      // A guesser with so many addresses has more; nobody else is banned for it.
      if counts.count >= Self.addressesMax { counts.removeAll() }
    }
    var count = current(address, now) ?? Count(since: now)
    count.wrong += 1
    // The ban lasts from this wrong key on, and not from the first.
    if count.wrong > Self.max { count.since = now }
    counts[address] = count
  }

  private func current(_ address: String, _ now: Double) -> Count? {
    counts[address].flatMap { now < $0.since + Self.seconds ? $0 : nil }
  }
}

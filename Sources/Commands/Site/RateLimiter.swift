/// Counts the wrong keys of each address and bans an address that sends too many.
///
/// A page whose key was changed sends several requests before it notices, so a few are free.
struct RateLimiter: Sendable {
  /// The number of wrong keys that an address may send within ``seconds``.
  static let max = 20
  /// How long wrong keys are remembered, and how long an address is banned, in seconds.
  static let seconds = 60.0
  /// The maximum number of addresses that are remembered.
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
      // An attacker with this many addresses has more of them; nobody else is banned because of it.
      if counts.count >= Self.addressesMax { counts.removeAll() }
    }
    var count = current(address, now) ?? Count(since: now)
    count.wrong += 1
    // The ban is measured from the latest wrong key, not from the first.
    if count.wrong > Self.max { count.since = now }
    counts[address] = count
  }

  private func current(_ address: String, _ now: Double) -> Count? {
    counts[address].flatMap { now < $0.since + Self.seconds ? $0 : nil }
  }
}

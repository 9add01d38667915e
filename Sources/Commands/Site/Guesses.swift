/// How often somebody showed a key that opens nothing; whoever goes on is not heard for a while.
///
/// A page whose key was changed asks several times before it notices, so a few are free.
struct Guesses: Sendable {
  /// How many wrong keys an address may show in ``seconds``.
  static let free = 20
  /// How long wrong keys are remembered, and whoever showed too many is not heard.
  static let seconds = 60.0
  /// How many addresses are remembered; whoever has more finds others easily anyway.
  static let addressesMax = 10_000

  private struct Guesser {
    var since: Double
    var count = 0
    var isShutOut: Bool { count > Guesses.free }
  }

  private var guessers: [String: Guesser] = [:]

  /// Notes that an address showed a wrong key, at a time in seconds.
  mutating func note(_ address: String, at now: Double) {
    if guessers.count >= Self.addressesMax {
      guessers = guessers.filter { now < $0.value.since + Self.seconds }
      if guessers.count >= Self.addressesMax { guessers.removeAll() }
    }
    var guesser = current(address, now) ?? Guesser(since: now)
    guesser.count += 1
    // Shut out from this moment, and not from the first guess.
    if guesser.isShutOut { guesser.since = now }
    guessers[address] = guesser
  }

  /// Whether an address is not heard at a time.
  func shutsOut(_ address: String, at now: Double) -> Bool {
    current(address, now)?.isShutOut ?? false
  }

  private func current(_ address: String, _ now: Double) -> Guesser? {
    guessers[address].flatMap { now < $0.since + Self.seconds ? $0 : nil }
  }
}

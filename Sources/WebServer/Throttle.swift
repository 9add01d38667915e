/// How often something may happen: a store that fills at a rate and is taken from.
struct Throttle {
  private let rate: ServerOptions.Rate
  private var store: Double
  private var since: Double

  init(_ rate: ServerOptions.Rate, now: Double) {
    self.rate = rate
    store = rate.burst
    since = now
  }

  /// Takes an amount; false when there is not enough, and then nothing is taken.
  mutating func take(_ amount: Double, at now: Double) -> Bool {
    store = min(rate.burst, store + max(0, now - since) * rate.perSecond)
    since = now
    guard store >= amount else { return false }
    store -= amount
    return true
  }

  /// Whether nothing was taken for so long that it is as good as new.
  func isFull(at now: Double) -> Bool { store + (now - since) * rate.perSecond >= rate.burst }
}

/// A token bucket: it fills at a constant rate, and each action takes tokens from it.
struct Throttle {
  private let rate: ServerOptions.Rate
  private var store: Double
  private var since: Double

  init(_ rate: ServerOptions.Rate, now: Double) {
    self.rate = rate
    store = rate.burst
    since = now
  }

  /// Takes an amount; if there is not enough, takes nothing and returns false.
  mutating func take(_ amount: Double, at now: Double) -> Bool {
    store = min(rate.burst, store + max(0, now - since) * rate.perSecond)
    since = now
    guard store >= amount else { return false }
    store -= amount
    return true
  }

  /// Whether the bucket is full again.
  func isFull(at now: Double) -> Bool { store + (now - since) * rate.perSecond >= rate.burst }
}

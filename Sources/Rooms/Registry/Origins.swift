internal import Rates

/// The number of rooms that each address has opened and shares.
///
/// The limits are sufficient for a class behind one address, but keep one address from filling the
/// server.
struct Origins: Sendable {
  /// The maximum number of rooms open for one address; beyond it, each new one replaces an empty
  /// one.
  static let roomsMax = 256
  /// The maximum number of rooms shared from one address.
  static let sharedMax = 64
  /// The limits on new rooms: the number per second, and the number at once.
  static let rate = 0.5
  static let burst = 120.0
  /// How many addresses are remembered.
  static let max = 10_000

  private struct Origin: Sendable {
    var rooms = 0
    var shared = 0
    var bucket = TokenBucket(rate: Origins.rate, burst: Origins.burst)
    var last = 0.0
  }

  private var all: [String: Origin] = [:]

  func roomCount(of address: String) -> Int { all[address]?.rooms ?? 0 }
  func sharedCount(of address: String) -> Int { all[address]?.shared ?? 0 }

  /// Returns whether another room may be created for an address, and takes it from its allowance.
  mutating func mayMake(_ address: String, at now: Double) -> Bool {
    if all[address] == nil, all.count >= Self.max {
      // An address without rooms that has been away for the time to fill the bucket is like a new
      // one.
      let full = Self.burst / Self.rate
      all = all.filter { $0.value.rooms > 0 || $0.value.shared > 0 || $0.value.last + full > now }
      guard all.count < 2 * Self.max else { return false }
    }
    all[address, default: Origin()].last = now
    return all[address, default: Origin()].bucket.take(at: now)
  }

  mutating func opened(_ address: String) { all[address, default: Origin()].rooms += 1 }

  mutating func closed(_ address: String) {
    if let rooms = all[address]?.rooms { all[address]?.rooms = Swift.max(0, rooms - 1) }
  }

  mutating func shared(_ address: String, _ isShared: Bool) {
    let count = sharedCount(of: address) + (isShared ? 1 : -1)
    all[address, default: Origin()].shared = Swift.max(0, count)
  }
}

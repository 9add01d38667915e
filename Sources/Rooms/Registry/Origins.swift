internal import Fabric

/// How many rooms each address has opened and shares.
///
/// A class behind one address has room enough; whoever wants to fill the house from one does not.
struct Origins: Sendable {
  /// The most rooms that are kept open for one address; after that one of its own goes for each.
  static let roomsMax = 256
  /// The most rooms that are shared from one address.
  static let sharedMax = 64
  /// New rooms: so many a second, and so many at once.
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

  /// Whether another room may be made for an address; takes of what it may make.
  mutating func mayMake(_ address: String, at now: Double) -> Bool {
    if all[address] == nil, all.count >= Self.max {
      // Who has no room open and was not here for as long as it takes to fill the bucket is as new.
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

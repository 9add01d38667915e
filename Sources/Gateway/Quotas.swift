internal import Rates
internal import Wire

/// What a member may still send, and which of its messages are held for later.
struct Quotas: Sendable {
  /// The most messages over the quotas that are tolerated: a rate a second and a burst.
  static let excess = TokenBucket(rate: 500, burst: 5000)

  /// What is left of the quotas of the kinds that the member has sent; the others are full.
  private var allowances: [Allowance] = []
  private var excess = Self.excess
  private var reports = TokenBucket(rate: 1, burst: 3)
  /// The last message over the quota of each kind, to be forwarded once the quota allows it.
  private(set) var held: [Quota: ClientPacket] = [:]
  /// Whether the connection is being closed, so that every further message is dropped.
  private(set) var isOver = false

  /// When a held message may be forwarded; nil if none is held.
  private(set) var wakeTime: Double?

  private struct Allowance: Sendable {
    let quota: Quota
    var bucket: TokenBucket
  }

  /// The outcome for a message.
  enum Verdict: Equatable {
    /// The message is forwarded.
    case accepted
    /// The message is dropped, or forwarded later.
    case dropped
    /// The message is dropped, and the sender is informed.
    case reported
    /// The message exceeds the excess limit, and the connection is closed.
    case exceeded
  }

  /// Decides about a received message.
  mutating func judge(_ packet: ClientPacket, at now: Double) -> Verdict {
    guard !isOver else { return .dropped }
    let quota = packet.message.kind.quota
    if spend(quota, at: now) {
      // This message supersedes the held one.
      if !held.isEmpty, held.removeValue(forKey: quota) != nil { noteWake() }
      return .accepted
    }
    guard excess.take(at: now) else {
      isOver = true
      held = [:]
      wakeTime = nil
      return .exceeded
    }
    switch quota.limit.excess {
    case .dropped: return .dropped
    case .reported: return reports.take(at: now) ? .reported : .dropped
    case .held:
      held[quota] = packet
      noteWake()
      return .dropped
    }
  }

  /// Removes and returns the held messages that may be forwarded by now.
  mutating func due(at now: Double) -> [ClientPacket] {
    guard let wakeTime, wakeTime <= now else { return [] }
    var due: [ClientPacket] = []
    for quota in Quota.allCases {
      guard let packet = held[quota], spend(quota, at: now) else { continue }
      held[quota] = nil
      due.append(packet)
    }
    noteWake()
    return due
  }

  private mutating func noteWake() {
    wakeTime = nil
    for allowance in allowances where held[allowance.quota] != nil {
      wakeTime = min(wakeTime ?? .infinity, allowance.bucket.nextTime)
    }
  }

  /// Takes one message from a quota, and returns whether it allowed that.
  private mutating func spend(_ quota: Quota, at now: Double) -> Bool {
    if let place = allowances.firstIndex(where: { $0.quota == quota }) {
      return allowances[place].bucket.take(at: now)
    }
    let limit = quota.limit
    var bucket = TokenBucket(rate: limit.rate, burst: limit.burst)
    defer { allowances.append(Allowance(quota: quota, bucket: bucket)) }
    return bucket.take(at: now)
  }
}

internal import Fabric
internal import Wire

/// The kinds of messages, each with its own rate limit for every member.
enum Quota: UInt8, CaseIterable, Sendable {
  /// Pointer, wheel and zoom input.
  case inputs
  /// Keys and other orders to the stage.
  case commands
  /// The position at which the member points.
  case pointers
  /// The size of the member's window.
  case viewports
  /// Whether the page is visible; each change to visible costs a snapshot with all elements.
  case visibilities
  /// Starting and ending a member's wandering; each costs a stage and a snapshot.
  case wanderings
  /// The host's decisions about the room.
  case settings
  /// Pausing and seeking in a recording.
  case playbackOrders
  /// Requests for the server's time.
  case clockProbes
  /// Reports of how frames arrived.
  case acks
  /// Reports of which images are decoded.
  case images
  /// Names, raised hands, removals, rights, and the passing of the book.
  case conversation
  /// Orders that create secrets or files or that affect the whole room: links, recordings, another
  /// book for all, the end of a session.
  case administration

  init(of message: ClientMessage) {
    switch message {
    case .hello, .persona, .raise, .lowerHand, .handover, .showOut, .grant: self = .conversation
    case .pointers, .wheel, .zoom: self = .inputs
    case .key, .fit, .zoomStep, .lay, .jump, .go, .arrange: self = .commands
    case .point: self = .pointers
    case .viewport: self = .viewports
    case .visibility: self = .visibilities
    case .wander: self = .wanderings
    case .settings: self = .settings
    case .play: self = .playbackOrders
    case .clock: self = .clockProbes
    case .ack: self = .acks
    case .ready: self = .images
    case .share, .renewLinks, .endReading, .bring, .record, .open: self = .administration
    }
  }

  /// The rate a second and the burst.
  var bucket: TokenBucket {
    switch self {
    case .inputs: TokenBucket(rate: 400, burst: 800)
    case .commands, .viewports: TokenBucket(rate: 60, burst: 120)
    case .pointers: TokenBucket(rate: 60, burst: 60)
    case .visibilities, .wanderings, .settings: TokenBucket(rate: 4, burst: 10)
    case .playbackOrders, .acks: TokenBucket(rate: 10, burst: 20)
    case .clockProbes: TokenBucket(rate: 50, burst: 200)
    case .images: TokenBucket(rate: 60, burst: 240)
    case .conversation: TokenBucket(rate: 10, burst: 30)
    case .administration: TokenBucket(rate: 2, burst: 10)
    }
  }

  /// Whether the last message over the quota is forwarded once the quota allows it.
  ///
  /// This suits messages that describe a final state rather than a step on the way.
  var keepsLast: Bool {
    switch self {
    case .viewports, .visibilities, .wanderings, .settings, .playbackOrders: true
    default: false
    }
  }

  /// Whether the gateway informs the sender that a message was dropped.
  var reportsDrops: Bool { self == .conversation || self == .administration }
}

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
  mutating func take(_ packet: ClientPacket, at now: Double) -> Verdict {
    guard !isOver else { return .dropped }
    let quota = Quota(of: packet.message)
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
    if quota.keepsLast {
      held[quota] = packet
      noteWake()
    }
    return quota.reportsDrops && reports.take(at: now) ? .reported : .dropped
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
    var bucket = quota.bucket
    defer { allowances.append(Allowance(quota: quota, bucket: bucket)) }
    return bucket.take(at: now)
  }
}

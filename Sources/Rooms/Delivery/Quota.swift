internal import Wire

/// The kinds of messages that a member may send so often and no more.
enum Quota: Int, CaseIterable, Sendable {
  /// What fingers and wheels do.
  case inputs
  /// Keys and other orders to the stage.
  case orders
  /// Where the member points.
  case lights
  /// The size of its window.
  case windows
  /// Whether the page is seen; each time that it is costs a snapshot with all elements.
  case looks
  /// Leafing on alone, and coming back; each costs a stage and a snapshot.
  case wanderings
  /// What a host decides about the room.
  case settings
  /// Pausing and winding a recording.
  case windings
  /// Questions for the time.
  case probes
  /// How frames came.
  case acks
  /// Which images are decoded.
  case images
  /// Names, hands and the passing of the book.
  case words
  /// Links, recordings, other books for all, the end of a reading: what makes secrets and files.
  case affairs

  init(of message: ClientMessage) {
    switch message {
    case .hello, .persona, .raise, .lowerHand, .handover, .showOut, .grant: self = .words
    case .pointers, .wheel, .zoom: self = .inputs
    case .key, .zoomStep, .lay, .jump, .go, .arrange: self = .orders
    case .point: self = .lights
    case .viewport: self = .windows
    case .visibility: self = .looks
    case .wander: self = .wanderings
    case .settings: self = .settings
    case .play: self = .windings
    case .clock: self = .probes
    case .ack: self = .acks
    case .ready: self = .images
    case .share, .renewLinks, .endReading, .bring, .record, .open: self = .affairs
    }
  }

  /// How many a second, and how many at once.
  var bucket: TokenBucket {
    switch self {
    case .inputs: TokenBucket(rate: 400, burst: 800)
    case .orders, .windows: TokenBucket(rate: 60, burst: 120)
    case .lights: TokenBucket(rate: 60, burst: 60)
    case .looks, .wanderings, .settings: TokenBucket(rate: 4, burst: 10)
    case .windings, .acks: TokenBucket(rate: 10, burst: 20)
    case .probes: TokenBucket(rate: 50, burst: 200)
    case .images: TokenBucket(rate: 60, burst: 240)
    case .words: TokenBucket(rate: 10, burst: 30)
    case .affairs: TokenBucket(rate: 2, burst: 10)
    }
  }

  /// Whether the last of those that came too often is heard when it may be: how something is to be
  /// in the end, and not what was done on the way.
  var keepsLast: Bool {
    switch self {
    case .windows, .looks, .wanderings, .settings, .windings: true
    default: false
    }
  }

  /// Whether its sender is told of what was not heard.
  var complains: Bool { self == .words || self == .affairs }
}

/// What a member may still send, and what of it waits.
struct Quotas: Sendable {
  /// The most messages beyond the others that are put up with: at once, and a second.
  static let excess = TokenBucket(rate: 500, burst: 5000)

  private var allowances = Quota.allCases.map(\.bucket)
  private var excess = Self.excess
  private var complaints = TokenBucket(rate: 1, burst: 3)
  /// The last of each kind that came too often, for when it may be heard.
  private(set) var held: [Quota: ClientPacket] = [:]
  /// Its sender is being closed: nothing is heard any more.
  private(set) var isOver = false

  /// When something that is held may be heard; nil if nothing is.
  private(set) var wakeTime: Double?

  /// What becomes of a message.
  enum Verdict: Equatable {
    /// It is heard.
    case heard
    /// It is not heard, or later.
    case dropped
    /// It is not heard, and its sender is to know.
    case complained
    /// It is one too many, and the sender is closed.
    case over
  }

  /// Decides about a message that came.
  mutating func take(_ packet: ClientPacket, at now: Double) -> Verdict {
    guard !isOver else { return .dropped }
    let quota = Quota(of: packet.message)
    if allowances[quota.rawValue].take(at: now) {
      // What came before it, and is held, is no longer wanted.
      if held.removeValue(forKey: quota) != nil { noteWake() }
      return .heard
    }
    guard excess.take(at: now) else {
      isOver = true
      held = [:]
      wakeTime = nil
      return .over
    }
    if quota.keepsLast {
      held[quota] = packet
      noteWake()
    }
    return quota.complains && complaints.take(at: now) ? .complained : .dropped
  }

  /// Takes what was held and may be heard by now.
  mutating func due(at now: Double) -> [ClientPacket] {
    guard let wakeTime, wakeTime <= now else { return [] }
    var due: [ClientPacket] = []
    for quota in Quota.allCases {
      guard let packet = held[quota], allowances[quota.rawValue].take(at: now) else { continue }
      held[quota] = nil
      due.append(packet)
    }
    noteWake()
    return due
  }

  /// Forgets what its lost connection said.
  mutating func forget() {
    (held, wakeTime, isOver) = ([:], nil, false)
  }

  private mutating func noteWake() {
    wakeTime = held.keys.map { allowances[$0.rawValue].nextTime }.min()
  }
}

internal import Rates

/// Decides for one node which rooms it owns, by leases that all nodes share.
///
/// A room is computed by exactly one node, its *owner*. A node becomes the owner with a
/// compare-and-set of the room's record in ``Bucket/leases``. The revision of that write is the
/// *epoch* of the ownership, and whatever an owner sends carries it: a receiver ignores an epoch
/// that is less than one that it has seen.
///
/// ```swift
/// var leases = RoomLeases(node: bus.node, address: "10.0.0.1:8080", seed: seed, at: now)
/// perform(leases.want("amber-heron-48217", at: now))
/// ```
/// The caller performs the effects, passes on the answers, heartbeats and messages, and calls
/// ``wake(at:)`` at ``wakeTime``. All times are in seconds of the same monotonic clock, which must
/// also advance while the machine is suspended.
///
/// | time | in seconds |
/// | --- | --- |
/// | a heartbeat is sent every | 0.5 |
/// | a silent node is suspected after | 1.5 |
/// | the room of a suspected node is taken after another | 0 to 0.2 |
/// | a lease is renewed every | 3 |
/// | an owner that cannot renew its lease stops acting after | 12 |
///
/// Every operation takes logarithmic time in the number of rooms, except when a node disappears.
package struct RoomLeases: Sendable {
  /// The time between two heartbeats, in seconds.
  package static let heartbeatSeconds = 0.5
  /// The time between two renewals of a lease, in seconds.
  package static let renewalSeconds = 3.0
  /// An owner that could not renew its lease for this long stops acting, in seconds.
  package static let fenceSeconds = 12.0
  /// The time after which a node that sent no heartbeat must confirm its leases, in seconds; the
  /// others suspect it from then on.
  package static let pauseSeconds = NodeTable.suspicionSeconds
  /// The time after which an owner of which nothing is known to be wrong is looked up again, in
  /// seconds.
  static let reviewSeconds = 15.0
  /// The time after which a lease is read again that is older than an epoch that was mentioned, in
  /// seconds.
  static let mentionSeconds = 0.05
  /// The time after which a request without an answer counts as failed, in seconds.
  static let answerSeconds = 5.0
  /// The time for which a release is tried, in seconds.
  static let releaseSeconds = 3.0
  /// The maximum random time before the room of a silent node is taken, in seconds.
  static let contentionSeconds = 0.2
  /// Greater epochs are ignored, because they cannot be genuine.
  static let epochMax = UInt64.max - (1 << 40)

  /// This node.
  package let node: NodeID
  /// Where this node can be reached, for people and tools.
  package let address: String
  /// How busy this node is, in thousandths of its capacity; the next heartbeat tells it.
  package var load: UInt16 = 0

  let roomsMax: Int
  var state = Heartbeat.State.serving
  var leases: [String: Lease] = [:]
  var requests: [UInt64: String] = [:]
  var nodes = NodeTable()
  /// When to act on a room next, or to give up waiting for an answer.
  var queue = WakeTimes<String>()
  var lastRequest: UInt64 = 0
  var heartbeatAt: Double
  var isConnected = true
  var random: UInt64
  /// The number of rooms that this node owns, frozen ones included.
  package internal(set) var ownedCount = 0

  /// Creates the leases of a node that owns no room yet.
  /// - Parameters:
  ///   - node: This node.
  ///   - address: Where this node can be reached, for people and tools.
  ///   - seed: A random number, which no two nodes should share.
  ///   - now: The time.
  ///   - roomsMax: The maximum number of rooms; ``want(_:at:)`` ignores further ones.
  package init(node: NodeID, address: String, seed: UInt64, at now: Double, roomsMax: Int = 65_536)
  {
    (self.node, self.address, self.roomsMax) = (node, address, roomsMax)
    random = seed
    heartbeatAt = now
  }

  /// The time of the next call of ``wake(at:)``.
  package var wakeTime: Double {
    let suspicion = isConnected ? nodes.nextSuspicion : .infinity
    return min(heartbeatAt + Self.heartbeatSeconds, queue.soonest ?? .infinity, suspicion)
  }

  /// The latest heartbeats of the other nodes that are present.
  package var others: [NodeID: Heartbeat] { nodes.present }

  /// Returns who owns the rooms that this node owns or wants, as far as that is known.
  /// - Parameter count: The maximum number of rooms.
  /// - Returns: The owners, ordered by the rooms' names.
  /// - Complexity: O(rooms) in the worst case.
  package func owners(atMost count: Int) -> [(room: String, node: NodeID, epoch: UInt64)] {
    var owners: [(room: String, node: NodeID, epoch: UInt64)] = []
    for (room, lease) in leases where owners.count < count {
      switch lease.standing {
      case .unknown: continue
      case .elsewhere(let owner): owners.append((room, owner.node, owner.epoch))
      case .owned(let epoch): owners.append((room, node, epoch))
      }
    }
    return owners.sorted { $0.room < $1.room }
  }

  /// Returns whether this node may act as the owner of a room at this instant, and the epoch.
  ///
  /// The answer does not depend on ``wake(at:)`` being called in time, so that a process that was
  /// paused may ask before anything else.
  package func epoch(of room: String, at now: Double) -> UInt64? {
    guard let lease = leases[room], case .owned(let epoch) = lease.standing, lease.frozenAt == nil,
      lease.release == nil, now <= lease.renewedAt + Self.fenceSeconds,
      now <= heartbeatAt + Self.pauseSeconds
    else { return nil }
    return epoch
  }

  /// Whether this node neither owns a room nor is about to, so that nobody needs to wait for it.
  ///
  /// A node that was paused, or that does not know the outcome of a write, denies nothing.
  package func denies(_ room: String, at now: Double) -> Bool {
    guard now <= heartbeatAt + Self.pauseSeconds else { return false }
    guard let lease = leases[room] else { return true }
    return !lease.isOwned && !lease.isWanted && !lease.isUncertain && lease.request == nil
  }

  /// Wants a room, because a member of it is connected to this node.
  ///
  /// ``LeaseEffect/owned(_:epoch:)`` or ``LeaseEffect/owner(_:_:)`` follows, and again whenever the
  /// owner or the epoch changes, until the room is forgotten.
  package mutating func want(_ room: String, at now: Double) -> [LeaseEffect] {
    var effects = resumed(at: now)
    if leases[room] == nil {
      guard leases.count < roomsMax else { return effects }
      leases[room] = Lease()
      schedule(room, at: now)
    }
    leases[room]?.isWanted = true
    effects += act(at: now)
    return effects
  }

  /// Forgets a room, because no member of it is connected to this node any more.
  ///
  /// A room that this node owns remains its own until it is released.
  package mutating func forget(_ room: String, at now: Double) -> [LeaseEffect] {
    let effects = resumed(at: now)
    leases[room]?.isWanted = false
    dropIfUnneeded(room)
    return effects
  }

  /// Gives up a room that this node owns.
  ///
  /// The caller has stopped acting as its owner.
  /// - Parameters:
  ///   - room: The room.
  ///   - successor: The next owner, who then has to want the room; nil if nobody owns it next.
  ///     Without a successor the room is forgotten, too.
  ///   - now: The time.
  /// - Returns: What to do.
  package mutating func release(
    _ room: String,
    to successor: NodeID?,
    at now: Double
  ) -> [LeaseEffect] {
    var effects = resumed(at: now)
    guard let lease = leases[room], lease.isOwned, lease.release == nil else { return effects }
    leases[room]?.release = Lease.Release(
      successor: successor,
      deadline: now + Self.releaseSeconds
    )
    if successor == nil { leases[room]?.isWanted = false }
    if lease.request == nil { schedule(room, at: now) }
    effects += act(at: now)
    return effects
  }

  /// Looks up the owner of a room again.
  /// - Parameters:
  ///   - room: The room.
  ///   - other: A node that is named as the owner, but denies that it is or is about to be. If the
  ///     lease still names it, then this node takes the room.
  ///   - now: The time.
  /// - Returns: What to do.
  package mutating func review(
    _ room: String,
    deniedBy other: NodeID? = nil,
    at now: Double
  ) -> [LeaseEffect] {
    var effects = resumed(at: now)
    guard let lease = leases[room] else { return effects }
    if case .elsewhere(let owner) = lease.standing, owner.node == other {
      leases[room]?.deniedEpoch = owner.epoch
    }
    leases[room]?.mustRead = true
    if lease.request == nil { schedule(room, at: now) }
    effects += act(at: now)
    return effects
  }

  /// Notes that another node mentioned an epoch of a room.
  ///
  /// If it is greater than the one that is known here, then the lease is read again.
  package mutating func newerEpoch(
    _ room: String,
    _ epoch: UInt64,
    at now: Double
  ) -> [LeaseEffect] {
    guard let lease = leases[room], epoch > lease.seenEpoch, epoch <= Self.epochMax
    else { return resumed(at: now) }
    switch lease.standing {
    case .owned(let known) where epoch <= known: return resumed(at: now)
    case .elsewhere(let owner) where epoch <= owner.epoch: return resumed(at: now)
    default:
      leases[room]?.seenEpoch = epoch
      return review(room, at: now)
    }
  }

  /// Notes a heartbeat of another node.
  package mutating func heard(
    _ heartbeat: Heartbeat,
    from other: NodeID,
    at now: Double
  ) -> [LeaseEffect] {
    var effects = resumed(at: now)
    guard other != node else { return effects }
    let hadEnded = nodes.hasEnded(other)
    nodes.note(other, heartbeat, at: now)
    if heartbeat.state == .ended, !hadEnded {
      for room in rooms(of: other) { schedule(room, at: now) }
      effects += act(at: now)
    }
    return effects
  }

  /// Notes any other message of a node, which shows that it is there.
  package mutating func heard(from other: NodeID, at now: Double) {
    if other != node { nodes.note(other, nil, at: now) }
  }

  /// Notes that the bus was connected or disconnected.
  ///
  /// A node that is not connected suspects nobody.
  package mutating func setConnected(_ isConnected: Bool, at now: Double) -> [LeaseEffect] {
    self.isConnected = isConnected
    nodes.excuseAll(at: now)
    return wake(at: now)
  }

  /// Tells all nodes that this one takes no more rooms, or that it has ended.
  ///
  /// A node releases its rooms before it ends. What is left is taken by others at once.
  package mutating func announce(_ state: Heartbeat.State, at now: Double) -> [LeaseEffect] {
    self.state = state
    return resumed(at: now) + [heartbeat(at: now)]
  }

  /// Sends a heartbeat, renews leases and looks for silent nodes, where it is time to.
  package mutating func wake(at now: Double) -> [LeaseEffect] {
    var effects = resumed(at: now)
    if now >= heartbeatAt + Self.heartbeatSeconds { effects.append(heartbeat(at: now)) }
    if isConnected {
      for other in nodes.suspect(at: now) {
        for room in rooms(of: other) {
          leases[room]?.silentOwner = other
          schedule(room, at: now + contention())
        }
      }
    }
    effects += act(at: now)
    return effects
  }
}

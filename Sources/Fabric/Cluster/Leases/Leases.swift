internal import Rates

/// Decides for one node which rooms it owns, by leases that all nodes share.
///
/// A room is computed by exactly one node, its *owner*. A node becomes the owner with a
/// compare-and-set of the room's record in ``Bucket/leases``. The revision of that write is the
/// *epoch* of the ownership, and whatever an owner sends carries it: a receiver ignores an epoch
/// that is less than one that it has seen.
///
/// ```swift
/// var leases = Leases(node: bus.node, address: "10.0.0.1:8080", seed: seed, at: now)
/// for effect in leases.handle(.want("amber-heron-48217"), at: now) { carryOut(effect) }
/// ```
/// The caller carries out the effects, passes on what happens, and ``LeaseEvent/wake`` at
/// ``wakeTime``. All times are in seconds of the same monotonic clock, which must also advance
/// while the machine is suspended.
///
/// | time | in seconds |
/// | --- | --- |
/// | a heartbeat is sent every | 0.5 |
/// | a silent node is suspected after | 1.5 |
/// | the room of a suspected node is taken after another | 0 to 0.2 |
/// | a lease is renewed every | 3 |
/// | an owner that cannot renew its lease stops acting after | 12 |
///
/// Every event takes logarithmic time in the number of rooms, except when a node disappears.
package struct Leases: Sendable {
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
  /// The time after which a lease is read again for a claim that is about to be written, in
  /// seconds.
  static let mentionSeconds = 0.05
  /// The time after which a request without an answer counts as failed, in seconds.
  static let answerSeconds = 5.0
  /// The maximum random time before the room of a silent node is taken, in seconds.
  static let contentionSeconds = 0.2
  /// Greater epochs are ignored, because they cannot be genuine.
  static let epochMax = UInt64.max - (1 << 40)

  /// Where this node can be reached, for people and tools.
  private let address: String
  private let roomsMax: Int
  private var surroundings: Lease.Surroundings
  private(set) var leases: [String: Lease] = [:]
  private var wakeTimes = WakeTimes<String>()
  private var lastRequest: UInt64 = 0
  private var heartbeatAt: Double
  /// The number of rooms that this node owns, frozen ones included.
  package private(set) var ownedCount = 0

  /// Creates the leases of a node that owns no room yet.
  /// - Parameters:
  ///   - node: This node.
  ///   - address: Where this node can be reached, for people and tools.
  ///   - seed: A random number, which no two nodes should share.
  ///   - now: The time.
  ///   - roomsMax: The maximum number of rooms; further ones that are wanted are ignored.
  package init(node: NodeID, address: String, seed: UInt64, at now: Double, roomsMax: Int = 65_536)
  {
    (self.address, self.roomsMax) = (address, roomsMax)
    surroundings = Lease.Surroundings(node: node, seed: seed)
    heartbeatAt = now
  }

  // MARK: What is known

  /// The time of the next ``LeaseEvent/wake``.
  package var wakeTime: Double {
    min(
      heartbeatAt + Self.heartbeatSeconds,
      min(wakeTimes.soonest ?? .infinity, surroundings.nodes.wakeTime)
    )
  }

  /// The number of other nodes that are present.
  package var othersCount: Int { surroundings.nodes.presentCount }

  /// The other nodes that are present, in ascending order.
  package var others: [NodeID] { surroundings.nodes.present }

  /// Returns the other node that owns a room; nil if this node owns it, or does not know the owner.
  package func owner(of room: String) -> LeaseOwner? {
    if case .elsewhere(let owner)? = leases[room]?.phase { owner } else { nil }
  }

  /// Returns who owns the rooms that this node owns or wants, as far as that is known.
  /// - Parameter count: The maximum number of rooms.
  /// - Returns: The owners, ordered by the rooms' names.
  /// - Complexity: O(rooms) in the worst case.
  package func owners(atMost count: Int) -> [(room: String, node: NodeID, epoch: UInt64)] {
    var owners: [(room: String, node: NodeID, epoch: UInt64)] = []
    for (room, lease) in leases where owners.count < count {
      switch lease.phase {
      case .unknown: continue
      case .elsewhere(let owner): owners.append((room, owner.node, owner.epoch))
      case .owned(let epoch): owners.append((room, surroundings.node, epoch))
      }
    }
    return owners.sorted { $0.room < $1.room }
  }

  /// Returns whether this node may act as the owner of a room at this instant, and the epoch.
  ///
  /// The answer does not depend on ``LeaseEvent/wake`` coming in time, so that a process that was
  /// paused may ask before anything else.
  package func epoch(of room: String, at now: Double) -> UInt64? {
    guard let lease = leases[room], case .owned(let epoch) = lease.phase, lease.frozenAt == nil,
      !lease.isReleasing, now <= lease.renewedAt + Self.fenceSeconds, !isPaused(at: now)
    else { return nil }
    return epoch
  }

  private func isPaused(at now: Double) -> Bool { now > heartbeatAt + Self.pauseSeconds }

  // MARK: Events

  /// Takes an event and returns what follows from it.
  package mutating func handle(_ event: LeaseEvent, at now: Double) -> [LeaseEffect] {
    var effects = isPaused(at: now) ? resumed(at: now) : []
    switch event {
    case .want(let room):
      if leases[room] == nil, leases.count < roomsMax { leases[room] = Lease(at: now) }
      effects += pass(.wanted, to: room, at: now)
    case .forget(let room): effects += pass(.forgotten, to: room, at: now)
    case .release(let room): effects += pass(.released, to: room, at: now)
    case .doubt(let room, let epoch): effects += pass(.doubted(epoch: epoch), to: room, at: now)
    case .answered(let room, let id, let answer):
      guard leases[room]?.request?.id == id else { break }
      effects += pass(.answered(answer), to: room, at: now)
    case .heard(let node, let isEnding):
      guard node != surroundings.node else { break }
      if surroundings.nodes.hear(node, isEnding: isEnding, at: now) {
        effects += gone(node, at: now)
      }
    case .connection(let isConnected):
      surroundings.nodes.setConnected(isConnected, at: now)
      effects += woken(at: now)
    case .ending: effects.append(heartbeat(isEnding: true, at: now))
    case .wake: effects += woken(at: now)
    }
    while let time = wakeTimes.soonest, time <= now {
      for room in wakeTimes.due(at: now) { effects += pass(.due, to: room, at: now) }
    }
    return effects
  }

  /// Passes an event to the lease of a room, if there is one.
  private mutating func pass(
    _ event: Lease.Event,
    to room: String,
    at now: Double
  ) -> [LeaseEffect] {
    guard var lease = leases[room] else { return [] }
    if lease.isOwned { ownedCount -= 1 }
    var effects: [LeaseEffect] = []
    for effect in lease.handle(event, at: now, in: surroundings) {
      if case .request = effect {
        lastRequest += 1
        lease.request?.id = lastRequest
      }
      effects.append(named(effect, room))
    }
    if lease.isOwned { ownedCount += 1 }
    if case .elsewhere(let owner) = lease.phase { surroundings.nodes.mention(owner.node, at: now) }
    leases[room] = lease.isNeeded ? lease : nil
    wakeTimes[room] = lease.isNeeded && lease.due < .infinity ? lease.due : nil
    return effects
  }

  private func named(_ effect: Lease.Effect, _ room: String) -> LeaseEffect {
    switch effect {
    case .request(.read, _): return .read(room, lastRequest)
    case .request(.release, let condition): return .delete(room, lastRequest, after: condition)
    case .request(.acquire(let epoch), let condition), .request(.renew(let epoch), let condition):
      let owner = LeaseOwner(node: surroundings.node, epoch: epoch, address: address)
      return .write(room, lastRequest, owner.bytes, after: condition)
    case .owned(let epoch): return .owned(room, epoch: epoch)
    case .owner(let owner): return .owner(room, owner)
    case .frozen: return .frozen(room)
    case .thawed: return .thawed(room)
    case .lost: return .lost(room)
    case .released: return .released(room)
    }
  }

  // MARK: Nodes

  /// This node was paused for so long that others took it for dead: all rooms that it owns are
  /// frozen, and each is confirmed before it is thawed.
  private mutating func resumed(at now: Double) -> [LeaseEffect] {
    let effects = leases.keys.sorted().flatMap { pass(.paused, to: $0, at: now) }
    // This node could not hear the others in the meantime.
    surroundings.nodes.excuseAll(at: now)
    return effects + [heartbeat(at: now)]
  }

  private mutating func heartbeat(isEnding: Bool = false, at now: Double) -> LeaseEffect {
    heartbeatAt = now
    return .heartbeat(isEnding: isEnding)
  }

  /// Sends a heartbeat and looks for silent nodes, where it is time to.
  private mutating func woken(at now: Double) -> [LeaseEffect] {
    var effects: [LeaseEffect] = []
    if now >= heartbeatAt + Self.heartbeatSeconds { effects.append(heartbeat(at: now)) }
    for node in surroundings.nodes.suspect(at: now) { effects += gone(node, at: now) }
    return effects
  }

  private mutating func gone(_ node: NodeID, at now: Double) -> [LeaseEffect] {
    [.gone(node)] + leases.keys.sorted().flatMap { pass(.gone(node), to: $0, at: now) }
  }
}

/// What one node knows of the lease of one room, and what it wants of it: a state machine.
///
/// ``handle(_:at:in:)`` takes an event and returns what follows from it. A lease knows no clock, no
/// connection and no other room, and asks for one thing at a time.
struct Lease: Equatable, Sendable {
  enum Phase: Equatable, Sendable {
    /// Who owns the room is not known yet, or not any more.
    case unknown
    /// Another node owns the room.
    case elsewhere(LeaseOwner)
    /// This node owns the room.
    case owned(epoch: UInt64)
  }

  enum Action: Equatable, Sendable {
    case read
    /// Makes this node the owner. An epoch of 0 stands for the revision of the write.
    case acquire(epoch: UInt64)
    /// Confirms the ownership, possibly with a new epoch.
    case renew(epoch: UInt64)
    /// Deletes the lease.
    case release
  }

  enum Event: Sendable {
    /// Members of the room are connected to this node.
    case wanted
    /// No member of the room is connected to this node any more.
    case forgotten
    /// This node has stopped acting as the owner.
    case released
    /// This node was paused for so long that others took it for dead.
    case paused
    /// Another node mentioned an epoch of the room; 0 if it only contradicts what is known here.
    case doubted(epoch: UInt64)
    /// Another node is silent or has ended.
    case gone(NodeID)
    /// ``Lease/due`` has come.
    case due
    /// The request is answered.
    case answered(Result<LeaseAnswer, RecordFailure>)
  }

  enum Effect: Equatable, Sendable {
    case request(Action, after: WriteCondition)
    case owned(epoch: UInt64)
    case owner(LeaseOwner)
    case frozen
    case thawed
    case lost
    case released
  }

  /// What a lease must know of its node and of the others.
  struct Surroundings: Sendable {
    let node: NodeID
    let seed: UInt64
    var nodes = NodeTable()
  }

  /// A request that has no answer yet.
  struct Request: Equatable, Sendable {
    let action: Action
    let sentAt: Double
    /// The number by which the answer is recognized.
    var id: UInt64 = 0
    /// Whether the lease was doubted after the request was made, so that the answer may be older.
    var isOutdated = false
  }

  private(set) var phase = Phase.unknown
  /// Whether members of the room are connected to this node.
  private(set) var isWanted = false
  /// Whether this node gives up the room that it owns.
  private(set) var isReleasing = false
  /// When this node had to stop acting as the owner; nil if it may act.
  private(set) var frozenAt: Double?
  /// When the latest write that confirmed the ownership was requested.
  private(set) var renewedAt = -Double.infinity
  /// When the latest write was requested, whatever became of it.
  private var writtenAt = -Double.infinity
  /// The revision of the latest record that is known; 0 for none.
  private var revision: UInt64 = 0
  var request: Request?
  /// When to act next, or to give up waiting for the answer.
  private(set) var due: Double
  /// The number of requests in a row that failed.
  private var failures = 0
  /// Whether an owner must read its lease before it writes again.
  private var isDoubtful = false
  /// The greatest epoch that other nodes have mentioned.
  private var seenEpoch: UInt64 = 0

  /// Creates the lease of a room of which nothing is known.
  init(at now: Double) { due = now }

  var isOwned: Bool { if case .owned = phase { true } else { false } }

  /// Whether anything depends on what is known here.
  var isNeeded: Bool {
    // The answer may make this node the owner of the room, which it must then release.
    if case .acquire = request?.action { return true }
    return isWanted || isOwned
  }

  private var isActing: Bool { isOwned && frozenAt == nil }

  // MARK: Events

  mutating func handle(_ event: Event, at now: Double, in surroundings: Surroundings) -> [Effect] {
    switch event {
    case .wanted: isWanted = true
    case .forgotten: isWanted = false
    case .released:
      guard isOwned, !isReleasing else { break }
      (isReleasing, isWanted) = (true, false)
      look(at: now)
    case .paused: return freeze(at: now)
    case .doubted(let epoch): doubt(epoch, at: now)
    case .gone(let node):
      if case .elsewhere(let owner) = phase, owner.node == node, request == nil {
        due = now + wait(for: owner, surroundings)
      }
    case .due: return act(at: now)
    case .answered(let result):
      guard let request else { break }
      self.request = nil
      switch result {
      case .success(.record(let record)):
        let effects = resolve(record, at: now, surroundings)
        if request.isOutdated {
          isDoubtful = true
          look(at: now)
        }
        return effects
      case .success(.written(let revision)): return written(revision, request, at: now)
      case .success(.deleted): return end(at: now)
      case .failure(let failure): return fail(failure, request, at: now)
      }
    }
    return []
  }

  /// Makes the next request now, unless an answer is outstanding.
  private mutating func look(at now: Double) { if request == nil { due = now } }

  private mutating func freeze(at now: Double) -> [Effect] {
    guard isOwned else { return [] }
    let wasActing = isActing && !isReleasing
    // A room that is frozen already must be confirmed by a write after this instant, too.
    frozenAt = now
    look(at: now)
    return wasActing ? [.frozen] : []
  }

  private mutating func doubt(_ epoch: UInt64, at now: Double) {
    if epoch > 0 {
      guard epoch > seenEpoch, epoch <= Leases.epochMax else { return }
      switch phase {
      case .owned(let known) where epoch <= known: return
      case .elsewhere(let owner) where epoch <= owner.epoch: return
      case .unknown, .owned, .elsewhere: seenEpoch = epoch
      }
    }
    isDoubtful = true
    // An answer from before a greater epoch shows a lesser one; see `foreign(_:at:_:)`.
    if epoch == 0, request?.action == .read { request?.isOutdated = true }
    look(at: now)
  }

  // MARK: Requests

  private mutating func act(at now: Double) -> [Effect] {
    due = .infinity
    var effects: [Effect] = []
    if isActing, now >= renewedAt + Leases.fenceSeconds { effects = freeze(at: now) }
    if let request {
      due = request.sentAt + Leases.answerSeconds
      guard due <= now else { return effects }
      self.request = nil
      return effects + fail(.unknown("there was no answer"), request, at: now)
    }
    guard case .owned(let epoch) = phase, !isDoubtful else { return effects + ask(.read, at: now) }
    if isReleasing { return effects + ask(.release, at: now) }
    // Others may have seen a greater epoch if the servers lost writes; they ignore lesser ones.
    let raised = seenEpoch > epoch ? seenEpoch + 1 : epoch
    return effects + ask(.renew(epoch: raised), at: now)
  }

  private mutating func ask(_ action: Action, at now: Double) -> [Effect] {
    request = Request(action: action, sentAt: now)
    if action != .read { writtenAt = now }
    due = min(now + Leases.answerSeconds, isActing ? renewedAt + Leases.fenceSeconds : .infinity)
    return [.request(action, after: revision == 0 ? .absent : .revision(revision))]
  }

  /// Tries to become the owner of a room after an epoch of another owner.
  private mutating func acquire(after epoch: UInt64, at now: Double) -> [Effect] {
    // The revision of the write is a greater epoch, unless an epoch had to be raised before.
    let isRaised = epoch > revision && epoch < Leases.epochMax
    return ask(.acquire(epoch: isRaised ? epoch + 1 : 0), at: now)
  }

  private mutating func fail(
    _ failure: RecordFailure,
    _ request: Request,
    at now: Double
  ) -> [Effect] {
    // What is left of the lease is taken once this node has announced its end, or expires.
    if request.action == .release { return end(at: now) }
    failures = min(20, failures + 1)
    let fence = renewedAt + Leases.fenceSeconds
    due = min(now + delay, isActing ? max(now, fence) : .infinity)
    switch failure {
    case .conflict:
      isDoubtful = true
      // A conflict usually says that another node was faster, so its lease is there to be read.
      if failures == 1 { due = now }
    case .unknown: isDoubtful = true
    case .unavailable, .refused: if case .acquire = request.action { isDoubtful = true }
    }
    return []
  }

  /// How long to wait before a request that failed is made again.
  private var delay: Double { min(1, 0.25 * Double(1 << min(8, max(0, failures - 1)))) }

  // MARK: Answers

  /// Notes that a write of this node succeeded.
  private mutating func written(
    _ revision: UInt64,
    _ request: Request,
    at now: Double
  ) -> [Effect] {
    (self.revision, failures) = (revision, 0)
    switch request.action {
    case .read, .release: return []
    case .acquire(let epoch):
      guard now <= request.sentAt + Leases.pauseSeconds else {
        // This node was perhaps paused, and the room was taken from it in the meantime.
        isDoubtful = true
        due = now
        return []
      }
      return own(epoch == 0 ? revision : epoch, since: request.sentAt, at: now)
    case .renew(let epoch): return renewed(epoch, since: request.sentAt, at: now)
    }
  }

  /// Notes that this node is confirmed as the owner by a write that was requested at a time.
  private mutating func renewed(_ epoch: UInt64, since time: Double, at now: Double) -> [Effect] {
    guard case .owned(let known) = phase else { return [] }
    (phase, renewedAt, failures) = (.owned(epoch: epoch), time, 0)
    var effects: [Effect] = []
    if let frozenAt, time >= frozenAt {
      self.frozenAt = nil
      if !isReleasing { effects.append(.thawed) }
    }
    if epoch != known, !isReleasing { effects.append(.owned(epoch: epoch)) }
    plan(epoch, at: now)
    return effects
  }

  private mutating func own(_ epoch: UInt64, since time: Double, at now: Double) -> [Effect] {
    (phase, renewedAt, frozenAt) = (.owned(epoch: epoch), time, nil)
    // If the room was forgotten in the meantime, nobody was told that this node owns it.
    isReleasing = isReleasing || !isWanted
    plan(epoch, at: now)
    return isReleasing ? [] : [.owned(epoch: epoch)]
  }

  /// Schedules the next request of an owner.
  private mutating func plan(_ epoch: UInt64, at now: Double) {
    let isUrgent = isDoubtful || isReleasing || frozenAt != nil || seenEpoch > epoch
    due = isUrgent ? now : renewedAt + Leases.renewalSeconds
  }

  /// Stops being the owner of a room.
  private mutating func end(at now: Double) -> [Effect] {
    let effects: [Effect] = isReleasing ? [.released] : isOwned ? [.lost] : []
    (phase, isReleasing, frozenAt) = (.unknown, false, nil)
    due = now
    return effects
  }

  /// Draws the conclusion from the latest record of a room.
  private mutating func resolve(
    _ record: Record?,
    at now: Double,
    _ surroundings: Surroundings
  ) -> [Effect] {
    isDoubtful = false
    let isNew = revision != record?.revision ?? 0
    revision = record?.revision ?? 0
    guard let owner = record.flatMap(LeaseOwner.init) else { return vacant(at: now) }
    guard owner.node == surroundings.node else { return foreign(owner, at: now, surroundings) }
    if case .owned(let epoch) = phase {
      // A write with a raised epoch may have been made without an answer.
      if owner.epoch == epoch || owner.epoch == max(epoch, seenEpoch &+ 1) {
        // Only this node writes such a record, so its latest write was made.
        if isNew { return renewed(owner.epoch, since: writtenAt, at: now) }
        // A server that reports false conflicts does so even more often if it is asked in quick
        // succession.
        plan(epoch, at: now)
        if !isReleasing, failures > 0 || frozenAt != nil { due = now + delay }
        return []
      }
    }
    let effects = end(at: now)
    return isWanted ? effects + acquire(after: owner.epoch, at: now) : effects
  }

  /// There is no record of the room, or none that can be read.
  private mutating func vacant(at now: Double) -> [Effect] {
    // If this node may act, the servers lost the record, and the faster node is now the owner. If
    // it may not, others may have owned the room and ended it in the meantime.
    let effects = isActing && !isReleasing ? [] : end(at: now)
    return isWanted || isOwned ? effects + acquire(after: 0, at: now) : effects
  }

  /// Another node is named as the owner of a room.
  private mutating func foreign(
    _ owner: LeaseOwner,
    at now: Double,
    _ surroundings: Surroundings
  ) -> [Effect] {
    let known = phase
    let effects = end(at: now)
    guard isWanted else { return effects }
    switch surroundings.nodes.presence(of: owner.node) {
    case .ended: return effects + acquire(after: owner.epoch, at: now)
    // It has been waited for since it was known to be silent.
    case .silent where known == .elsewhere(owner):
      return effects + acquire(after: owner.epoch, at: now)
    case .present, .silent: break
    }
    (phase, failures) = (.elsewhere(owner), 0)
    due = now + wait(for: owner, surroundings)
    if seenEpoch > owner.epoch {
      // The record was read before the greater epoch that was mentioned meanwhile was written.
      seenEpoch = owner.epoch
      due = now + Leases.mentionSeconds
    }
    return known == .elsewhere(owner) ? effects : effects + [.owner(owner)]
  }

  /// How long to wait before the lease of another owner is read again.
  private func wait(for owner: LeaseOwner, _ surroundings: Surroundings) -> Double {
    switch surroundings.nodes.presence(of: owner.node) {
    case .present: return Leases.reviewSeconds
    // The node has named a successor, whose claim is about to arrive.
    case .ended: return Leases.mentionSeconds
    case .silent:
      // A step of SplitMix64, so that no two nodes wait for the same time.
      var z = surroundings.seed &+ owner.epoch &* 0x9e37_79b9_7f4a_7c15
      z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
      z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
      return Double((z ^ (z >> 31)) >> 11) / Double(1 << 53) * Leases.contentionSeconds
    }
  }
}

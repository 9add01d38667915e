extension RoomLeases {
  /// Notes the answer to a ``LeaseEffect/read(_:room:)``.
  package mutating func answered(
    _ id: UInt64,
    _ result: Result<Record?, RecordFailure>,
    at now: Double
  ) -> [LeaseEffect] {
    var effects = resumed(at: now)
    guard let (room, _) = takeRequest(id) else { return effects }
    switch result {
    case .success(let record): effects += resolve(room, record, at: now)
    case .failure: retry(room, at: now)
    }
    return effects + act(at: now)
  }

  /// Notes the answer to a ``LeaseEffect/write(_:room:_:after:)``.
  package mutating func answered(
    _ id: UInt64,
    _ result: Result<UInt64, RecordFailure>,
    at now: Double
  ) -> [LeaseEffect] {
    var effects = resumed(at: now)
    guard let (room, request) = takeRequest(id) else { return effects }
    switch result {
    case .success(let revision): effects += written(room, revision, request, at: now)
    case .failure(let failure): failed(room, failure, request, at: now)
    }
    return effects + act(at: now)
  }

  /// Notes the answer to a ``LeaseEffect/delete(_:room:after:)``.
  package mutating func answered(
    _ id: UInt64,
    _ result: Result<Void, RecordFailure>,
    at now: Double
  ) -> [LeaseEffect] {
    var effects = resumed(at: now)
    guard let (room, request) = takeRequest(id) else { return effects }
    switch result {
    case .success: effects += released(room, revision: 0, at: now)
    case .failure(let failure): failed(room, failure, request, at: now)
    }
    return effects + act(at: now)
  }

  /// Returns the room of a request that is still of interest, and ends the request.
  private mutating func takeRequest(_ id: UInt64) -> (String, Lease.Request)? {
    guard let room = requests.removeValue(forKey: id), let request = leases[room]?.request,
      request.id == id
    else { return nil }
    leases[room]?.request = nil
    return (room, request)
  }

  private mutating func retry(_ room: String, at now: Double) {
    guard let lease = leases[room] else { return }
    leases[room]?.failures = min(20, lease.failures + 1)
    let time = now + Self.delay(after: lease.failures + 1)
    let fence = lease.renewedAt + Self.fenceSeconds
    // An owner is frozen in time, even if it is still waiting to try again.
    schedule(room, at: lease.isOwned && fence > now ? min(time, fence) : time)
  }

  private mutating func failed(
    _ room: String,
    _ failure: RecordFailure,
    _ request: Lease.Request,
    at now: Double
  ) {
    retry(room, at: now)
    var isTake = false
    if case .take = request.action { isTake = true }
    switch failure {
    case .conflict:
      leases[room]?.mustRead = true
      // A conflict usually says that another node was faster, so its lease is there to be read.
      if leases[room]?.failures == 1 { schedule(room, at: now) }
    case .unknown:
      leases[room]?.mustRead = true
      leases[room]?.isUncertain = true
    case .unavailable, .refused: if isTake { leases[room]?.mustRead = true }
    }
    dropIfUnneeded(room)
  }

  /// Notes that a write of this node succeeded.
  private mutating func written(
    _ room: String,
    _ revision: UInt64,
    _ request: Lease.Request,
    at now: Double
  ) -> [LeaseEffect] {
    leases[room]?.revision = revision
    leases[room]?.failures = 0
    switch request.action {
    case .read: return []
    case .release: return released(room, revision: revision, at: now)
    case .take(let epoch):
      guard now <= request.sentAt + Self.pauseSeconds else {
        // This node was perhaps paused, and the room was taken from it in the meantime.
        leases[room]?.isUncertain = true
        leases[room]?.mustRead = true
        schedule(room, at: now)
        return []
      }
      return own(room, epoch: epoch == 0 ? revision : epoch, request, at: now)
    case .renew(let epoch): return renewed(room, epoch: epoch, request, at: now)
    }
  }

  private mutating func own(
    _ room: String,
    epoch: UInt64,
    _ request: Lease.Request,
    at now: Double
  ) -> [LeaseEffect] {
    guard let lease = leases[room] else { return [] }
    if !lease.isOwned { ownedCount += 1 }
    leases[room]?.standing = .owned(epoch: epoch)
    leases[room]?.silentOwner = nil
    leases[room]?.deniedEpoch = nil
    leases[room]?.renewedAt = request.sentAt
    leases[room]?.frozenAt = nil
    if !lease.isWanted {
      // The room was forgotten in the meantime, so nobody was told that this node owns it.
      leases[room]?.release = Lease.Release(successor: nil, deadline: now + Self.releaseSeconds)
    }
    plan(room, at: now)
    return lease.isWanted ? [.owned(room, epoch: epoch)] : []
  }

  private mutating func renewed(
    _ room: String,
    epoch: UInt64,
    _ request: Lease.Request,
    at now: Double
  ) -> [LeaseEffect] {
    guard let lease = leases[room], case .owned(let known) = lease.standing else { return [] }
    var effects: [LeaseEffect] = []
    leases[room]?.renewedAt = max(lease.renewedAt, request.sentAt)
    leases[room]?.standing = .owned(epoch: epoch)
    if let frozenAt = lease.frozenAt, request.sentAt >= frozenAt {
      leases[room]?.frozenAt = nil
      if lease.release == nil { effects.append(.thawed(room)) }
    }
    if epoch != known, lease.release == nil { effects.append(.owned(room, epoch: epoch)) }
    plan(room, at: now)
    return effects
  }

  /// Schedules the next request for a room that this node owns.
  private mutating func plan(_ room: String, at now: Double) {
    guard let lease = leases[room], case .owned(let epoch) = lease.standing else { return }
    let isUrgent = lease.mustRead || lease.release != nil || lease.seenEpoch > epoch
    if lease.frozenAt != nil || isUrgent {
      schedule(room, at: now)
    } else {
      schedule(room, at: lease.writtenAt + Self.renewalSeconds)
    }
  }

  private mutating func released(
    _ room: String,
    revision: UInt64,
    at now: Double
  ) -> [LeaseEffect] {
    let successor = leases[room]?.release?.successor
    var effects = end(room, at: now) + [.released(room)]
    leases[room]?.isUncertain = false
    leases[room]?.revision = revision
    if let successor, successor != node, leases[room] != nil {
      effects += follow(room, RoomOwner(node: successor, epoch: revision, address: ""), at: now)
    }
    dropIfUnneeded(room)
    return effects
  }

  /// Draws the conclusion from the latest record of a room.
  private mutating func resolve(
    _ room: String,
    _ record: Record?,
    at now: Double
  ) -> [LeaseEffect] {
    guard let lease = leases[room] else { return [] }
    leases[room]?.mustRead = false
    leases[room]?.isUncertain = false
    guard let record, let value = LeaseValue(record.value) else {
      return vacant(room, lease, revision: record?.revision ?? 0, at: now)
    }
    let owner = RoomOwner(
      node: value.node,
      epoch: value.epoch(of: record),
      address: value.address
    )
    guard owner.node == node else { return foreign(room, owner, record.revision, at: now) }
    if case .owned(let epoch) = lease.standing {
      // A write with a greater epoch may have been made without an answer.
      guard owner.epoch == epoch || owner.epoch == max(epoch, lease.seenEpoch &+ 1) else {
        return end(room, at: now) + take(room, after: record.revision, owner.epoch, at: now)
      }
      return confirm(room, lease, owner.epoch, record.revision, at: now)
    }
    if lease.isWanted { return take(room, after: record.revision, owner.epoch, at: now) }
    // What remains of an attempt whose outcome was unknown is cleared away.
    leases[room]?.revision = record.revision
    leases[room]?.standing = .owned(epoch: owner.epoch)
    leases[room]?.release = Lease.Release(successor: nil, deadline: now + Self.releaseSeconds)
    ownedCount += 1
    schedule(room, at: now)
    return []
  }

  /// The record still names this node as the owner.
  private mutating func confirm(
    _ room: String,
    _ lease: Lease,
    _ epoch: UInt64,
    _ revision: UInt64,
    at now: Double
  ) -> [LeaseEffect] {
    leases[room]?.revision = revision
    if revision != lease.revision {
      // Only this node writes such a record, so its latest write was made.
      leases[room]?.failures = 0
      let request = Lease.Request(id: 0, action: .read, sentAt: lease.writtenAt)
      return renewed(room, epoch: epoch, request, at: now)
    }
    // The write was not made, or not yet. A server that reports false conflicts does so even more
    // often if it is asked in quick succession.
    let isUrgent = lease.release != nil || lease.seenEpoch > epoch
    let wait = lease.frozenAt != nil ? Self.delay(after: lease.failures) : Self.renewalSeconds
    schedule(room, at: isUrgent ? now : max(now, lease.writtenAt + wait))
    return []
  }

  /// There is no record of the room, or none that can be read.
  private mutating func vacant(
    _ room: String,
    _ lease: Lease,
    revision: UInt64,
    at now: Double
  ) -> [LeaseEffect] {
    guard lease.isOwned, lease.release == nil else {
      if lease.release != nil {
        let effects = end(room, at: now) + [.released(room)]
        return effects + (lease.isWanted ? take(room, after: revision, 0, at: now) : drop(room))
      }
      return lease.isWanted ? take(room, after: revision, 0, at: now) : drop(room)
    }
    if lease.frozenAt != nil {
      // Others may have owned the room and ended it in the meantime.
      return end(room, at: now) + take(room, after: revision, 0, at: now)
    }
    // The servers lost the record; whoever is faster now is the owner.
    leases[room]?.revision = revision
    return [request(.take(epoch: 0), room, at: now)]
  }

  /// Another node is named as the owner of a room.
  private mutating func foreign(
    _ room: String,
    _ owner: RoomOwner,
    _ revision: UInt64,
    at now: Double
  ) -> [LeaseEffect] {
    guard let lease = leases[room] else { return [] }
    let effects = end(room, at: now) + (lease.release == nil ? [] : [.released(room)])
    leases[room]?.mustRead = false
    guard lease.isWanted else { return effects + drop(room) }
    nodes.mention(owner.node, at: now)
    let isSilent = nodes.isGone(owner.node) && isConnected
    let mayTake = nodes.hasEnded(owner.node) || owner.epoch == lease.deniedEpoch
    if mayTake || isSilent && lease.silentOwner == owner.node {
      return effects + take(room, after: revision, owner.epoch, at: now)
    }
    leases[room]?.revision = revision
    return effects + follow(room, owner, from: lease.standing, at: now)
  }

  /// Notes who owns a room that this node wants.
  private mutating func follow(
    _ room: String,
    _ owner: RoomOwner,
    from standing: Lease.Standing = .unknown,
    at now: Double
  ) -> [LeaseEffect] {
    leases[room]?.standing = .elsewhere(owner)
    leases[room]?.failures = 0
    leases[room]?.deniedEpoch = nil
    nodes.mention(owner.node, at: now)
    if nodes.isGone(owner.node), isConnected {
      leases[room]?.silentOwner = owner.node
      schedule(room, at: now + contention())
    } else {
      leases[room]?.silentOwner = nil
      schedule(room, at: now + Self.reviewSeconds)
      if let seen = leases[room]?.seenEpoch, seen > owner.epoch {
        // The record was read before the greater epoch that was mentioned meanwhile was written.
        leases[room]?.seenEpoch = owner.epoch
        leases[room]?.mustRead = true
        schedule(room, at: now + Self.mentionSeconds)
      }
    }
    return standing == .elsewhere(owner) ? [] : [.owner(room, owner)]
  }

  /// Tries to become the owner of a room after an epoch of another owner.
  private mutating func take(
    _ room: String,
    after revision: UInt64,
    _ epoch: UInt64,
    at now: Double
  ) -> [LeaseEffect] {
    guard leases[room] != nil else { return [] }
    leases[room]?.revision = revision
    // The revision of the write is a greater epoch, unless an epoch had to be raised before.
    let isRaised = epoch > revision && epoch < Self.epochMax
    return [request(.take(epoch: isRaised ? epoch + 1 : 0), room, at: now)]
  }

  private mutating func drop(_ room: String) -> [LeaseEffect] {
    dropIfUnneeded(room)
    return []
  }
}

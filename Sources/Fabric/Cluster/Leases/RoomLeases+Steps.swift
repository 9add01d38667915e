internal import Rates

extension RoomLeases {
  /// If this node was paused for so long that others took it for dead, freezes all rooms that it
  /// owns, and confirms each before it is thawed.
  mutating func resumed(at now: Double) -> [LeaseEffect] {
    guard now > heartbeatAt + Self.pauseSeconds else { return [] }
    var effects: [LeaseEffect] = []
    for room in leases.keys.sorted() where leases[room]?.isOwned == true {
      effects += freeze(room, at: now)
      if leases[room]?.request == nil { schedule(room, at: now) }
    }
    // This node could not hear the others in the meantime.
    nodes.excuseAll(at: now)
    effects.append(heartbeat(at: now))
    return effects
  }

  mutating func heartbeat(at now: Double) -> LeaseEffect {
    heartbeatAt = now
    return .heartbeat(Heartbeat(state: state, load: load, rooms: UInt32(clamping: ownedCount)))
  }

  /// Acts on every lease for which it is time.
  mutating func act(at now: Double) -> [LeaseEffect] {
    var effects: [LeaseEffect] = []
    while let room = queue.take(until: now) {
      guard let lease = leases[room] else { continue }
      if lease.isOwned, lease.frozenAt == nil, now >= lease.renewedAt + Self.fenceSeconds {
        effects += freeze(room, at: now)
      }
      if let request = lease.request {
        guard now >= request.sentAt + Self.answerSeconds else {
          schedule(room, at: request.sentAt + Self.answerSeconds)
          continue
        }
        requests[request.id] = nil
        leases[room]?.request = nil
        leases[room]?.mustRead = true
        if request.action != .read { leases[room]?.isUncertain = true }
      }
      effects += step(room, at: now)
    }
    return effects
  }

  /// Makes the next request for a room.
  private mutating func step(_ room: String, at now: Double) -> [LeaseEffect] {
    guard let lease = leases[room] else { return [] }
    if let release = lease.release, now >= release.deadline {
      // The lease may still name this node, which must not remain so.
      leases[room]?.isUncertain = true
      return end(room, at: now) + [.released(room)]
    }
    guard !lease.mustRead, case .owned(let epoch) = lease.standing else {
      return [request(.read, room, at: now)]
    }
    guard lease.release == nil else { return [request(.release, room, at: now)] }
    return [request(.renew(epoch: max(epoch, raised(lease.seenEpoch))), room, at: now)]
  }

  /// Returns the epoch that an owner needs to be heard, if others have seen a greater one.
  ///
  /// That can happen if the servers lost writes.
  private func raised(_ seen: UInt64) -> UInt64 { seen == 0 ? 0 : seen + 1 }

  mutating func request(_ action: Lease.Action, _ room: String, at now: Double) -> LeaseEffect {
    lastRequest += 1
    let id = lastRequest
    requests[id] = room
    guard var lease = leases[room] else { return .read(id, room: room) }
    lease.request = Lease.Request(id: id, action: action, sentAt: now)
    if action != .read { lease.writtenAt = now }
    leases[room] = lease
    let isActing = lease.isOwned && lease.frozenAt == nil
    let fence = isActing ? lease.renewedAt + Self.fenceSeconds : .infinity
    schedule(room, at: min(now + Self.answerSeconds, fence))

    let condition: WriteCondition = lease.revision == 0 ? .absent : .revision(lease.revision)
    switch action {
    case .read: return .read(id, room: room)
    case .take(let epoch):
      let value = LeaseValue(node: node, epoch: epoch, address: address)
      return .write(id, room: room, value.bytes, after: condition)
    case .renew(let epoch):
      let value = LeaseValue(node: node, epoch: epoch, address: address)
      return .write(id, room: room, value.bytes, after: condition)
    case .release:
      guard let successor = lease.release?.successor else {
        return .delete(id, room: room, after: condition)
      }
      let value = LeaseValue(node: successor, epoch: 0, address: "")
      return .write(id, room: room, value.bytes, after: condition)
    }
  }

  /// Sets when to act on a room next.
  mutating func schedule(_ room: String, at time: Double) {
    guard leases[room] != nil else { return }
    queue[room] = time
  }

  mutating func freeze(_ room: String, at now: Double) -> [LeaseEffect] {
    guard let lease = leases[room], lease.isOwned else { return [] }
    // A room that is frozen already must be confirmed by a write after this instant, too.
    leases[room]?.frozenAt = now
    return lease.frozenAt == nil && lease.release == nil ? [.frozen(room)] : []
  }

  /// Stops being the owner of a room.
  mutating func end(_ room: String, at now: Double) -> [LeaseEffect] {
    guard let lease = leases[room] else { return [] }
    if lease.isOwned { ownedCount -= 1 }
    let wasReleased = lease.release != nil
    leases[room]?.standing = .unknown
    leases[room]?.release = nil
    leases[room]?.frozenAt = nil
    leases[room]?.mustRead = true
    if lease.request == nil { schedule(room, at: now) }
    dropIfUnneeded(room)
    return lease.isOwned && !wasReleased ? [.lost(room)] : []
  }

  /// Removes what is known of a room that nobody needs.
  mutating func dropIfUnneeded(_ room: String) {
    guard let lease = leases[room], !lease.isWanted, !lease.isOwned, !lease.isUncertain
    else { return }
    // The answer may make this node the owner of the room, who must then release it.
    if case .take = lease.request?.action { return }
    if let request = lease.request { requests[request.id] = nil }
    leases[room] = nil
    queue[room] = nil
  }

  /// Returns the rooms that a node is known to own, sorted.
  func rooms(of other: NodeID) -> [String] {
    leases.filter {
      if case .elsewhere(let owner) = $0.value.standing { owner.node == other } else { false }
    }
    .filter { $0.value.request == nil }.keys.sorted()
  }

  /// Returns a random time to wait before the room of a silent node is taken.
  mutating func contention() -> Double {
    // A step of SplitMix64.
    random &+= 0x9e37_79b9_7f4a_7c15
    var z = random
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    z ^= z >> 31
    return Double(z >> 11) / Double(1 << 53) * Self.contentionSeconds
  }

  /// Returns how long to wait before a request that failed is made again.
  static func delay(after failures: Int) -> Double {
    min(1, 0.25 * Double(1 << min(8, max(0, failures - 1))))
  }
}

import Testing

@testable import Fabric

@Suite("Leases of rooms")
struct LeasesTests {
  private let me = NodeID(1)
  private let other = NodeID(2)

  private func leases() -> Leases { Leases(node: me, address: "a", seed: 1, at: 0) }

  private func record(_ node: NodeID, epoch: UInt64 = 0, revision: UInt64) -> Record {
    Record(
      value: LeaseOwner(node: node, epoch: epoch, address: "b").bytes,
      revision: revision
    )
  }

  private func answer(
    _ leases: inout Leases,
    _ effects: [LeaseEffect],
    _ record: Record?,
    at now: Double
  ) throws -> [LeaseEffect] {
    let reads = effects.compactMap {
      if case .read(let room, let id) = $0 { (room, id) } else { nil }
    }
    let (room, id) = try #require(reads.last)
    return leases.handle(.answered(room, id, .success(.record(record))), at: now)
  }

  private func answer(
    _ leases: inout Leases,
    _ effects: [LeaseEffect],
    _ result: Result<UInt64, RecordFailure>,
    at now: Double
  ) throws -> [LeaseEffect] {
    let writes = effects.compactMap { if case .write(_, let id, _, _) = $0 { id } else { nil } }
    let id = try #require(writes.last)
    return leases.handle(.answered("a", id, result.map { .written($0) }), at: now)
  }

  /// The value and the condition of the last write.
  private func write(_ effects: [LeaseEffect]) -> (LeaseOwner?, WriteCondition)? {
    for case .write(_, _, let value, let after) in effects.reversed() {
      return (LeaseOwner(Record(value: value, revision: 0)), after)
    }
    return nil
  }

  private func owner() throws -> Leases {
    var leases = leases()
    let effects = try answer(&leases, leases.handle(.want("a"), at: 0), nil, at: 0.01)
    let owned = try answer(&leases, effects, .success(10), at: 0.02)
    #expect(owned == [.owned("a", epoch: 10)])
    return leases
  }

  @Test("a room that nobody owns is taken, and renewed every three seconds with the same epoch")
  func renewal() throws {
    var leases = try owner()
    var revision: UInt64 = 10
    var writes: [Double] = []
    for step in 1...80 {
      let now = Double(step) / 4
      let effects = leases.handle(.wake, at: now)
      guard let (value, condition) = write(effects) else { continue }
      #expect(value == LeaseOwner(node: me, epoch: 10, address: "a"))
      #expect(condition == .revision(revision))
      writes.append(now)
      revision += 3
      #expect(try answer(&leases, effects, .success(revision), at: now) == [])
    }
    #expect(writes.count == 6 && zip(writes, writes.dropFirst()).allSatisfy { $1 - $0 >= 3 })
    #expect(leases.ownedCount == 1 && leases.epoch(of: "a", at: 20) == 10)
  }

  @Test("a lease that is doubted while it is read is read again")
  func doubtedWhileRead() throws {
    var leases = leases()
    let read = leases.handle(.want("a"), at: 0)
    #expect(leases.handle(.doubt("a", epoch: 0), at: 0.001) == [])
    // The answer was on its way before the owner gave the room up.
    let again = try answer(&leases, read, record(other, revision: 7), at: 0.002)
    #expect(leases.owner(of: "a")?.node == other)
    #expect(write(try answer(&leases, again, nil, at: 0.004)) != nil)
  }

  @Test("the owners of rooms are listed with their epochs, up to a number of rooms")
  func owners() throws {
    var leases = try owner()
    _ = try answer(&leases, leases.handle(.want("b"), at: 1), record(other, revision: 30), at: 1.1)
    _ = leases.handle(.want("c"), at: 2)
    let all = leases.owners(atMost: 9)
    #expect(all.map(\.room) == ["a", "b"])
    #expect(all.map(\.node) == [me, other])
    #expect(all.map(\.epoch) == [10, 30])
    #expect(leases.owners(atMost: 1).count == 1)
  }

  @Test("a lease that was read before a greater epoch was mentioned is read again")
  func outdatedRead() throws {
    var leases = leases()
    let read = leases.handle(.want("a"), at: 0)
    #expect(leases.handle(.doubt("a", epoch: 40), at: 0.001) == [])
    let first = LeaseOwner(node: other, epoch: 30, address: "b")
    let effects = try answer(&leases, read, record(other, revision: 30), at: 0.002)
    #expect(effects == [.owner("a", first)])
    let again = leases.handle(.wake, at: 0.002 + Leases.mentionSeconds)
    let second = LeaseOwner(node: other, epoch: 40, address: "b")
    let answered = try answer(&leases, again, record(other, revision: 40), at: 0.06)
    #expect(answered == [.owner("a", second)])
    // A mention that nothing confirms costs one more read, and not one after the other.
    let doubted = leases.handle(.doubt("a", epoch: 50), at: 1)
    _ = try answer(&leases, doubted, record(other, revision: 40), at: 1.01)
    let last = leases.handle(.wake, at: 1.1)
    #expect(try answer(&leases, last, record(other, revision: 40), at: 1.11) == [])
    #expect(!leases.handle(.wake, at: 5).contains { if case .read = $0 { true } else { false } })
  }

  @Test("a greater epoch that others have seen is read again, and then exceeded or obeyed")
  func fencing() throws {
    var leases = try owner()
    #expect(leases.handle(.doubt("a", epoch: 9), at: 0.1) == [])
    #expect(leases.handle(.doubt("a", epoch: .max), at: 0.1) == [])
    var effects = leases.handle(.doubt("a", epoch: 40), at: 0.2)
    var obedient = leases
    #expect(
      try answer(&obedient, effects, record(other, revision: 40), at: 0.21) == [
        .lost("a"), .owner("a", LeaseOwner(node: other, epoch: 40, address: "b")),
      ]
    )
    #expect(obedient.ownedCount == 0 && obedient.epoch(of: "a", at: 0.21) == nil)
    effects = try answer(&leases, effects, record(me, revision: 10), at: 0.21)
    #expect(write(effects)?.0?.epoch == 41)
    #expect(try answer(&leases, effects, .success(12), at: 0.22) == [.owned("a", epoch: 41)])
    #expect(leases.epoch(of: "a", at: 0.3) == 41)
  }

  @Test(
    "a room that its owner gave up is taken, and one whose lease names this node is taken again"
  )
  func vacant() throws {
    var leases = try owner()
    let release = leases.handle(.release("a"), at: 0.1)
    guard case .delete("a", let id, .revision(10))? = release.first else {
      Issue.record("\(release)")
      return
    }
    #expect(leases.epoch(of: "a", at: 0.1) == nil)
    let deleted = LeaseEvent.answered("a", id, .success(.deleted))
    #expect(leases.handle(deleted, at: 0.2) == [.released("a")])
    #expect(leases.ownedCount == 0 && leases.leases.isEmpty)
    // What a write without an answer left behind: others find this node, which must own the room.
    let take = try answer(
      &leases,
      leases.handle(.want("a"), at: 0.3),
      record(me, revision: 11),
      at: 0.4
    )
    #expect(write(take)?.1 == .revision(11))
    #expect(try answer(&leases, take, .success(12), at: 0.5) == [.owned("a", epoch: 12)])
  }

  @Test("a node that released a room is free of it, whatever the servers answer")
  func failedRelease() throws {
    let failures: [RecordFailure] = [.conflict, .unknown(""), .unavailable(""), .refused("")]
    for failure in failures {
      var leases = try owner()
      let release = leases.handle(.release("a"), at: 0.1)
      guard case .delete("a", let id, _)? = release.first else {
        Issue.record("\(release)")
        continue
      }
      let answer = LeaseEvent.answered("a", id, .failure(failure))
      #expect(leases.handle(answer, at: 0.2) == [.released("a")])
      #expect(leases.leases.isEmpty)
    }
  }

  @Test("a room is released only after the answer to the request that is outstanding")
  func releaseWaits() throws {
    var leases = try owner()
    let renewal = (1...7).flatMap { leases.handle(.wake, at: Double($0) / 2) }
    #expect(write(renewal) != nil && leases.handle(.release("a"), at: 3.5) == [])
    let effects = try answer(&leases, renewal, .success(13), at: 3.6)
    guard case .delete("a", _, .revision(13))? = effects.first, effects.count == 1 else {
      Issue.record("\(effects)")
      return
    }
  }

  @Test("a write without an answer is looked up, and a late one does not confirm anything")
  func unknownWrites() throws {
    var leases = try owner()
    let renewal =
      leases.handle(.wake, at: 1) + leases.handle(.wake, at: 2) + leases.handle(.wake, at: 3.1)
    var effects = try answer(&leases, renewal, .failure(.unknown("late")), at: 4)
    #expect(write(effects) == nil)
    effects = leases.handle(.wake, at: 4.3)
    #expect(try answer(&leases, effects, record(me, epoch: 10, revision: 15), at: 4.4) == [])
    effects = leases.handle(.wake, at: 5.2) + leases.handle(.wake, at: 6.2)
    #expect(write(effects)?.1 == .revision(15))
    // The process was paused before the answer arrived.
    effects = try answer(&leases, effects, .success(16), at: 30)
    #expect(effects.first == .frozen("a") && !effects.contains(.thawed("a")))
    #expect(write(effects)?.1 == .revision(16) && leases.epoch(of: "a", at: 30) == nil)
    #expect(try answer(&leases, effects, .success(17), at: 30.1) == [.thawed("a")])
  }

  @Test("a take whose answer is late is looked up, because the room may have been taken since")
  func lateTake() throws {
    var leases = leases()
    let take = try answer(&leases, leases.handle(.want("a"), at: 0), nil, at: 0.1)
    for step in 1...3 { _ = leases.handle(.wake, at: Double(step) / 2) }
    let read = try answer(&leases, take, .success(5), at: 1.7)
    #expect(!read.contains(.owned("a", epoch: 5)) && leases.ownedCount == 0)
    let again = try answer(&leases, read, record(me, revision: 5), at: 1.8)
    #expect(write(again)?.1 == .revision(5))
    #expect(try answer(&leases, again, .success(6), at: 1.9) == [.owned("a", epoch: 6)])
  }

  @Test("an owner that cannot renew its lease stops acting after twelve seconds, woken or not")
  func fence() throws {
    var leases = try owner()
    for step in 1...23 { _ = leases.handle(.wake, at: Double(step) / 2) }
    #expect(leases.epoch(of: "a", at: 11.9) == 10 && leases.epoch(of: "a", at: 12.1) == nil)
    #expect(leases.handle(.wake, at: 12.1).contains(.frozen("a")))
  }

  @Test("a room that is forgotten while it is being taken is given back")
  func forgotten() throws {
    var leases = leases()
    let take = try answer(&leases, leases.handle(.want("a"), at: 0), nil, at: 0.1)
    #expect(leases.handle(.forget("a"), at: 0.1) == [])
    let effects = try answer(&leases, take, .success(5), at: 0.2)
    guard case .delete("a", let id, .revision(5))? = effects.first, effects.count == 1
    else {
      Issue.record("\(effects)")
      return
    }
    let deleted = LeaseEvent.answered("a", id, .success(.deleted))
    #expect(leases.handle(deleted, at: 0.3) == [.released("a")])
    #expect(leases.leases.isEmpty && leases.ownedCount == 0)
  }

  @Test("rooms, requests and the queue are bounded, and an unreadable lease is replaced")
  func bounds() throws {
    var leases = Leases(node: me, address: "a", seed: 1, at: 0, roomsMax: 100)
    for number in 0..<150 { _ = leases.handle(.want("\(number)"), at: 0) }
    #expect(leases.leases.count == 100)
    var requests = 0
    for step in 1...100 {
      var effects = leases.handle(.wake, at: Double(step))
      for number in 0..<150 {
        effects += leases.handle(.doubt("\(number)", epoch: 0), at: Double(step))
      }
      requests += effects.count { if case .read = $0 { true } else { false } }
    }
    // Each has one request at a time, which fails without an answer.
    #expect((1000...2000).contains(requests))
    for number in 0..<150 { _ = leases.handle(.forget("\(number)"), at: 100) }
    #expect(leases.leases.isEmpty && leases.wakeTime == 100.5)
    var small = self.leases()
    let garbage = Record(value: [1, 2, 3], revision: 4)
    let effects = try answer(&small, small.handle(.want("a"), at: 0), garbage, at: 0)
    #expect(write(effects)?.1 == .revision(4))
    // An epoch that cannot be exceeded is no reason to fail.
    small = self.leases()
    let wild = record(me, epoch: .max, revision: 4)
    #expect(write(try answer(&small, small.handle(.want("a"), at: 0), wild, at: 0))?.0?.epoch == 0)
  }

  @Test("nodes are present until they are silent or end")
  func presence() {
    var leases = leases()
    #expect(leases.handle(.heard(other, isEnding: false), at: 0.1) == [])
    let third = NodeID(3)
    #expect(leases.handle(.heard(third, isEnding: true), at: 0.1) == [.gone(third)])
    // A late message of it changes nothing.
    #expect(leases.handle(.heard(third, isEnding: false), at: 0.2) == [])
    #expect(leases.handle(.heard(me, isEnding: false), at: 0.2) == [])
    #expect(leases.others == [other] && leases.othersCount == 1)
    for step in 1...3 { _ = leases.handle(.wake, at: Double(step) / 2) }
    _ = leases.handle(.heard(other, isEnding: false), at: 1.5)
    for step in 4...5 { _ = leases.handle(.wake, at: Double(step) / 2) }
    #expect(leases.others == [other])
    #expect(leases.handle(.wake, at: 3).contains(.gone(other)))
    #expect(leases.others == [])
  }
}

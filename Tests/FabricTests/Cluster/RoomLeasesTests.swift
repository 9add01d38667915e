import Rates
import Testing

@testable import Fabric

@Suite("Leases of rooms")
struct RoomLeasesTests {
  private let me = NodeID(1)
  private let other = NodeID(2)

  private func leases() -> RoomLeases { RoomLeases(node: me, address: "a", seed: 1, at: 0) }

  private func record(_ node: NodeID, epoch: UInt64 = 0, revision: UInt64) -> Record {
    Record(
      value: LeaseValue(node: node, epoch: epoch, address: "b").bytes,
      revision: revision
    )
  }

  private func answer(
    _ leases: inout RoomLeases,
    _ effects: [LeaseEffect],
    _ record: Record?,
    at now: Double
  ) throws -> [LeaseEffect] {
    let reads = effects.compactMap { if case .read(let id, _) = $0 { id } else { nil } }
    return leases.answered(try #require(reads.last), Result.success(record), at: now)
  }

  private func answer(
    _ leases: inout RoomLeases,
    _ effects: [LeaseEffect],
    _ result: Result<UInt64, RecordFailure>,
    at now: Double
  ) throws -> [LeaseEffect] {
    let writes = effects.compactMap { if case .write(let id, _, _, _) = $0 { id } else { nil } }
    return leases.answered(try #require(writes.last), result, at: now)
  }

  /// The value and the condition of the last write.
  private func write(_ effects: [LeaseEffect]) -> (LeaseValue?, WriteCondition)? {
    for case .write(_, _, let value, let after) in effects.reversed() {
      return (LeaseValue(value), after)
    }
    return nil
  }

  private func owner() throws -> RoomLeases {
    var leases = leases()
    let effects = try answer(&leases, leases.want("a", at: 0), nil, at: 0.01)
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
      let effects = leases.wake(at: now)
      guard let (value, condition) = write(effects) else { continue }
      #expect(value == LeaseValue(node: me, epoch: 10, address: "a"))
      #expect(condition == .revision(revision))
      writes.append(now)
      revision += 3
      #expect(try answer(&leases, effects, .success(revision), at: now) == [])
    }
    #expect(writes.count == 6 && zip(writes, writes.dropFirst()).allSatisfy { $1 - $0 >= 3 })
    #expect(leases.ownedCount == 1 && leases.epoch(of: "a", at: 20) == 10)
  }

  @Test("the owners of rooms are listed with their epochs, up to a number of rooms")
  func owners() throws {
    var leases = try owner()
    _ = try answer(&leases, leases.want("b", at: 1), record(other, revision: 30), at: 1.1)
    _ = leases.want("c", at: 2)
    let all = leases.owners(atMost: 9)
    #expect(all.map(\.room) == ["a", "b"])
    #expect(all.map(\.node) == [me, other])
    #expect(all.map(\.epoch) == [10, 30])
    #expect(leases.owners(atMost: 1).count == 1)
  }

  @Test("a lease that was read before a greater epoch was mentioned is read again")
  func outdatedRead() throws {
    var leases = leases()
    let read = leases.want("a", at: 0)
    #expect(leases.newerEpoch("a", 40, at: 0.001) == [])
    let first = RoomOwner(node: other, epoch: 30, address: "b")
    let effects = try answer(&leases, read, record(other, revision: 30), at: 0.002)
    #expect(effects == [.owner("a", first)])
    let again = leases.wake(at: 0.002 + RoomLeases.mentionSeconds)
    let second = RoomOwner(node: other, epoch: 40, address: "b")
    let answered = try answer(&leases, again, record(other, revision: 40), at: 0.06)
    #expect(answered == [.owner("a", second)])
    // A mention that nothing confirms costs one more read, and not one after the other.
    let doubted = leases.newerEpoch("a", 50, at: 1)
    _ = try answer(&leases, doubted, record(other, revision: 40), at: 1.01)
    let last = leases.wake(at: 1.1)
    #expect(try answer(&leases, last, record(other, revision: 40), at: 1.11) == [])
    #expect(!leases.wake(at: 5).contains { if case .read = $0 { true } else { false } })
  }

  @Test("a greater epoch that others have seen is read again, and then exceeded or obeyed")
  func fencing() throws {
    var leases = try owner()
    #expect(leases.newerEpoch("a", 9, at: 0.1) == [])
    #expect(leases.newerEpoch("a", .max, at: 0.1) == [])
    var effects = leases.newerEpoch("a", 40, at: 0.2)
    var obedient = leases
    #expect(
      try answer(&obedient, effects, record(other, revision: 40), at: 0.21) == [
        .lost("a"), .owner("a", RoomOwner(node: other, epoch: 40, address: "b")),
      ]
    )
    #expect(obedient.ownedCount == 0 && obedient.epoch(of: "a", at: 0.21) == nil)
    effects = try answer(&leases, effects, record(me, revision: 10), at: 0.21)
    #expect(write(effects)?.0?.epoch == 41)
    #expect(try answer(&leases, effects, .success(12), at: 0.22) == [.owned("a", epoch: 41)])
    #expect(leases.epoch(of: "a", at: 0.3) == 41)
  }

  @Test("an owner that denies it loses the room to whoever asked")
  func denial() throws {
    var leases = leases()
    let effects = leases.want("a", at: 0)
    let follow = try answer(&leases, effects, record(other, revision: 7), at: 0.1)
    #expect(follow == [.owner("a", RoomOwner(node: other, epoch: 7, address: "b"))])
    #expect(leases.heard(Heartbeat(state: .serving, load: 0, rooms: 0), from: other, at: 0.1) == [])
    let look = leases.review("a", at: 0.2)
    #expect(try answer(&leases, look, record(other, revision: 7), at: 0.3) == [])
    let again = leases.review("a", deniedBy: other, at: 0.4)
    let take = try answer(&leases, again, record(other, revision: 7), at: 0.5)
    #expect(write(take)?.1 == .revision(7))
    #expect(try answer(&leases, take, .success(8), at: 0.6) == [.owned("a", epoch: 8)])
  }

  @Test("a node denies a room that it does not want, but not if it owns it or may get it")
  func denials() throws {
    #expect(leases().denies("a", at: 0.1))
    // A node that was paused does not know what it owns.
    #expect(!leases().denies("a", at: 60))
    var leases = try owner()
    #expect(!leases.denies("a", at: 0.1) && leases.denies("b", at: 0.1))
    let release = leases.release("a", to: other, at: 0.2)
    #expect(!leases.denies("a", at: 0.2))
    #expect(
      try answer(&leases, release, .success(11), at: 0.3).contains(.released("a"))
    )
    // Members of the room are here, so this node follows the next owner.
    #expect(!leases.denies("a", at: 0.3))
    _ = leases.forget("a", at: 0.4)
    #expect(leases.denies("a", at: 0.4))
    var asking = self.leases()
    let take = try answer(&asking, asking.want("a", at: 0.1), nil, at: 0.2)
    _ = asking.forget("a", at: 0.3)
    // The write may still make this node the owner.
    #expect(write(take) != nil && !asking.denies("a", at: 0.3))
    _ = try answer(&asking, take, .failure(.conflict), at: 0.4)
    #expect(asking.denies("a", at: 0.4))
  }

  @Test("a write without an answer is looked up, and a late one does not confirm anything")
  func unknownWrites() throws {
    var leases = try owner()
    let renewal = leases.wake(at: 1) + leases.wake(at: 2) + leases.wake(at: 3.1)
    var effects = try answer(&leases, renewal, .failure(.unknown("late")), at: 4)
    #expect(write(effects) == nil)
    effects = leases.wake(at: 4.3)
    #expect(try answer(&leases, effects, record(me, epoch: 10, revision: 15), at: 4.4) == [])
    effects = leases.wake(at: 5.2) + leases.wake(at: 6.2)
    #expect(write(effects)?.1 == .revision(15))
    // The process was paused before the answer arrived.
    effects = try answer(&leases, effects, .success(16), at: 30)
    #expect(effects.first == .frozen("a") && !effects.contains(.thawed("a")))
    #expect(write(effects)?.1 == .revision(16) && leases.epoch(of: "a", at: 30) == nil)
    #expect(try answer(&leases, effects, .success(17), at: 30.1) == [.thawed("a")])
  }

  @Test("a room that is forgotten while it is being taken is given back")
  func forgotten() throws {
    var leases = leases()
    let take = try answer(&leases, leases.want("a", at: 0), nil, at: 0.1)
    #expect(leases.forget("a", at: 0.1) == [])
    let effects = try answer(&leases, take, .success(5), at: 0.2)
    guard case .delete(let id, "a", .revision(5))? = effects.first, effects.count == 1
    else {
      Issue.record("\(effects)")
      return
    }
    #expect(
      leases.answered(id, Result<Void, RecordFailure>.success(()), at: 0.3) == [.released("a")]
    )
    #expect(leases.leases.isEmpty && leases.requests.isEmpty && leases.ownedCount == 0)
  }

  @Test("rooms, requests and the queue are bounded, and an unreadable lease is replaced")
  func bounds() throws {
    var leases = RoomLeases(node: me, address: "a", seed: 1, at: 0, roomsMax: 100)
    for number in 0..<150 { _ = leases.want("\(number)", at: 0) }
    #expect(leases.leases.count == 100 && leases.requests.count == 100)
    for step in 1...100 {
      for number in 0..<150 { _ = leases.review("\(number)", at: Double(step)) }
      _ = leases.wake(at: Double(step))
    }
    #expect(leases.queue.count <= 100 && leases.requests.count == 100)
    for number in 0..<150 { _ = leases.forget("\(number)", at: 100) }
    #expect(leases.leases.isEmpty && leases.requests.isEmpty)
    var small = self.leases()
    let garbage = Record(value: [1, 2, 3], revision: 4)
    let effects = try answer(&small, small.want("a", at: 0), garbage, at: 0)
    #expect(write(effects)?.1 == .revision(4))
    // An epoch that cannot be exceeded is no reason to fail.
    small = self.leases()
    let wild = record(me, epoch: .max, revision: 4)
    #expect(write(try answer(&small, small.want("a", at: 0), wild, at: 0))?.0?.epoch == 0)
  }

  @Test("nodes are present until they are silent or end")
  func presence() {
    var leases = leases()
    let beat = Heartbeat(state: .serving, load: 5, rooms: 2)
    _ = leases.heard(beat, from: other, at: 0.1)
    _ = leases.heard(Heartbeat(state: .ended, load: 0, rooms: 0), from: NodeID(3), at: 0.1)
    _ = leases.heard(beat, from: me, at: 0.1)
    #expect(leases.others == [other: beat])
    for step in 1...3 { _ = leases.wake(at: Double(step) / 2) }
    leases.heard(from: other, at: 1.5)
    for step in 4...5 { _ = leases.wake(at: Double(step) / 2) }
    #expect(leases.others == [other: beat])
    _ = leases.wake(at: 3)
    #expect(leases.others == [:])
  }
}

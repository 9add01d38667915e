import Fabric
import Scene
import TestVectors
import Testing

@testable import Rooms

/// An event that may move the book.
private enum Event: Equatable {
  case come(Grant), lose, leave, grant(Grant), policy(Policy), touch(isHeld: Bool), pass
  case handover(Handover)

  static func random(using random: inout SplitMix64) -> Event {
    let grant = Grant.allCases.randomElement(using: &random) ?? .follow
    let other = UInt32.random(in: 0...9, using: &random)
    switch Int.random(in: 0..<32, using: &random) {
    case 0..<6: return .come(grant)
    case 6..<9: return .lose
    case 9: return .leave
    case 10: return .grant(grant)
    case 11: return .policy(Policy.allCases.randomElement(using: &random) ?? .hostLeads)
    case 12..<15: return .touch(isHeld: random.happens(0.3))
    case 15..<17: return .pass
    case 17..<20: return .handover(.ask)
    case 20: return .handover(.withdraw)
    case 21..<24: return .handover(.offer(other))
    case 24..<26: return .handover(.accept)
    case 26: return .handover(.decline)
    case 27: return .handover(.refuse(other))
    case 28..<30: return .handover(.take)
    default: return .handover(.layDown)
    }
  }
}

/// The leadership of a room, and an independent record of who is connected.
private struct Bystander {
  var room: Leadership
  var now = 100.0
  /// The members in the room; nil for a connected one, otherwise the time of its loss.
  var lostAt: [MemberID: Double?] = [:]
  /// The number of times that the book changed hands.
  var passages = 0
  var faults: [String] = []

  var present: [MemberID] { lostAt.filter { $0.value == nil }.map(\.key) }

  mutating func attempt(_ event: Event, of id: MemberID) {
    // Otherwise the end of an expired grace period could give the book to a member that is lost
    // only now.
    room.advance(to: now)
    let before = room
    switch event {
    case .come(let grant):
      lostAt[id] = .some(nil)
      room.come(id, grant: grant, at: now)
    case .lose:
      if lostAt[id] == .some(nil) { lostAt[id] = now }
      room.lose(id, at: now)
    case .leave:
      lostAt[id] = nil
      room.leave(id, at: now)
    case .grant(let grant): room.setGrant(grant, of: id, at: now)
    case .policy(let policy): room.setPolicy(policy, at: now)
    case .touch(let isHeld): room.touch(by: id, isHeld: isHeld, at: now)
    case .pass: room.advance(to: now)
    case .handover(let handover):
      let isDone = room.handle(handover, from: id, at: now)
      if !isDone, room != before { faults.append("\(handover) denied, and yet done") }
      if room != before { checkRight(to: handover, of: id, before: before) }
    }
    if room.presenter != before.presenter { passages += 1 }
    check(before, after: event, of: id)
  }

  /// Checks the invariants of every state and of every step.
  mutating func check(_ before: Leadership, after event: Event, of id: MemberID) {
    func claim(_ isTrue: Bool, _ text: String) {
      if !isTrue { faults.append("\(text) after \(event) of \(id.rawValue)") }
    }
    let present = self.present
    if let presenter = room.presenter {
      let lost = lostAt[presenter]
      claim(lost != nil, "a presenter who is not here")
      if case .some(.some(let time)) = lost {
        claim(now < time + Leadership.graceSeconds, "a presenter away for too long")
        claim(room.deadline == time + Leadership.graceSeconds, "no end of the grace")
        claim(before.presenter == presenter, "the book went to one who is away")
      } else {
        claim(room.deadline == nil, "a grace for who is present")
      }
    } else {
      claim(present.count != 1, "somebody alone without the book")
      claim(!room.asking.contains { present.contains($0) }, "nobody has what somebody asks for")
      claim(room.deadline == nil, "a grace for nobody")
    }
    if let offered = room.offered {
      claim(present.contains(offered), "an offer to one who is away")
      claim(offered != room.presenter, "an offer to who has it")
      claim(room.policy != .anyoneTurns, "an offer where anyone turns")
    }
    claim(Set(room.asking).count == room.asking.count, "two askings of one")
    claim(room.asking.allSatisfy { lostAt[$0] != nil && $0 != room.presenter }, "asks in vain")
    claim(room.policy != .anyoneTurns || room.asking.isEmpty, "asks where anyone turns")
    checkRights(present, claim)
  }

  private func checkRights(_ present: [MemberID], _ claim: (Bool, String) -> Void) {
    let everybody = (0...9).map(MemberID.init)
    let presenting = everybody.filter { room.role(of: $0) == .presenter }
    claim(presenting == [room.presenter].compactMap { $0 }, "two presenters, or another")
    claim(!everybody.contains { room.role(of: $0) == .wanderer }, "a wanderer")
    for id in everybody where !present.contains(id) {
      let mayAnything =
        room.mayTurn(id) || room.mayTake(id) || room.mayAsk(id) || room.mayOffer(id)
      claim(!mayAnything, "rights of one who is away")
    }
    if room.policy != .anyoneTurns {
      claim(everybody.filter(room.mayTurn).allSatisfy { $0 == room.presenter }, "two may turn")
    }
    if room.policy == .hostLeads, let presenter = room.presenter, !room.isLent,
      room.grant(of: presenter) == .follow
    {
      claim(!present.contains { room.grant(of: $0) != .follow }, "a follower leads a host")
    }
  }

  private mutating func checkRight(to handover: Handover, of id: MemberID, before: Leadership) {
    let mayDo =
      switch handover {
      case .ask: before.mayAsk(id)
      case .withdraw: before.asking.contains(id) || before.mayOffer(id)
      case .offer, .refuse: before.mayOffer(id)
      case .accept, .decline: before.offered == id
      case .take: before.mayTake(id)
      case .layDown: before.presenter == id
      }
    if !mayDo { faults.append("\(handover) of \(id.rawValue), who may not") }
  }
}

@Suite("Random changes of the presenter")
struct LeadershipPropertyTests {
  /// Runs random events in a room of up to ten members, derived from a seed.
  private func run(_ seed: UInt64, steps: Int = 400) -> Bystander {
    var random = SplitMix64(seed: seed)
    let policy = Policy.allCases[Int(seed % 3)]
    var bystander = Bystander(room: Leadership(policy: policy))
    for _ in 0..<steps where bystander.faults.isEmpty {
      // Some steps happen at the same time, and some at the very end of a grace period.
      let pauses = [0, 0.25, 1, 3, 10, 12]
      let pause = pauses.randomElement(using: &random) ?? 0
      bystander.now += pause
      let id = MemberID(UInt32.random(in: 0...9, using: &random))
      bystander.attempt(.random(using: &random), of: id)
    }
    return bystander
  }

  @Test("after any events a connected member or nobody presents, according to the rules")
  func invariants() {
    var passages = 0
    let chosen = seeds(0..<200)
    for seed in chosen {
      let bystander = run(seed)
      #expect(bystander.faults == [], "SEED=\(seed)")
      passages += bystander.passages
    }
    #expect(passages >= 10 * (chosen.count - 1), "a chance that moves no book tests nothing")
  }

  @Test("equal events lead to equal states, and a late call has the same result as a punctual one")
  func determinism() {
    for seed in seeds(0..<100) {
      #expect(run(seed).room == run(seed).room, "SEED=\(seed)")
      var random = SplitMix64(seed: seed)
      var (late, punctual) = (Leadership(policy: .passTheBook), Leadership(policy: .passTheBook))
      var now = 0.0
      for _ in 0..<200 {
        now += Double.random(in: 0...8, using: &random)
        if let deadline = punctual.deadline, deadline <= now { punctual.advance(to: deadline) }
        let id = MemberID(UInt32.random(in: 0...4, using: &random))
        let isLost = random.happens(0.5)
        for change in [0, 1] {
          var room = change == 0 ? late : punctual
          if isLost { room.lose(id, at: now) } else { room.come(id, grant: .follow, at: now) }
          if change == 0 { late = room } else { punctual = room }
        }
        #expect(late == punctual, "SEED=\(seed)")
      }
    }
  }
}

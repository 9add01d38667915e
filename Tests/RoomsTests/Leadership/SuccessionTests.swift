import Fabric
import Scene
import Testing
import Wire

@testable import Rooms

@Suite("The succession of presenters")
struct SuccessionTests {
  @Test("a lost presenter keeps the book for ten seconds", arguments: Policy.allCases)
  func grace(_ policy: Policy) {
    var room = gathered(policy, [.host, .present, .follow])
    room.lose(anna, at: 20)
    #expect(room.presenter == anna)
    #expect(room.isPresenterAway)
    #expect(room.deadline == 30)
    #expect(!room.mayTurn(anna))
    #expect(room.mayTurn(cleo) == (policy == .anyoneTurns))
    room.advance(to: 29.999)
    #expect(room.presenter == anna)
    room.advance(to: 30)
    #expect(room.presenter == ben)
    #expect(room.deadline == nil)
  }

  @Test("the metrics state how the book changed hands")
  func figures() throws {
    var company = try Company(.hostLeads, .present, .follow)
    #expect(company.rooms.figures.roleChanges == [.begun: 1])
    try company.say(.handover(.take), company.ben)
    #expect(company.rooms.figures.roleChanges == [.begun: 1, .passed: 1])
    company.rooms.leave(company.ben, now: company.now, into: &company.effects)
    try company.carryOut()
    try company.pass(11)
    #expect(company.rooms.figures.roleChanges == [.begun: 1, .passed: 1, .inherited: 1])
    for id in [company.anna, company.cleo] {
      company.rooms.leave(id, now: company.now, into: &company.effects)
    }
    try company.carryOut()
    try company.pass(61)
    let all = company.rooms.figures.roleChanges
    #expect(all == [.begun: 1, .passed: 1, .inherited: 1, .lapsed: 1])
  }

  @Test("a presenter that returns in time still presents, and one that returns late follows")
  func returning() {
    var room = gathered(.passTheBook, [.follow, .follow, .follow])
    room.lose(anna, at: 20)
    room.come(anna, grant: .follow, at: 29)
    #expect(room.presenter == anna && !room.isPresenterAway && room.mayTurn(anna))
    room.lose(anna, at: 40)
    room.come(anna, grant: .follow, at: 50)
    #expect(room.presenter == ben)
    room.leave(ben, at: 51)
    #expect(room.presenter == cleo, "who was away for long is no longer here for longest")
  }

  @Test("a member that returns in time keeps its seniority")
  func seniority() {
    var room = gathered(.passTheBook, [.follow, .follow, .follow])
    room.lose(ben, at: 20)
    room.come(ben, grant: .follow, at: 25)
    room.leave(anna, at: 26)
    #expect(room.presenter == ben)
  }

  @Test("a presenter that leaves for good is replaced at once")
  func leaving() {
    var room = gathered(.hostLeads, [.host, .follow, .present])
    room.leave(anna, at: 20)
    #expect(room.presenter == cleo)
  }

  @Test("the heir is a host, else a co-presenter, else one that asks, else anyone when passing on")
  func heirs() {
    func heir(_ policy: Policy, _ grants: [Grant], asks: Bool = false) -> MemberID? {
      var room = gathered(policy, [.host] + grants)
      if asks { room.attempt(.ask, from: dora) }
      room.lose(anna, at: 20)
      room.advance(to: 30)
      return room.presenter
    }
    for policy in [Policy.hostLeads, .passTheBook] {
      #expect(heir(policy, [.present, .host, .host], asks: true) == cleo)
      #expect(heir(policy, [.follow, .present, .follow], asks: true) == cleo)
      #expect(heir(policy, [.follow, .follow, .follow], asks: true) == dora)
    }
    #expect(heir(.passTheBook, [.follow, .follow, .follow]) == ben)
    #expect(heir(.hostLeads, [.follow, .follow]) == nil)
    #expect(heir(.anyoneTurns, [.follow, .follow]) == nil)
    #expect(heir(.hostLeads, [.follow]) == ben, "who is left alone presents")
  }

  @Test("the book never goes to a member that is away")
  func awayHeirs() {
    var room = gathered(.hostLeads, [.host, .host, .present, .follow])
    room.lose(ben, at: 19)
    room.lose(anna, at: 20)
    room.advance(to: 30)
    #expect(room.presenter == cleo)
    room.lose(dora, at: 31)
    room.denies(.ask, from: dora, at: 32)
    #expect(!room.mayAsk(dora))
  }

  @Test("when all members are away nobody presents, and the first one to return does")
  func allAway() {
    var room = gathered(.hostLeads, [.host, .follow])
    room.lose(ben, at: 20)
    room.lose(anna, at: 21)
    room.advance(to: 31)
    #expect(room.presenter == nil)
    room.come(ben, grant: .follow, at: 32)
    #expect(room.presenter == ben)
    room.come(anna, grant: .host, at: 33)
    #expect(room.presenter == anna, "ben had the book only because nobody else was there")
  }

  @Test("while the presenter is away, only a member that may take or was offered the book gets it")
  func meanwhile() {
    var lost = gathered(.hostLeads, [.host, .host, .follow])
    lost.attempt(.offer(3), from: anna)
    lost.lose(anna, at: 20)
    var taken = lost
    taken.denies(.take, from: cleo, at: 21)
    taken.grants(.take, from: ben, at: 21)
    #expect(taken.presenter == ben)
    lost.grants(.accept, from: cleo, at: 21)
    #expect(lost.presenter == cleo)
  }

  @Test("a lent book stays lent when a host joins, but an inherited one does not")
  func lending() {
    var lent = gathered(.hostLeads, [.host, .follow, .follow])
    lent.attempt(.offer(2), from: anna)
    lent.attempt(.accept, from: ben)
    lent.leave(anna, at: 21)
    lent.come(dora, grant: .host, at: 22)
    #expect(lent.presenter == ben)
    var found = gathered(.hostLeads, [.host, .follow, .follow])
    found.leave(anna, at: 21)
    found.attempt(.ask, from: ben, at: 22)
    found.attempt(.offer(3), from: ben, at: 23)
    found.attempt(.accept, from: cleo, at: 23)
    found.come(dora, grant: .host, at: 24)
    #expect(found.presenter == dora)
  }

  @Test("a grant that is given or revoked moves the book where the host leads")
  func grants() {
    var room = gathered(.hostLeads, [.host, .host, .follow])
    room.setGrant(.follow, of: anna, at: 20)
    #expect(room.presenter == ben && room.grant(of: anna) == .follow)
    room.leave(ben, at: 21)
    room.attempt(.ask, from: anna, at: 22)
    #expect(room.presenter == anna)
    room.setGrant(.present, of: cleo, at: 23)
    #expect(room.presenter == cleo && room.mayTake(cleo) == false)
  }

  @Test("under a new rule the presenter stays if it may, otherwise the host presents")
  func policies() {
    var room = gathered(.anyoneTurns, [.host, .present, .follow])
    room.touch(by: ben, isHeld: false, at: 20)
    room.setPolicy(.hostLeads, at: 21)
    #expect(room.presenter == ben)
    room.setPolicy(.anyoneTurns, at: 22)
    room.touch(by: cleo, isHeld: false, at: 22)
    room.setPolicy(.passTheBook, at: 23)
    #expect(room.presenter == cleo)
    room.attempt(.ask, from: ben, at: 23)
    room.setPolicy(.hostLeads, at: 24)
    #expect(room.presenter == anna)
    #expect(room.asking == [ben])
    room.setPolicy(.anyoneTurns, at: 25)
    #expect(room.presenter == anna && room.asking == [])
  }

  @Test("a new rule finds a presenter for a book that has none")
  func policyForNobody() {
    var room = gathered(.hostLeads, [.host, .follow])
    room.attempt(.layDown, from: anna)
    #expect(room.presenter == nil)
    room.setPolicy(.passTheBook, at: 21)
    #expect(room.presenter == anna)
  }
}

import Fabric
import Scene
import Testing
import Wire

@testable import Rooms

@Suite("Who has the book after its presenter")
struct SuccessionTests {
  @Test("a presenter that is lost is waited for ten seconds", arguments: Policy.allCases)
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

  @Test("the figures tell how the book came into other hands")
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

  @Test("who returns in time presents still, and who returns late follows")
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

  @Test("who returns in time is here for as long as before")
  func seniority() {
    var room = gathered(.passTheBook, [.follow, .follow, .follow])
    room.lose(ben, at: 20)
    room.come(ben, grant: .follow, at: 25)
    room.leave(anna, at: 26)
    #expect(room.presenter == ben)
  }

  @Test("nobody waits for a presenter that goes for good")
  func leaving() {
    var room = gathered(.hostLeads, [.host, .follow, .present])
    room.leave(anna, at: 20)
    #expect(room.presenter == cleo)
  }

  @Test("a presenter's heir is the host, the co-presenter, who asks, and where it is passed anyone")
  func heirs() {
    func heir(_ policy: Policy, _ grants: [Grant], asks: Bool = false) -> MemberID? {
      var room = gathered(policy, [.host] + grants)
      if asks { room.hear(.ask, from: dora) }
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

  @Test("the book is never left to who is away")
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

  @Test("when all are away nobody presents, and the first to return does")
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

  @Test("while the presenter is away only who may take the book gets it, and whom it was offered")
  func meanwhile() {
    var lost = gathered(.hostLeads, [.host, .host, .follow])
    lost.hear(.offer(3), from: anna)
    lost.lose(anna, at: 20)
    var taken = lost
    taken.denies(.take, from: cleo, at: 21)
    taken.grants(.take, from: ben, at: 21)
    #expect(taken.presenter == ben)
    lost.grants(.accept, from: cleo, at: 21)
    #expect(lost.presenter == cleo)
  }

  @Test("what was lent stays lent when a host comes, what lay about does not")
  func lending() {
    var lent = gathered(.hostLeads, [.host, .follow, .follow])
    lent.hear(.offer(2), from: anna)
    lent.hear(.accept, from: ben)
    lent.leave(anna, at: 21)
    lent.come(dora, grant: .host, at: 22)
    #expect(lent.presenter == ben)
    var found = gathered(.hostLeads, [.host, .follow, .follow])
    found.leave(anna, at: 21)
    found.hear(.ask, from: ben, at: 22)
    found.hear(.offer(3), from: ben, at: 23)
    found.hear(.accept, from: cleo, at: 23)
    found.come(dora, grant: .host, at: 24)
    #expect(found.presenter == dora)
  }

  @Test("a grant that is given or taken moves the book where the host leads")
  func grants() {
    var room = gathered(.hostLeads, [.host, .host, .follow])
    room.setGrant(.follow, of: anna, at: 20)
    #expect(room.presenter == ben && room.grant(of: anna) == .follow)
    room.leave(ben, at: 21)
    room.hear(.ask, from: anna, at: 22)
    #expect(room.presenter == anna)
    room.setGrant(.present, of: cleo, at: 23)
    #expect(room.presenter == cleo && room.mayTake(cleo) == false)
  }

  @Test("under new rules the presenter stays if it may, else it is the host")
  func policies() {
    var room = gathered(.anyoneTurns, [.host, .present, .follow])
    room.touch(by: ben, isHeld: false, at: 20)
    room.setPolicy(.hostLeads, at: 21)
    #expect(room.presenter == ben)
    room.setPolicy(.anyoneTurns, at: 22)
    room.touch(by: cleo, isHeld: false, at: 22)
    room.setPolicy(.passTheBook, at: 23)
    #expect(room.presenter == cleo)
    room.hear(.ask, from: ben, at: 23)
    room.setPolicy(.hostLeads, at: 24)
    #expect(room.presenter == anna)
    #expect(room.asking == [ben])
    room.setPolicy(.anyoneTurns, at: 25)
    #expect(room.presenter == anna && room.asking == [])
  }

  @Test("a book that nobody has finds somebody under new rules")
  func policyForNobody() {
    var room = gathered(.hostLeads, [.host, .follow])
    room.hear(.layDown, from: anna)
    #expect(room.presenter == nil)
    room.setPolicy(.passTheBook, at: 21)
    #expect(room.presenter == anna)
  }
}

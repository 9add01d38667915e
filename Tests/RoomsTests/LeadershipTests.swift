import Scene
import Testing

@testable import Rooms

private let anna = MemberID(1)
private let ben = MemberID(2)
private let cleo = MemberID(3)
private let dora = MemberID(4)

/// A room in which everybody came a second after the one before, the first at 0 s.
private func room(_ policy: Policy, _ grants: [Grant]) -> Leadership {
  var room = Leadership(policy: policy)
  for (index, grant) in grants.enumerated() {
    room.come(MemberID(UInt32(index) + 1), grant: grant, at: Double(index))
  }
  return room
}

extension Leadership {
  /// A member does something at 20 s, which is after all have come.
  fileprivate mutating func hear(_ handover: Handover, from id: MemberID, at now: Double = 20) {
    _ = handle(handover, from: id, at: now)
  }

  /// The same, of which something comes.
  fileprivate mutating func grants(
    _ handover: Handover,
    from id: MemberID,
    at now: Double = 20,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let isDone = handle(handover, from: id, at: now)
    #expect(isDone, sourceLocation: sourceLocation)
  }

  /// The same, of which nothing comes.
  fileprivate mutating func denies(
    _ handover: Handover,
    from id: MemberID,
    at now: Double = 20,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let before = self
    let isDone = handle(handover, from: id, at: now)
    #expect(!isDone, sourceLocation: sourceLocation)
    #expect(self == before, sourceLocation: sourceLocation)
  }
}

@Suite("Who has the book")
struct LeadershipTests {
  @Test("an empty room has no presenter", arguments: Policy.allCases)
  func empty(_ policy: Policy) {
    let room = Leadership(policy: policy)
    #expect(room.presenter == nil)
    #expect(room.deadline == nil)
    #expect(room.role(of: anna) == .follower)
    #expect(!room.mayTurn(anna))
    #expect(room.grant(of: anna) == nil)
  }

  @Test("who is alone presents", arguments: Policy.allCases, Grant.allCases)
  func alone(_ policy: Policy, _ grant: Grant) {
    let room = room(policy, [grant])
    #expect(room.presenter == anna)
    #expect(room.role(of: anna) == .presenter)
    #expect(room.mayTurn(anna))
    #expect(room.grant(of: anna) == grant)
  }

  @Test("who is alone cannot lay the book down", arguments: Policy.allCases)
  func aloneLaysDown(_ policy: Policy) {
    var room = room(policy, [.host])
    room.denies(.layDown, from: anna)
    #expect(room.presenter == anna)
  }

  @Test("who comes second finds the first presenting", arguments: Policy.allCases)
  func second(_ policy: Policy) {
    let room = room(policy, [.host, .host])
    #expect(room.presenter == anna)
    #expect(room.role(of: ben) == .copresenter)
    #expect(room.mayTurn(ben) == (policy == .anyoneTurns))
  }

  @Test("a host who comes where it leads gets the book from one that was only first")
  func hostComes() {
    #expect(room(.hostLeads, [.follow, .host]).presenter == ben)
    #expect(room(.hostLeads, [.follow, .present]).presenter == ben)
    #expect(room(.hostLeads, [.present, .host]).presenter == anna)
    #expect(room(.passTheBook, [.follow, .host]).presenter == anna)
    #expect(room(.anyoneTurns, [.follow, .host]).presenter == anna)
  }

  @Test("where the host leads a follower may neither turn nor take, but ask")
  func followerRights() {
    let room = room(.hostLeads, [.host, .follow, .present])
    #expect(!room.mayTurn(ben) && !room.mayTake(ben) && room.mayAsk(ben) && !room.mayOffer(ben))
    #expect(room.role(of: ben) == .follower)
    #expect(!room.mayTurn(cleo) && room.mayTake(cleo) && room.mayAsk(cleo) && !room.mayOffer(cleo))
    #expect(room.role(of: cleo) == .copresenter)
    #expect(room.mayTurn(anna) && !room.mayTake(anna) && !room.mayAsk(anna) && room.mayOffer(anna))
  }

  @Test("where the book is passed only a host takes it from its holder")
  func passingRights() {
    var room = room(.passTheBook, [.follow, .present, .host])
    #expect(!room.mayTake(ben) && room.role(of: ben) == .follower)
    #expect(room.mayTake(cleo) && room.role(of: cleo) == .copresenter)
    room.denies(.take, from: ben)
    room.grants(.take, from: cleo)
    #expect(room.presenter == cleo)
  }

  @Test(
    "an offer that is accepted hands the book over",
    arguments: [Policy.hostLeads, .passTheBook]
  )
  func offer(_ policy: Policy) {
    var room = room(policy, [.host, .follow])
    room.grants(.offer(2), from: anna)
    #expect(room.offered == ben)
    #expect(room.presenter == anna)
    room.grants(.accept, from: ben)
    #expect(room.presenter == ben)
    #expect(room.offered == nil)
  }

  @Test("an offer that is declined, replaced or withdrawn cannot be accepted")
  func lapsedOffer() {
    var room = room(.passTheBook, [.follow, .follow, .follow])
    room.hear(.offer(2), from: anna)
    room.grants(.decline, from: ben)
    room.denies(.accept, from: ben)
    room.hear(.offer(2), from: anna)
    room.grants(.offer(3), from: anna)
    room.denies(.accept, from: ben)
    #expect(room.offered == cleo)
    room.grants(.withdraw, from: anna)
    room.denies(.accept, from: cleo)
    #expect(room.presenter == anna)
  }

  @Test("an offer ends when the book goes elsewhere, and when its member is away")
  func offerEnds() {
    var room = room(.passTheBook, [.follow, .follow, .host])
    room.hear(.offer(2), from: anna)
    room.hear(.take, from: cleo)
    #expect(room.offered == nil)
    room.denies(.accept, from: ben)
    room.hear(.offer(2), from: cleo)
    room.lose(ben, at: 21)
    #expect(room.offered == nil)
    room.denies(.offer(2), from: cleo, at: 22)
    room.denies(.offer(9), from: cleo, at: 22)
  }

  @Test("only who has the book and hosts offer it, and not to themselves or its holder")
  func whoOffers() {
    var room = room(.hostLeads, [.host, .follow, .present, .host])
    room.denies(.offer(2), from: cleo)
    room.denies(.offer(1), from: dora)
    room.denies(.offer(4), from: dora)
    room.grants(.offer(2), from: dora)
    room.grants(.accept, from: ben)
    #expect(room.presenter == ben)
  }

  @Test("what is asked for waits until it is granted or refused")
  func asking() {
    var room = room(.passTheBook, [.follow, .follow, .follow, .follow])
    room.grants(.ask, from: cleo)
    room.grants(.ask, from: ben)
    room.denies(.ask, from: ben)
    #expect(room.asking == [cleo, ben])
    room.denies(.refuse(3), from: dora)
    room.grants(.refuse(3), from: anna)
    #expect(room.asking == [ben])
    room.grants(.withdraw, from: ben)
    room.denies(.withdraw, from: ben)
    #expect(room.asking == [])
    #expect(room.presenter == anna)
  }

  @Test("offering the book to who asks hands it over at once")
  func granting() {
    var room = room(.hostLeads, [.host, .follow, .follow])
    room.hear(.ask, from: ben)
    room.hear(.ask, from: cleo)
    room.grants(.offer(3), from: anna)
    #expect(room.presenter == cleo)
    #expect(room.asking == [ben])
  }

  @Test("asking for what is offered accepts it")
  func askingAccepts() {
    var room = room(.passTheBook, [.follow, .follow])
    room.hear(.offer(2), from: anna)
    room.grants(.ask, from: ben)
    #expect(room.presenter == ben)
  }

  @Test("a book that nobody has goes at once to whoever asks")
  func askingForNobodys() {
    var room = room(.hostLeads, [.host, .follow, .follow])
    room.grants(.layDown, from: anna)
    #expect(room.presenter == nil)
    #expect(!room.mayTurn(anna) && room.mayTake(anna) && room.mayAsk(ben))
    room.grants(.ask, from: cleo)
    #expect(room.presenter == cleo)
  }

  @Test("a host takes back what it gave, and what it did not")
  func takingBack() {
    var room = room(.hostLeads, [.host, .follow, .host])
    room.hear(.offer(2), from: anna)
    room.hear(.accept, from: ben)
    room.denies(.take, from: ben)
    room.grants(.take, from: cleo)
    #expect(room.presenter == cleo)
    room.grants(.take, from: anna)
    #expect(room.presenter == anna)
  }

  @Test("laid down, the book goes to the host, else the co-presenter, else who asks, else nobody")
  func layingDown() {
    func laid(_ grants: [Grant], asks: Bool = false) -> MemberID? {
      var room = room(.hostLeads, [.host] + grants)
      if asks { room.hear(.ask, from: dora) }
      room.hear(.layDown, from: anna)
      return room.presenter
    }
    #expect(laid([.present, .host, .host]) == cleo)
    #expect(laid([.follow, .present, .present]) == cleo)
    #expect(laid([.follow, .follow, .follow], asks: true) == dora)
    #expect(laid([.follow, .follow, .follow]) == nil)
  }

  @Test("a book lent by the host comes back to it when laid down")
  func lentBook() {
    var room = room(.hostLeads, [.host, .present, .follow])
    room.hear(.offer(3), from: anna)
    room.hear(.accept, from: cleo)
    room.denies(.layDown, from: ben)
    room.grants(.layDown, from: cleo)
    #expect(room.presenter == anna)
  }

  @Test("where it is passed, a book laid down goes first to who asks")
  func passedBook() {
    var room = room(.passTheBook, [.follow, .host, .follow])
    room.hear(.ask, from: cleo)
    room.hear(.layDown, from: anna)
    #expect(room.presenter == cleo)
    room.hear(.layDown, from: cleo)
    #expect(room.presenter == ben)
  }
}

@Suite("Where anyone turns")
struct AnyoneTurnsTests {
  @Test("everybody may turn, and the last to touch presents")
  func touching() {
    var room = room(.anyoneTurns, [.host, .follow, .follow])
    #expect(room.mayTurn(anna) && room.mayTurn(ben) && room.mayTurn(cleo))
    room.touch(by: cleo, isHeld: false, at: 20)
    #expect(room.presenter == cleo)
    room.touch(by: ben, isHeld: false, at: 21)
    #expect(room.presenter == ben)
    #expect(room.role(of: cleo) == .follower)
  }

  @Test("what somebody else holds stays with who presents")
  func held() {
    var room = room(.anyoneTurns, [.follow, .follow])
    room.touch(by: ben, isHeld: true, at: 20)
    #expect(room.presenter == anna)
  }

  @Test("who is away or unknown touches nothing")
  func strangers() {
    var room = room(.anyoneTurns, [.follow, .follow])
    room.lose(ben, at: 20)
    #expect(!room.mayTurn(ben))
    room.touch(by: ben, isHeld: false, at: 21)
    room.touch(by: dora, isHeld: false, at: 21)
    #expect(room.presenter == anna)
  }

  @Test("asking, offering and taking mean nothing")
  func handovers() {
    var room = room(.anyoneTurns, [.host, .host])
    let before = room
    for handover in [Handover.ask, .take, .offer(1), .accept, .decline, .refuse(1), .withdraw] {
      room.denies(handover, from: ben)
    }
    room.denies(.layDown, from: anna)
    #expect(room == before)
    #expect(!room.mayAsk(ben) && !room.mayTake(ben))
  }

  @Test("who has lost its presenter need not wait to turn")
  func presenterAway() {
    var room = room(.anyoneTurns, [.follow, .follow])
    room.lose(anna, at: 20)
    #expect(room.presenter == anna && room.isPresenterAway && room.mayTurn(ben))
    room.touch(by: ben, isHeld: false, at: 21)
    #expect(room.presenter == ben)
    #expect(room.deadline == nil)
  }

  @Test("touching moves nothing under other rules", arguments: [Policy.hostLeads, .passTheBook])
  func otherRules(_ policy: Policy) {
    var room = room(policy, [.host, .host])
    room.touch(by: ben, isHeld: false, at: 20)
    #expect(room.presenter == anna)
  }
}

@Suite("Coming and going with the book")
struct SuccessionTests {
  @Test("a presenter that is lost is waited for ten seconds", arguments: Policy.allCases)
  func grace(_ policy: Policy) {
    var room = room(policy, [.host, .present, .follow])
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

  @Test("who returns in time presents still, and who returns late follows")
  func returning() {
    var room = room(.passTheBook, [.follow, .follow, .follow])
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
    var room = room(.passTheBook, [.follow, .follow, .follow])
    room.lose(ben, at: 20)
    room.come(ben, grant: .follow, at: 25)
    room.leave(anna, at: 26)
    #expect(room.presenter == ben)
  }

  @Test("nobody waits for a presenter that goes for good")
  func leaving() {
    var room = room(.hostLeads, [.host, .follow, .present])
    room.leave(anna, at: 20)
    #expect(room.presenter == cleo)
  }

  @Test("a presenter's heir is the host, the co-presenter, who asks, and where it is passed anyone")
  func heirs() {
    func heir(_ policy: Policy, _ grants: [Grant], asks: Bool = false) -> MemberID? {
      var room = room(policy, [.host] + grants)
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
    var room = room(.hostLeads, [.host, .host, .present, .follow])
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
    var room = room(.hostLeads, [.host, .follow])
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
    var lost = room(.hostLeads, [.host, .host, .follow])
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
    var lent = room(.hostLeads, [.host, .follow, .follow])
    lent.hear(.offer(2), from: anna)
    lent.hear(.accept, from: ben)
    lent.leave(anna, at: 21)
    lent.come(dora, grant: .host, at: 22)
    #expect(lent.presenter == ben)
    var found = room(.hostLeads, [.host, .follow, .follow])
    found.leave(anna, at: 21)
    found.hear(.ask, from: ben, at: 22)
    found.hear(.offer(3), from: ben, at: 23)
    found.hear(.accept, from: cleo, at: 23)
    found.come(dora, grant: .host, at: 24)
    #expect(found.presenter == dora)
  }

  @Test("a grant that is given or taken moves the book where the host leads")
  func grants() {
    var room = room(.hostLeads, [.host, .host, .follow])
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
    var room = room(.anyoneTurns, [.host, .present, .follow])
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
    var room = room(.hostLeads, [.host, .follow])
    room.hear(.layDown, from: anna)
    #expect(room.presenter == nil)
    room.setPolicy(.passTheBook, at: 21)
    #expect(room.presenter == anna)
  }
}

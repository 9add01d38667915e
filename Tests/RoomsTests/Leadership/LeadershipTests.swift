import Fabric
import Scene
import Testing

@testable import Rooms

@Suite("The presenter")
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

  @Test("a member that is alone presents", arguments: Policy.allCases, Grant.allCases)
  func alone(_ policy: Policy, _ grant: Grant) {
    let room = gathered(policy, [grant])
    #expect(room.presenter == anna)
    #expect(room.role(of: anna) == .presenter)
    #expect(room.mayTurn(anna))
    #expect(room.grant(of: anna) == grant)
  }

  @Test("a member that is alone cannot lay the book down", arguments: Policy.allCases)
  func aloneLaysDown(_ policy: Policy) {
    var room = gathered(policy, [.host])
    room.denies(.layDown, from: anna)
    #expect(room.presenter == anna)
  }

  @Test("a second member joins with the first one presenting", arguments: Policy.allCases)
  func second(_ policy: Policy) {
    let room = gathered(policy, [.host, .host])
    #expect(room.presenter == anna)
    #expect(room.role(of: ben) == .copresenter)
    #expect(room.mayTurn(ben) == (policy == .anyoneTurns))
  }

  @Test("a host that joins where the host leads gets the book from a member that was just first")
  func hostComes() {
    #expect(gathered(.hostLeads, [.follow, .host]).presenter == ben)
    #expect(gathered(.hostLeads, [.follow, .present]).presenter == ben)
    #expect(gathered(.hostLeads, [.present, .host]).presenter == anna)
    #expect(gathered(.passTheBook, [.follow, .host]).presenter == anna)
    #expect(gathered(.anyoneTurns, [.follow, .host]).presenter == anna)
  }

  @Test("where the host leads a follower may neither turn nor take, but may ask")
  func followerRights() {
    let room = gathered(.hostLeads, [.host, .follow, .present])
    #expect(!room.mayTurn(ben) && !room.mayTake(ben) && room.mayAsk(ben) && !room.mayOffer(ben))
    #expect(room.role(of: ben) == .follower)
    #expect(!room.mayTurn(cleo) && room.mayTake(cleo) && room.mayAsk(cleo) && !room.mayOffer(cleo))
    #expect(room.role(of: cleo) == .copresenter)
    #expect(room.mayTurn(anna) && !room.mayTake(anna) && !room.mayAsk(anna) && room.mayOffer(anna))
  }

  @Test("where the book is passed on only a host takes the book from its holder")
  func passingRights() {
    var room = gathered(.passTheBook, [.follow, .present, .host])
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
    var room = gathered(policy, [.host, .follow])
    room.grants(.offer(2), from: anna)
    #expect(room.offered == ben)
    #expect(room.presenter == anna)
    room.grants(.accept, from: ben)
    #expect(room.presenter == ben)
    #expect(room.offered == nil)
  }

  @Test("an offer that is declined, replaced or withdrawn cannot be accepted")
  func lapsedOffer() {
    var room = gathered(.passTheBook, [.follow, .follow, .follow])
    room.attempt(.offer(2), from: anna)
    room.grants(.decline, from: ben)
    room.denies(.accept, from: ben)
    room.attempt(.offer(2), from: anna)
    room.grants(.offer(3), from: anna)
    room.denies(.accept, from: ben)
    #expect(room.offered == cleo)
    room.grants(.withdraw, from: anna)
    room.denies(.accept, from: cleo)
    #expect(room.presenter == anna)
  }

  @Test("an offer ends when the book changes hands, and when its recipient is away")
  func offerEnds() {
    var room = gathered(.passTheBook, [.follow, .follow, .host])
    room.attempt(.offer(2), from: anna)
    room.attempt(.take, from: cleo)
    #expect(room.offered == nil)
    room.denies(.accept, from: ben)
    room.attempt(.offer(2), from: cleo)
    room.lose(ben, at: 21)
    #expect(room.offered == nil)
    room.denies(.offer(2), from: cleo, at: 22)
    room.denies(.offer(9), from: cleo, at: 22)
  }

  @Test("a handover that is redundant or outdated is no error")
  func idle() {
    var room = gathered(.passTheBook, [.host, .follow, .follow])
    for handover in [Handover.ask, .take, .withdraw, .decline, .refuse(2)] {
      room.shrugs(handover, from: anna)
    }
    room.attempt(.offer(2), from: anna)
    room.shrugs(.offer(2), from: anna)
    room.shrugs(.withdraw, from: cleo)
    room.shrugs(.decline, from: cleo)
  }

  @Test("only the presenter and hosts offer the book, and not to themselves or to its holder")
  func whoOffers() {
    var room = gathered(.hostLeads, [.host, .follow, .present, .host])
    room.denies(.offer(2), from: cleo)
    room.denies(.offer(1), from: dora)
    room.denies(.offer(4), from: dora)
    room.grants(.offer(2), from: dora)
    room.grants(.accept, from: ben)
    #expect(room.presenter == ben)
  }

  @Test("a request for the book waits until it is granted or refused")
  func asking() {
    var room = gathered(.passTheBook, [.follow, .follow, .follow, .follow])
    room.grants(.ask, from: cleo)
    room.grants(.ask, from: ben)
    room.shrugs(.ask, from: ben)
    #expect(room.asking == [cleo, ben])
    room.denies(.refuse(3), from: dora)
    room.grants(.refuse(3), from: anna)
    #expect(room.asking == [ben])
    room.grants(.withdraw, from: ben)
    room.shrugs(.withdraw, from: ben)
    #expect(room.asking == [])
    #expect(room.presenter == anna)
  }

  @Test("an offer to a member that has asked hands the book over at once")
  func granting() {
    var room = gathered(.hostLeads, [.host, .follow, .follow])
    room.attempt(.ask, from: ben)
    room.attempt(.ask, from: cleo)
    room.grants(.offer(3), from: anna)
    #expect(room.presenter == cleo)
    #expect(room.asking == [ben])
  }

  @Test("a request for a book that is already offered accepts the offer")
  func askingAccepts() {
    var room = gathered(.passTheBook, [.follow, .follow])
    room.attempt(.offer(2), from: anna)
    room.grants(.ask, from: ben)
    #expect(room.presenter == ben)
  }

  @Test("the first request for a book without a presenter is granted at once")
  func askingForNobodys() {
    var room = gathered(.hostLeads, [.host, .follow, .follow])
    room.grants(.layDown, from: anna)
    #expect(room.presenter == nil)
    #expect(!room.mayTurn(anna) && room.mayTake(anna) && room.mayAsk(ben))
    room.grants(.ask, from: cleo)
    #expect(room.presenter == cleo)
  }

  @Test("a host takes the book back, whether or not it gave it")
  func takingBack() {
    var room = gathered(.hostLeads, [.host, .follow, .host])
    room.attempt(.offer(2), from: anna)
    room.attempt(.accept, from: ben)
    room.shrugs(.take, from: ben)
    room.grants(.take, from: cleo)
    #expect(room.presenter == cleo)
    room.grants(.take, from: anna)
    #expect(room.presenter == anna)
  }

  @Test("a laid-down book goes to a host, else a co-presenter, else one that asks, else nobody")
  func layingDown() {
    func laid(_ grants: [Grant], asks: Bool = false) -> MemberID? {
      var room = gathered(.hostLeads, [.host] + grants)
      if asks { room.attempt(.ask, from: dora) }
      room.attempt(.layDown, from: anna)
      return room.presenter
    }
    #expect(laid([.present, .host, .host]) == cleo)
    #expect(laid([.follow, .present, .present]) == cleo)
    #expect(laid([.follow, .follow, .follow], asks: true) == dora)
    #expect(laid([.follow, .follow, .follow]) == nil)
  }

  @Test("a book that the host lent returns to the host when it is laid down")
  func lentBook() {
    var room = gathered(.hostLeads, [.host, .present, .follow])
    room.attempt(.offer(3), from: anna)
    room.attempt(.accept, from: cleo)
    room.denies(.layDown, from: ben)
    room.grants(.layDown, from: cleo)
    #expect(room.presenter == anna)
  }

  @Test("where the book is passed on, a book that is laid down goes first to a member that asks")
  func passedBook() {
    var room = gathered(.passTheBook, [.follow, .host, .follow])
    room.attempt(.ask, from: cleo)
    room.attempt(.layDown, from: anna)
    #expect(room.presenter == cleo)
    room.attempt(.layDown, from: cleo)
    #expect(room.presenter == ben)
  }
}

@Suite("The rule that anyone turns")
struct AnyoneTurnsTests {
  @Test("every member may turn, and the last one to touch the book presents")
  func touching() {
    var room = gathered(.anyoneTurns, [.host, .follow, .follow])
    #expect(room.mayTurn(anna) && room.mayTurn(ben) && room.mayTurn(cleo))
    room.touch(by: cleo, isHeld: false, at: 20)
    #expect(room.presenter == cleo)
    room.touch(by: ben, isHeld: false, at: 21)
    #expect(room.presenter == ben)
    #expect(room.role(of: cleo) == .follower)
  }

  @Test("touching a book that another member holds does not change the presenter")
  func held() {
    var room = gathered(.anyoneTurns, [.follow, .follow])
    room.touch(by: ben, isHeld: true, at: 20)
    #expect(room.presenter == anna)
  }

  @Test("a member that is away or unknown touches nothing")
  func pendingConnections() {
    var room = gathered(.anyoneTurns, [.follow, .follow])
    room.lose(ben, at: 20)
    #expect(!room.mayTurn(ben))
    room.touch(by: ben, isHeld: false, at: 21)
    room.touch(by: dora, isHeld: false, at: 21)
    #expect(room.presenter == anna)
  }

  @Test("asking, offering and taking have no effect")
  func handovers() {
    var room = gathered(.anyoneTurns, [.host, .host])
    let before = room
    for handover in [Handover.ask, .take, .offer(1), .accept, .decline, .refuse(1), .withdraw] {
      room.denies(handover, from: ben)
    }
    room.denies(.layDown, from: anna)
    #expect(room == before)
    #expect(!room.mayAsk(ben) && !room.mayTake(ben))
  }

  @Test("members can turn without a wait when their presenter is lost")
  func presenterAway() {
    var room = gathered(.anyoneTurns, [.follow, .follow])
    room.lose(anna, at: 20)
    #expect(room.presenter == anna && room.isPresenterAway && room.mayTurn(ben))
    room.touch(by: ben, isHeld: false, at: 21)
    #expect(room.presenter == ben)
    #expect(room.deadline == nil)
  }

  @Test("a touch changes nothing under other rules", arguments: [Policy.hostLeads, .passTheBook])
  func otherRules(_ policy: Policy) {
    var room = gathered(policy, [.host, .host])
    room.touch(by: ben, isHeld: false, at: 20)
    #expect(room.presenter == anna)
  }
}

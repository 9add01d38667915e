import Fabric
import Notices
import Scene
import Staging
import Testing
import Wire

@testable import Rooms

@Suite("Bringing all members to another book")
struct TransitionTests {
  /// Returns a room whose host, Anna, has left the shared book and opened another one at page 41.
  private func elsewhere(_ policy: Policy, _ grants: Grant...) throws -> Company {
    var company = try Company(policy, .follow)
    for (place, grant) in grants.enumerated() {
      try company.come(MemberID(UInt32(3 + place)), key: company.link(grant))
    }
    try company.say(.go(book: "2/1", opens: true, page: 41), company.anna, pause: 6)
    #expect(company.room?.stage(of: company.anna).openBook == "2/1")
    company.forget()
    return company
  }

  @Test(
    "all members move to the host's page, and the previous book closes to guests",
    arguments: [Policy.anyoneTurns, .hostLeads, .passTheBook]
  )
  func brought(policy: Policy) throws {
    var company = try elsewhere(policy)
    try company.say(.bring(book: "2/1"), company.anna)
    #expect(company.room?.record?.book == "2/1" && company.room?.record?.collection == "2")
    let place = try #require(company.places(company.anna).last)
    #expect(place.book == "2/1" && place.page == 41)
    #expect(place.range.labels == ["42", "43"])
    try company.pass(0.1)
    let early = company.frameCount(of: company.ben)
    try company.pass(5)
    #expect(early > 0 && company.frameCount(of: company.ben) > early + 30, "the way is seen")
    #expect(company.room?.stage.openBook == "2/1" && company.page == 41)
    #expect(company.books(of: company.ben) == ["2/1"])
    #expect(company.introducedBooks(company.ben) == ["2/1"])
    #expect(company.room?.transition == nil)
    #expect(company.page(of: company.anna).role.role == .presenter)
    #expect(company.seeTheSame(company.anna, company.ben))
    let kept = company.wants.compactMap { effect in
      if case .keepRoom(let record) = effect { record.book } else { nil }
    }
    #expect(kept.contains("2/1"))
    // The earlier link leads to the new book as well.
    let late = MemberID(9)
    try company.come(late, key: company.link(.follow))
    #expect(company.seeTheSame(company.anna, late) && company.introducedBooks(late) == ["2/1"])
    try company.say(.key(.arrowRight), company.anna, pause: 3)
    #expect(company.page == 43 && company.seeTheSame(company.anna, company.ben))
  }

  @Test("a guest that wanders in the previous book is brought along, but a host elsewhere is not")
  func wanderers() throws {
    var company = try elsewhere(.hostLeads, .host)
    try company.say(.jump(page: 60), company.ben, pause: 3)
    try company.say(.go(book: "0/0", opens: true, page: 3), company.cleo, pause: 6)
    #expect(company.room?.role(of: company.ben) == .wanderer)
    company.forget()
    try company.say(.bring(book: "2/1"), company.anna, pause: 6)
    #expect(company.room?.role(of: company.ben) == .follower)
    #expect(company.books(of: company.ben) == ["2/1"])
    #expect(company.introducedBooks(company.ben) == ["0/4", "2/1"])
    #expect(company.room?.stage(of: company.cleo).openBook == "0/0")
    #expect(company.room?.isOut(company.cleo) == true)
  }

  @Test("the host comes along from its shelf, from another book and from another page")
  func sender() throws {
    for away: ClientMessage in [
      .key(.escape), .go(book: "0/0", opens: true, page: 3), .go(book: "0/4", opens: true, page: 9),
    ] {
      var company = try elsewhere(.hostLeads)
      try company.say(away, company.anna, pause: 6)
      try company.say(.bring(book: "2/1"), company.anna, pause: 6)
      #expect(company.room?.transition == nil && company.room?.stage.openBook == "2/1")
      #expect(company.page(of: company.anna).role.role == .presenter)
      #expect(company.seeTheSame(company.anna, company.ben))
    }
  }

  @Test(
    "what the host does once the book rests counts, with the number that it knew on the way",
    arguments: [0.0, 0.02, 0.1, 0.3, 0.5]
  )
  func actsAtOnce(late: Double) throws {
    for isElsewhere in [false, true] {
      var company = try elsewhere(.hostLeads)
      if isElsewhere { try company.say(.key(.escape), company.anna, pause: 6) }
      try company.say(.bring(book: "2/1"), company.anna, pause: 0.1)
      let number = company.page(of: company.anna).role.number
      while company.room?.shared.hasLanded(at: company.now) == false { try company.pass(0.01) }
      try company.pass(late)
      let page = try #require(company.page)
      try company.say(.key(.arrowRight), company.anna, role: number, pause: 4)
      #expect(company.page == page + (page == 0 ? 1 : 2))
      #expect(company.room?.transition == nil && company.seeTheSame(company.anna, company.ben))
    }
  }

  @Test("no member holds the book on the way, and nothing prevents its arrival")
  func onTheWay() throws {
    var company = try elsewhere(.anyoneTurns)
    try company.say(.bring(book: "2/1"), company.anna, pause: 0.5)
    for _ in 0..<10 {
      #expect(!company.page(of: company.ben).role.rights.contains(.mayTurn))
      try company.say(.key(.escape), company.ben)
      try company.drag(company.ben)
      try company.finger(.up, 300, company.ben, pause: 0.05)
      try company.say(.wander(true), company.ben)
    }
    try company.pass(6)
    #expect(company.page == 41 && company.seeTheSame(company.anna, company.ben))
    #expect(company.page(of: company.ben).role.rights.contains(.mayTurn))
  }

  @Test("a host that leads but reads alone leaves the book to a member that asks, and gets it back")
  func readsAlone() throws {
    var company = try elsewhere(.hostLeads, .follow)
    try company.say(.bring(book: nil), company.anna, pause: 1)
    #expect(company.room?.presenter == nil && company.room?.record?.book == "0/4")
    #expect(company.person(company.anna, to: company.ben)?.state.contains(.isChoosing) == false)
    try company.say(.handover(.ask), company.ben, pause: 1)
    #expect(company.room?.presenter == company.ben)
    let page = company.page ?? 0
    try company.say(.key(.arrowRight), company.ben, pause: 3)
    #expect(company.page == page + 2)
    #expect(company.room?.stage(of: company.anna).firstPage == 41)
    try company.say(.wander(false), company.anna, pause: 4)
    #expect(company.page(of: company.anna).role.role == .presenter)
    #expect(company.seeTheSame(company.anna, company.ben))
  }

  @Test("a host that reads alone passes the book to another host, or to the only guest")
  func heirs() throws {
    var company = try elsewhere(.hostLeads)
    try company.say(.bring(book: nil), company.anna, pause: 1)
    #expect(company.room?.presenter == company.ben)
    var three = try elsewhere(.hostLeads, .host)
    try three.say(.bring(book: nil), three.anna, pause: 1)
    #expect(three.room?.presenter == three.cleo)
  }

  @Test("a host that takes the book from elsewhere goes to the book")
  func takes() throws {
    var company = try elsewhere(.hostLeads)
    try company.say(.bring(book: nil), company.anna, pause: 1)
    try company.say(.handover(.take), company.anna, pause: 4)
    #expect(company.page(of: company.anna).role.role == .presenter)
    #expect(company.seeTheSame(company.anna, company.ben))
  }

  @Test("a host that returns to its shelf after reading alone is choosing again")
  func choosesAgain() throws {
    var company = try elsewhere(.hostLeads)
    try company.say(.bring(book: nil), company.anna, pause: 1)
    try company.say(.key(.escape), company.anna, pause: 2)
    #expect(company.person(company.anna, to: company.ben)?.state.contains(.isChoosing) == true)
  }

  @Test("guests bring nobody along, and no host brings others to a missing book")
  func refused() throws {
    var company = try elsewhere(.hostLeads, .present)
    try company.say(.bring(book: "2/0"), company.ben)
    try company.say(.bring(book: "2/0"), company.cleo)
    try company.say(.bring(book: "9/9"), company.anna)
    #expect(company.room?.record?.book == "0/4" && company.room?.transition == nil)
    #expect(company.errors(company.anna) == [Notice(.bookGone)])
    #expect(company.errors(company.ben).count == 1 && company.errors(company.cleo).count == 1)
  }

  @Test("a host can choose another book on the way")
  func twice() throws {
    var company = try elsewhere(.hostLeads)
    try company.say(.bring(book: "2/1"), company.anna, pause: 0.7)
    try company.say(.bring(book: "0/0"), company.anna, pause: 8)
    #expect(company.room?.stage.openBook == "0/0" && company.books(of: company.ben) == ["0/0"])
    #expect(company.introducedBooks(company.ben).isSubset(of: ["0/4", "2/1", "0/0"]))
  }

  @Test("a session that ends while its owner is elsewhere moves to the owner's book")
  func ended() throws {
    var company = try elsewhere(.hostLeads)
    try company.say(.endReading, company.anna, pause: 6)
    #expect(company.page(of: company.ben).closed == CloseCode.ended.rawValue)
    #expect(company.room?.stage.openBook == "2/1" && company.page == 41)
    #expect(company.books(of: company.anna) == OutsideTests.all)
    #expect(company.page(of: company.anna).role.role != .wanderer)
  }

  @Test("a recording of the room shows the way to the other book")
  func recorded() throws {
    var company = try elsewhere(.hostLeads)
    try company.say(.record(true), company.anna)
    try company.say(.bring(book: "2/1"), company.anna, pause: 6)
    try company.say(.key(.arrowRight), company.anna, pause: 3)
    var recorder = CrowdRecorder(
      outline: LibraryOutline(collections: []),
      numbers: company.rooms.library.numbers,
      at: company.now
    )
    for want in company.wants { try recorder.note(want) }
    #expect(recorder.stage.openBook == "2/1" && recorder.stage.firstPage == 43)
    #expect(recorder.stage.frame(at: company.now) == company.room?.stage.frame(at: company.now))
  }
}

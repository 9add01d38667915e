import Fabric
import Motion
import Notices
import Scene
import Staging
import Testing
import Wire

@testable import Rooms

extension Company {
  /// Opens the book of the room at its last spread.
  fileprivate mutating func goToEnd(_ id: MemberID) throws {
    try say(.key(.end), id, pause: 3)
    forget()
  }

  /// Turns past the end, is shown that the book ends, and turns again.
  fileprivate mutating func turnTwice(_ id: MemberID) throws {
    try say(.key(.pageDown), id, pause: 1)
    try say(.key(.pageDown), id, pause: 4)
  }

  /// Pulls the open book past its last spread.
  fileprivate mutating func pull(_ id: MemberID, by distance: Double, lifts: Bool = true) throws {
    try finger(.down, 900, id)
    for step in 1...20 { try finger(.move, 900 - distance * Double(step) / 20, id) }
    if lifts { try finger(.up, 900 - distance, id) }
  }
}

@Suite("Turning past the end of a book in a room")
struct EndRoomTests {
  private static let hint = [Notice(.bookEndsHere)]

  @Test("a reader alone is told that another turn closes the book, which it does")
  func alone() throws {
    var company = try Company()
    try company.goToEnd(company.anna)
    let spread = company.room?.stage.spread
    try company.say(.key(.pageDown), company.anna, pause: 1)
    #expect(company.errors(company.anna) == Self.hint && company.room?.stage.screen == .book)
    try company.say(.key(.pageDown), company.anna, pause: 4)
    #expect(company.room?.stage.screen == .shelf)
    try company.say(.key(.enter), company.anna, pause: 4)
    #expect(company.room?.stage.screen == .book && company.room?.stage.spread == spread)
  }

  @Test("a reader alone with reduced motion is told it, too")
  func reducedMotion() throws {
    var company = try Company()
    try company.say(.viewport(.plain, reducesMotion: true), company.anna)
    try company.goToEnd(company.anna)
    try company.turnTwice(company.anna)
    #expect(company.errors(company.anna) == Self.hint)
    #expect(company.room?.stage.screen == .shelf)
  }

  @Test("a host who closes the shared book leaves it, and the others stay")
  func hostCloses() throws {
    var company = try Company(.hostLeads, .follow)
    try company.goToEnd(company.anna)
    let page = company.page
    try company.turnTwice(company.anna)
    #expect(company.errors(company.anna) == Self.hint && company.errors(company.ben) == [])
    #expect(company.room?.isOut(company.anna) == true)
    #expect(company.room?.stage(of: company.anna).screen == .shelf)
    #expect(company.books(of: company.anna) == OutsideTests.all)
    #expect(company.room?.stage.openBook == "0/4" && company.page == page)
    #expect(company.page(of: company.ben).decoder.latest?.screen == .book)
  }

  @Test("a host who pulls the shared book shut leaves it; until then all see the pull")
  func hostPulls() throws {
    var company = try Company(.hostLeads, .follow)
    try company.goToEnd(company.anna)
    let rest = company.page(of: company.ben).decoder.latest?.shown
    try company.pull(company.anna, by: 500, lifts: false)
    #expect(company.room?.isOut(company.anna) == false)
    #expect(company.seeTheSame(company.anna, company.ben))
    #expect(company.page(of: company.ben).decoder.latest?.shown != rest)
    try company.finger(.up, 400, company.anna)
    try company.pass(4)
    #expect(company.room?.isOut(company.anna) == true && company.errors(company.anna) == [])
    #expect(company.room?.stage(of: company.anna).screen == .shelf)
    #expect(company.room?.stage.openBook == "0/4" && company.room?.holder == nil)
    #expect(company.page(of: company.ben).decoder.latest?.shown == rest)
  }

  @Test(
    "a guest cannot close the shared book, and is not told so",
    arguments: [Policy.anyoneTurns, .passTheBook]
  )
  func guest(policy: Policy) throws {
    var company = try Company(policy, .follow)
    if policy != .anyoneTurns {
      try company.say(.handover(.offer(2)), company.anna)
      try company.say(.handover(.accept), company.ben, pause: 0.1)
    }
    try company.goToEnd(company.ben)
    let page = company.page
    try company.turnTwice(company.ben)
    try company.pull(company.ben, by: 600)
    try company.pass(4)
    #expect(company.room?.stage(of: company.ben).openBook == "0/4" && company.page == page)
    #expect(company.room?.stage.staysOpen == true && company.room?.isOut(company.ben) == false)
    #expect(company.errors(company.ben) == [] && company.errors(company.anna) == [])
    #expect(company.room?.stage.isDriven == false && company.room?.holder == nil)
    #expect(company.seeTheSame(company.anna, company.ben))
  }

  @Test("a guest who may see the shelf goes there")
  func guestWithShelf() throws {
    var company = try Company(.anyoneTurns, .follow)
    try company.say(.settings(RoomSettings(sharesShelf: true)), company.anna, pause: 1)
    try company.goToEnd(company.ben)
    try company.turnTwice(company.ben)
    #expect(company.errors(company.ben) == Self.hint && company.room?.isOut(company.ben) == true)
    #expect(company.room?.stage(of: company.ben).screen == .shelf)
    #expect(company.room?.stage.openBook == "0/4")
  }

  @Test("a follower who turns past the end does not begin to read alone")
  func follower() throws {
    var company = try Company(.hostLeads, .follow)
    try company.goToEnd(company.anna)
    let frame = company.room?.frameNumber
    try company.turnTwice(company.ben)
    #expect(company.page(of: company.ben).role.role == .follower)
    #expect(company.room?.frameNumber == frame && company.errors(company.ben) == [])
    // A turn back is one.
    try company.say(.key(.pageUp), company.ben, pause: 3)
    #expect(company.page(of: company.ben).role.role == .wanderer)
  }

  @Test("an upright phone shows the inside of the back cover first, then its end")
  func phone() throws {
    let phone = Viewport(size: Size(width: 390, height: 844), pixelRatio: 3)
    for isSwipe in [false, true] {
      var company = try Company()
      try company.say(.viewport(phone, reducesMotion: false), company.anna, pause: 1)
      try company.goToEnd(company.anna)
      func turn() throws {
        guard isSwipe else { return try company.say(.key(.pageDown), company.anna, pause: 1.2) }
        try company.finger(.down, 330, company.anna)
        for step in 1...10 {
          try company.finger(.move, 330 - 20 * Double(step), company.anna, pause: 0.01)
        }
        try company.finger(.up, 130, company.anna, pause: 1.2)
      }
      for _ in 0..<3 where company.errors(company.anna).isEmpty { try turn() }
      #expect(company.errors(company.anna) == Self.hint && company.room?.stage.screen == .book)
      try turn()
      try company.pass(3)
      #expect(company.room?.stage.screen == .shelf && company.room?.stage.closesOnBack == true)
    }
  }
}

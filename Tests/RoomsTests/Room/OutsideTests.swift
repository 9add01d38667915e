import Fabric
import Motion
import Scene
import Staging
import Testing
import Wire

@testable import Rooms

extension Company {
  /// Returns the ids of the books on a member's stage.
  func books(of id: MemberID) -> [String] {
    room?.stage(of: id).outline.collections.flatMap(\.books).map(\.id) ?? []
  }

  /// Returns the books of which a member received elements since the last call of ``forget()``.
  func introducedBooks(_ id: MemberID) -> Set<String> {
    let elements = heard(id) { if case .elements(let some) = $0 { some } else { nil } }
    return Set(elements.flatMap { $0 }.compactMap { Self.book(in: $0.imageURL) })
  }

  /// Returns the book of an image's address in the sample catalogue, or the address itself.
  static func book(in url: String) -> String? {
    let parts = url.split(separator: "/")
    guard let start = parts.firstIndex(where: { $0 == "books" || $0 == "book" }),
      parts.count > start + 2
    else { return url.isEmpty ? nil : url }
    return "\(parts[start + 1])/\(parts[start + 2].prefix { $0 != "." })"
  }

  /// The spreads of a book whose bookmarks were stored since ``wants`` was emptied.
  func storedSpreads(of book: String) -> [Int] {
    wants.compactMap { effect in
      if case .keepBookmark(let mark, _) = effect, mark.book == book { mark.spread } else { nil }
    }
  }

  /// Returns a person as another member's page knows it.
  func person(_ id: MemberID, to other: MemberID) -> PersonEvent? {
    page(of: other).people[id.rawValue]
  }
}

@Suite("Leaving the shared book")
struct OutsideTests {
  static let all = Catalogue.varied.collections.flatMap(\.books).map(\.id)

  @Test("a host that returns to the shelf sees its whole library, and guests stay with the book")
  func hostLeaves() throws {
    var company = try Company(.hostLeads, .follow)
    let (page, frame) = (company.page, company.room?.frameNumber)
    try company.say(.key(.escape), company.anna, pause: 3)
    #expect(company.room?.stage(of: company.anna).screen == .shelf)
    #expect(company.books(of: company.anna) == Self.all)
    #expect(company.page == page && company.room?.frameNumber == frame)
    #expect(company.introducedBooks(company.ben).isEmpty)
    #expect(company.person(company.anna, to: company.ben)?.state.contains(.isChoosing) == true)
    let choosing = Prompt(.choosing, member: company.anna.rawValue)
    #expect(company.page(of: company.ben).role.prompt == choosing)
    #expect(company.page(of: company.anna).role.prompt == Prompt(.outside))
    #expect(company.room?.presenter == company.anna)
    #expect(company.places(company.anna).last?.book == "0/4")
    try company.say(.key(.escape), company.anna, pause: 3)
    #expect(company.room?.stage(of: company.anna).screen == .collections)
    #expect(company.page(of: company.anna).decoder.latest?.screen == .collections)
  }

  @Test("a host outside the book stays outside after a reload, and can leave it after a restart")
  func reloaded() throws {
    var company = try Company(.hostLeads, .follow)
    let link = company.link(.host)
    for isOut in [false, true] {
      if isOut { try company.say(.key(.escape), company.anna, pause: 3) }
      let resume = company.page(of: company.anna).welcome.resume
      try company.lose(company.anna)
      try company.come(MemberID(isOut ? 9 : 8), resume: resume)
      try company.pass(1)
      #expect(company.room?.isOut(company.anna) == isOut)
    }
    #expect(company.books(of: company.anna) == Self.all)
    // All members return to a server that has only the stored record.
    let record = try #require(company.room?.record)
    company.rooms = ServedRooms(catalogue: .varied, records: [record])
    try company.come(company.anna, key: link)
    try company.pass(1)
    #expect(company.page != nil && company.books(of: company.anna) == ["0/4"])
    try company.say(.key(.escape), company.anna, pause: 3)
    #expect(company.books(of: company.anna) == Self.all)
  }

  @Test("a host alone in its shared room leaves the book like any host")
  func alone() throws {
    var company = try Company()
    try company.say(.share, company.anna, pause: 1)
    try company.say(.go(book: "2/1", opens: true, page: 8), company.anna, pause: 6)
    #expect(company.room?.stage(of: company.anna).openBook == "2/1")
    #expect(company.room?.stage.openBook == "0/4")
    #expect(company.room?.presenter == company.anna)
  }

  @Test("a pinch takes a host out of the book under its fingers, and completes")
  func pinched() throws {
    var company = try Company(.hostLeads, .follow)
    let place = Point(x: 512, y: 384)
    try company.say(.zoom(.began, scale: 1, at: place), company.anna, pause: 0.02)
    for step in 1...8 {
      let scale = 1 - 0.09 * Double(step)
      try company.say(.zoom(.changed, scale: scale, at: place), company.anna, pause: 0.02)
    }
    #expect(company.room?.isOut(company.anna) == true)
    #expect(company.room?.stage(of: company.anna).isDriven == true)
    #expect(company.room?.stage.isDriven == false)
    try company.say(.zoom(.ended, scale: 0.28, at: place), company.anna, pause: 3)
    #expect(company.room?.stage(of: company.anna).screen == .shelf)
    #expect(company.room?.stage.openBook == "0/4" && company.room?.holder == nil)
    #expect(company.page(of: company.ben).decoder.latest?.screen == .book)
  }

  @Test(
    "a guest cannot close the shared book under any policy",
    arguments: [Policy.anyoneTurns, .hostLeads, .passTheBook]
  )
  func guestStays(policy: Policy) throws {
    var company = try Company(policy, .follow, .present)
    if policy != .anyoneTurns {
      try company.say(.handover(.offer(2)), company.anna)
      try company.say(.handover(.accept), company.ben, pause: 0.1)
    }
    try company.say(.key(.arrowRight), company.ben, pause: 3)
    #expect(company.room?.presenter == company.ben)
    let page = company.page
    let place = Point(x: 512, y: 384)
    let actions: [[ClientMessage]] = [
      [.key(.escape)], [.go(book: "2/0", opens: true, page: nil)],
      [.go(book: "0/4", opens: false, page: nil)],
      [.wheel(dx: 0, dy: 40, at: place, ctrl: true)],
      [.zoom(.began, scale: 1, at: place), .zoom(.changed, scale: 0.5, at: place)]
        + [.zoom(.changed, scale: 0.3, at: place), .zoom(.ended, scale: 0.3, at: place)],
    ]
    for id in [company.ben, company.cleo] {
      for action in actions {
        for message in action { try company.say(message, id, pause: 0.05) }
        try company.pass(3)
        #expect(company.room?.stage(of: id).openBook == "0/4", "\(action)")
        #expect(company.room?.stage.openBook == "0/4" && company.page == page, "\(action)")
        #expect(company.room?.stage.isDriven == false && company.room?.holder == nil)
      }
    }
    #expect(company.seeTheSame(company.anna, company.ben))
  }

  @Test(
    "a guest can leave for a shared shelf, and returns when the shelf is no longer shared"
  )
  func sharedShelf() throws {
    var company = try Company(.hostLeads, .follow)
    var settings = RoomSettings(policy: .hostLeads, sharesShelf: true)
    try company.say(.settings(settings), company.anna, pause: 1)
    #expect(company.introducedBooks(company.ben).isEmpty)
    try company.say(.key(.escape), company.ben, pause: 3)
    #expect(company.books(of: company.ben) == ["0/0", "0/1", "0/2", "0/3", "0/4"])
    #expect(company.room?.stage(of: company.ben).screen == .shelf)
    #expect(company.person(company.ben, to: company.anna)?.state.contains(.isChoosing) == false)
    settings.sharesShelf = false
    try company.say(.settings(settings), company.anna, pause: 1)
    #expect(company.room?.role(of: company.ben) == .follower)
    #expect(company.seeTheSame(company.anna, company.ben))
  }

  @Test("a former host loses sight of the library at once")
  func demoted() throws {
    var company = try Company(.hostLeads, .host)
    try company.say(.key(.escape), company.ben, pause: 3)
    #expect(company.books(of: company.ben) == Self.all)
    company.forget()
    try company.say(.grant(2, .follow), company.anna)
    #expect(company.books(of: company.ben) == ["0/4"])
    #expect(company.seeTheSame(company.anna, company.ben))
    #expect(company.introducedBooks(company.ben) == ["0/4"])
  }

  @Test("a guest on the shared shelf that becomes a host sees the whole library")
  func promoted() throws {
    var company = try Company(.hostLeads, .follow)
    let settings = RoomSettings(policy: .hostLeads, sharesShelf: true)
    try company.say(.settings(settings), company.anna, pause: 1)
    try company.say(.key(.escape), company.ben, pause: 3)
    #expect(company.books(of: company.ben) != Self.all)
    try company.say(.grant(2, .host), company.anna, pause: 3)
    #expect(company.books(of: company.ben) == Self.all)
    #expect(company.room?.isOut(company.ben) == true)
  }

  @Test("a host that reopens the shared book is back among the others, and leads them")
  func comesBack() throws {
    var company = try Company(.hostLeads, .follow)
    try company.say(.key(.escape), company.anna, pause: 3)
    try company.say(.key(.enter), company.anna, pause: 4)
    #expect(company.page(of: company.anna).role.role == .presenter)
    #expect(company.person(company.anna, to: company.ben)?.state.contains(.isChoosing) == false)
    #expect(company.page(of: company.ben).role.prompt == Prompt())
    let page = company.page ?? 0
    try company.say(.key(.arrowRight), company.anna, pause: 3)
    #expect(company.page == page + 2 && company.seeTheSame(company.anna, company.ben))
  }

  @Test("a host on its shelf flies back to the others when it catches up")
  func catchesUp() throws {
    var company = try Company(.hostLeads, .follow)
    try company.say(.key(.escape), company.anna, pause: 3)
    company.forget()
    try company.say(.wander(false), company.anna, pause: 3.1)
    #expect(company.frameCount(of: company.anna) > 20, "the way back is seen")
    #expect(company.page(of: company.anna).role.role == .presenter)
    #expect(company.seeTheSame(company.anna, company.ben))
  }

  @Test("the pages that a host reads elsewhere are stored with the bookmarks of the room")
  func placesElsewhere() throws {
    var company = try Company(.hostLeads, .follow)
    try company.say(.go(book: "2/1", opens: true, page: 41), company.anna, pause: 6)
    for _ in 0..<2 {
      let places = company.rooms.registry.bookmarks(of: .of("R")).map(\.untimed)
      #expect(places.contains(Bookmark(book: "2/1", spread: 20)))
      #expect(places.contains { $0.book == "0/4" })
      try company.say(.wander(false), company.anna, pause: 3.1)
    }
    try company.say(.go(book: "2/1", opens: true, page: nil), company.anna, pause: 6)
    #expect(company.room?.stage(of: company.anna).firstPage == 41)
  }

  @Test(
    "a turn outside is stored, however soon the reader leaves or returns",
    arguments: [0, 1, 2]
  )
  func lastTurnOutside(way: Int) throws {
    var company = try Company(.hostLeads, .follow)
    try company.say(.go(book: "2/1", opens: true, page: 41), company.anna, pause: 6)
    company.wants.removeAll()
    try company.say(.key(.arrowRight), company.anna, pause: 0.01)
    switch way {
    case 0: try company.lose(company.anna, code: 1000)
    case 1: try company.say(.endReading, company.anna)
    default:
      try company.say(.wander(false), company.anna, pause: 0.02)
      try company.lose(company.anna, code: 1000)
    }
    #expect(company.storedSpreads(of: "2/1") == [])
    try company.pass(1)
    #expect(company.storedSpreads(of: "2/1") == [21])
    let kept = company.rooms.registry.bookmarks(of: .of("R")).last { $0.book == "2/1" }
    #expect(kept?.spread == 21)
  }

  @Test("of two windows of the owner in one book, only the one that turns moves the bookmark")
  func twoWindows() throws {
    var (company, other) = try Self.twoWindows()
    for _ in 0..<3 { try company.say(.key(.arrowRight), other, pause: 2) }
    #expect(company.storedSpreads(of: "2/1") == [11, 12, 13])
    try company.say(.key(.arrowRight), company.anna, pause: 2)
    #expect(company.storedSpreads(of: "2/1") == [11, 12, 13, 21])
  }

  /// Returns a company whose host has a book outside open at spread 20, and at spread 10 in another
  /// window.
  private static func twoWindows() throws -> (Company, MemberID) {
    var company = try Company(.hostLeads, .follow)
    let other = MemberID(9)
    let secret = company.secret(of: company.anna)
    try company.come(other, key: company.link(.host), reader: secret)
    for id in [company.anna, other] {
      let page: UInt32 = id == other ? 21 : 41
      try company.say(.go(book: "2/1", opens: true, page: page), id, pause: 6)
    }
    #expect(company.room?.isOut(company.anna) == true && company.room?.isOut(other) == true)
    company.wants.removeAll()
    return (company, other)
  }

  @Test("another shelf in view, or another index of the book, moves no bookmark")
  func sameSpread() throws {
    var (company, _) = try Self.twoWindows()
    var catalogue = Catalogue.varied
    var new = catalogue.collections[2].books[0]
    new.id = "new"
    catalogue.collections[2].books.insert(new, at: 0)
    company.rooms.replace(catalogue: catalogue, now: company.now, into: &company.effects)
    try company.carryOut()
    try company.pass(5)
    #expect(company.books(of: company.anna).contains("new"))
    for key in [Key.escape, .escape] { try company.say(.key(key), company.anna, pause: 3) }
    try company.say(.go(book: "0/1", opens: false, page: nil), company.anna, pause: 3)
    #expect(company.room?.stage(of: company.anna).collection == 0)
    #expect(company.storedSpreads(of: "2/1") == [])
  }

  @Test("an owner that reads ahead in the shared book and leaves it does not move the others")
  func readAhead() throws {
    var company = try Company(.hostLeads, .follow)
    let other = MemberID(9)
    try company.come(other, key: company.link(.host), reader: company.secret(of: company.anna))
    let page = company.page
    try company.say(.wander(true), other, pause: 1)
    try company.say(.go(book: "0/4", opens: true, page: 31), other, pause: 6)
    #expect(company.room?.stage(of: other).firstPage != page)
    company.wants.removeAll()
    try company.say(.key(.escape), other, pause: 3)
    #expect(company.room?.isOut(other) == true)
    #expect(company.storedSpreads(of: "0/4") == [])
  }

  @Test("a shared book that disappears from the library and returns is open again")
  func vanished() throws {
    var company = try Company(.hostLeads, .follow)
    var without = Catalogue.varied
    without.collections[0].books.removeAll { $0.id == "0/4" }
    company.rooms.replace(catalogue: without, now: company.now, into: &company.effects)
    try company.carryOut()
    try company.pass(5)
    #expect(company.room?.stage.openBook == nil)
    #expect(company.books(of: company.ben).isEmpty)
    try company.say(.key(.escape), company.anna, pause: 1)
    #expect(company.books(of: company.anna).count == Self.all.count - 1)
    company.rooms.replace(catalogue: .varied, now: company.now, into: &company.effects)
    try company.carryOut()
    try company.pass(5)
    #expect(company.room?.stage.openBook == "0/4")
    #expect(company.page(of: company.ben).decoder.latest?.screen == .book)
  }
}

import Fabric
import Scene
import Staging
import Testing
import Wire

@testable import Rooms

@Suite("Captions")
struct CaptionTests {
  @Test("name the open pages on their own, within a sentence and in a narrow place")
  func ranges() {
    let one = PageRange(labels: ["xii"])
    #expect(one.text(.heading) == "Page xii")
    #expect(one.text(.sentence) == "page xii")
    #expect(one.text(.label) == "xii")
    let two = PageRange(labels: ["4", "5"])
    #expect(two.text(.heading) == "Pages 4–5")
    #expect(two.text(.sentence) == "pages 4–5")
    #expect(two.text(.label) == "4–5")
    let none = PageRange(labels: [])
    #expect(none.text(.heading) == "The inside of the cover")
    #expect(none.text(.sentence) == "the inside of the cover")
  }

  @Test("contain every text of an open book's page, and the elements of the open spread")
  func openBook() throws {
    var company = try Company(.hostLeads, .follow)
    try company.say(.jump(page: 5), company.anna, pause: 3)
    let caption = try #require(company.room?.shared.caption)
    let title = caption.title
    #expect(caption.detail == "Pages 6–7 of 100")
    #expect(caption.position == "pages 6–7")
    #expect(caption.label == "6–7 of 100")
    #expect(caption.windowTitle == "\(title), pages 6–7 of 100 · Lectern")
    #expect(caption.announcement == "\(title). Pages 6–7 of 100")
    let elements = company.page(of: company.anna).decoder.elements
    let spread = caption.spread.compactMap { elements[$0] }
    #expect(spread.map(\.kind) == [.page, .page])
    #expect(spread.map(\.title) == ["Page 6", "Page 7"])
  }

  @Test("contain no characters of a window that change the direction of writing")
  func directions() {
    #expect(Words.windowTitle("A\u{202e}B\u{2067}C") == "ABC · Lectern")
    #expect(Words.windowTitle("\u{202e}") == "Lectern")
  }

  @Test("state that a library has no books, or that a search found none")
  func nothing() {
    let empty = CaptionKey(Stage(library: Catalogue(collections: []).outline), Arrangement(), at: 0)
      .caption(of: ShownLibrary(Catalogue(collections: [])))
    #expect(empty.title == "Your library is empty" && empty.windowTitle == "Lectern")
    let filter = Arrangement(order: .shelved, filter: "geese")
    let none = CaptionKey(Stage(library: Catalogue(collections: []).outline), filter, at: 0)
      .caption(of: ShownLibrary(Catalogue(collections: [])))
    #expect(none.title == "No book here is called “geese”" && none.flags == .findsNothing)
  }

  @Test("offer to continue a book that was left open")
  func begun() {
    let words = Words.continuing("Ilse Marow. 32 pages", at: PageRange(labels: ["4", "5"]))
    #expect(words == "Ilse Marow. 32 pages. Continue on pages 4–5")
  }
}

@Suite("Rights")
struct RightsTests {
  @Test("of the presenter, a follower and a host name their permissions")
  func leading() throws {
    var company = try Company(.hostLeads, .follow)
    func rights(_ id: MemberID) -> RoleEvent.Rights { company.page(of: id).role.rights }
    #expect(rights(company.anna).isSuperset(of: [.mayGive, .mayGrant, .mayLayDown, .mayPoint]))
    #expect(rights(company.anna).isSuperset(of: [.mayPlay, .mayLeaveBook]))
    let denied: RoleEvent.Rights = [.mayGive, .mayGrant, .mayLayDown, .mayPoint, .mayPlay]
    #expect(rights(company.ben).isDisjoint(with: denied))
    #expect(!rights(company.ben).contains(.mayLeaveBook))
    let shared = RoomSettings(policy: .anyoneTurns, sharesShelf: true)
    try company.say(.settings(shared), company.anna)
    #expect(rights(company.ben).isSuperset(of: [.mayPoint, .mayPlay, .mayLeaveBook]))
    #expect(rights(company.anna).isDisjoint(with: [.mayGive, .mayGrant, .mayLayDown]))
  }
}

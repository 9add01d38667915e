import Fabric
import Scene
import Staging
import Testing
import Wire

@testable import Rooms

@Suite("Captions")
struct CaptionTests {
  @Test("contain every fact about an open book's page, and the elements of the open spread")
  func openBook() throws {
    var company = try Company(.hostLeads, .follow)
    try company.say(.jump(page: 5), company.anna, pause: 3)
    let caption = try #require(company.room?.shared.captions.current)
    #expect(caption.range == PageRange(labels: ["6", "7"], total: "100"))
    #expect(caption.size == 100 && !caption.title.isEmpty)
    let elements = company.page(of: company.anna).decoder.elements
    let spread = caption.spread.compactMap { elements[$0] }
    #expect(spread.map(\.kind) == [.page, .page])
    #expect(spread.map(\.title) == ["6", "7"] && spread.map(\.count) == [0, 0])
  }

  @Test("state that a library has no books, or that a search found none")
  func nothing() {
    let empty = CaptionKey(Stage(library: Catalogue(collections: []).outline), Arrangement(), at: 0)
      .caption(of: ShownLibrary(Catalogue(collections: [])))
    #expect(empty.count == 0 && empty.flags == [])
    let filter = Arrangement(order: .shelved, filter: "geese")
    let none = CaptionKey(Stage(library: Catalogue(collections: []).outline), filter, at: 0)
      .caption(of: ShownLibrary(Catalogue(collections: [])))
    #expect(none.arrangement.filter == "geese" && none.flags == .findsNothing)
  }
}

@Suite("Rights")
struct RightsTests {
  @Test("of the presenter, a follower and a host name their permissions")
  func leading() throws {
    var company = try Company(.hostLeads, .follow)
    func rights(_ id: MemberID) -> RoleEvent.Rights { company.page(of: id).role.rights }
    #expect(
      rights(company.anna).isSuperset(of: [.mayLayDown, .mayPoint, .mayPlay, .mayLeaveBook])
    )
    let denied: RoleEvent.Rights = [.mayLayDown, .mayPoint, .mayPlay]
    #expect(rights(company.ben).isDisjoint(with: denied))
    #expect(!rights(company.ben).contains(.mayLeaveBook))
    let shared = RoomSettings(policy: .anyoneTurns, sharesShelf: true)
    try company.say(.settings(shared), company.anna)
    #expect(rights(company.ben).isSuperset(of: [.mayPoint, .mayPlay, .mayLeaveBook]))
    #expect(!rights(company.anna).contains(.mayLayDown))
  }
}

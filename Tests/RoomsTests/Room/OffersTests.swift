import Fabric
import Scene
import Testing
import Wire

@testable import Rooms

@Suite("What members are offered")
struct OffersTests {
  private func role(_ id: MemberID, in company: Company) -> RoleEvent { company.page(of: id).role }

  /// Returns what one member may do to another.
  private func acts(_ one: MemberID, on other: MemberID, in company: Company) throws -> MemberActs {
    let room = try #require(company.room)
    let event = room.personEvent(of: try #require(room.person(other)))
    return role(one, in: company).acts.intersection(event.acts)
  }

  @Test("a host gives the book, changes roles and removes others, and nobody removes a host")
  func host() throws {
    var company = try Company(.hostLeads, .follow, .follow)
    let (anna, ben, cleo) = (company.anna, company.ben, company.cleo)
    #expect(try acts(anna, on: ben, in: company) == [.offer, .lead, .remove])
    #expect(try acts(ben, on: anna, in: company) == [] && acts(ben, on: cleo, in: company) == [])
    try company.say(.grant(ben.rawValue, .present), anna)
    #expect(try acts(anna, on: ben, in: company) == [.offer, .follow, .remove])
    try company.say(.raise(true), cleo)
    #expect(try acts(anna, on: cleo, in: company).contains(.lower))
    try company.say(.handover(.offer(ben.rawValue)), anna)
    #expect(try !acts(anna, on: ben, in: company).contains(.offer))
    try company.say(.settings(RoomSettings(policy: .anyoneTurns)), anna)
    #expect(try acts(anna, on: ben, in: company) == .remove)
  }

  @Test("a member asks for the book, withdraws its request, takes the book, or takes it back")
  func book() throws {
    var company = try Company(.hostLeads, .follow, .follow)
    let (anna, ben) = (company.anna, company.ben)
    #expect(role(ben, in: company).bookAct == .ask && role(anna, in: company).bookAct == .none)
    try company.say(.handover(.ask), ben)
    #expect(role(ben, in: company).bookAct == .withdraw)
    #expect(role(anna, in: company).prompt == Prompt(.asked, member: ben.rawValue))
    try company.say(.handover(.offer(ben.rawValue)), anna)
    #expect(role(anna, in: company).bookAct == .takeBack && role(ben, in: company).bookAct == .none)
    #expect(role(anna, in: company).prompt == Prompt())
    try company.say(.grant(company.cleo.rawValue, .present), anna)
    #expect(role(company.cleo, in: company).bookAct == .take)
  }

  @Test("a member that is offered the book is asked whether it takes it")
  func offered() throws {
    var company = try Company(.hostLeads, .follow, .follow)
    try company.say(.handover(.offer(company.ben.rawValue)), company.anna)
    #expect(role(company.ben, in: company).prompt.kind == .offered)
    #expect(role(company.cleo, in: company).prompt == Prompt())
    try company.say(.handover(.decline), company.ben)
    #expect(role(company.ben, in: company).prompt == Prompt())
  }

  @Test("a member that wanders may catch up, and is not asked while it does")
  func wandering() throws {
    var company = try Company(.hostLeads, .follow, .follow)
    let ben = company.ben
    try company.say(.wander(true), ben)
    #expect(role(ben, in: company).prompt.kind == .wandered)
    #expect(role(ben, in: company).bookAct == .catchUp)
    try company.say(.jump(page: 40), company.anna, pause: 3)
    try company.say(.wander(false), ben)
    #expect(role(ben, in: company).prompt == Prompt() && role(ben, in: company).bookAct == .none)
  }

  @Test("a request ends for the presenter when its member has left")
  func gone() throws {
    var company = try Company(.hostLeads, .follow, .follow)
    try company.say(.handover(.ask), company.ben)
    try company.say(.showOut(company.ben.rawValue), company.anna)
    #expect(role(company.anna, in: company).prompt == Prompt())
  }
}

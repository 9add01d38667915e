import Fabric
import Scene
import Staging
import Testing
import Wire

@testable import Rooms

@Suite("A reader that opens the room again")
struct ReturningTests {
  private let new = MemberID(9)

  @Test("after its window was lost, is alone, with its name, its colour and the book")
  func alone() throws {
    var company = try Company()
    let before = try #require(company.room?.person(company.anna))
    try company.lose(company.anna)
    try company.pass(2)
    try company.come(new, reader: company.secret(of: company.anna))
    try company.pass(1)
    let people = company.room?.roster.people ?? []
    #expect(people.map(\.id) == [new])
    #expect(people[0].name == before.name && people[0].colour == before.colour)
    #expect(people[0].grant == .host && company.room?.leadership.presenter == new)
    #expect(company.page(of: new).people.keys.sorted() == [new.rawValue])
    try company.say(.key(.arrowRight), new, pause: 3)
    #expect(company.page == 21 && company.page(of: new).role.role == .presenter)
  }

  @Test("keeps what a host has granted, and the book; the others see one member go and one come")
  func granted() throws {
    var company = try Company(.passTheBook, .present, .follow)
    try company.say(.handover(.offer(company.ben.rawValue)), company.anna)
    try company.say(.handover(.accept), company.ben, pause: 1)
    #expect(company.room?.leadership.presenter == company.ben)
    let name = company.room?.person(company.ben)?.name
    try company.lose(company.ben)
    try company.pass(1)
    company.forget()
    let secret = company.secret(of: company.ben)
    try company.come(new, key: company.link(.follow), reader: secret)
    try company.pass(1)
    #expect(company.room?.leadership.presenter == new)
    #expect(company.room?.person(new)?.grant == .present && company.room?.person(new)?.name == name)
    #expect(company.room?.person(company.ben) == nil)
    #expect(company.page(of: company.cleo).people.keys.sorted() == [1, 3, 9])
    // The lost window's token brings nobody back.
    #expect(company.room?.roster.count == 3)
  }

  @Test("while its other window is there, is another member")
  func twoWindows() throws {
    var company = try Company(.anyoneTurns, .follow)
    let secret = company.secret(of: company.ben)
    try company.come(new, key: company.link(.follow), reader: secret)
    #expect(company.room?.roster.count == 3)
    try company.lose(company.cleo)
    try company.come(company.cleo, key: company.link(.follow))
    #expect(company.room?.person(company.ben)?.isHere == true)
    #expect(company.room?.person(new)?.isHere == true)
  }

  @Test("does not take over what another reader has lost")
  func others() throws {
    var company = try Company(.hostLeads, .present)
    try company.lose(company.ben)
    try company.come(new, key: company.link(.follow))
    #expect(company.room?.person(company.ben)?.isHere == false)
    #expect(company.room?.person(new)?.grant == .follow)
  }
}

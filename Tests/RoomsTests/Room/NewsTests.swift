import Fabric
import Notices
import Scene
import Testing
import Wire

@testable import Rooms

@Suite("What members are told that others have done")
struct NewsTests {
  private func notice(_ code: Notice.Code, _ name: String?) throws -> Notice {
    Notice(code, ["name": try #require(name)])
  }

  private func name(_ id: MemberID, in company: Company) -> String? {
    company.room?.person(id)?.name
  }

  @Test("a member that gets the book because its presenter has left is told, unless it took it")
  func holderLeft() throws {
    var company = try Company(.hostLeads, .follow, .present)
    let anna = name(company.anna, in: company)
    try company.lose(company.anna)
    try company.pass(11)
    #expect(company.room?.leadership.presenter == company.cleo)
    #expect(company.news(company.cleo) == [try notice(.holderLeft, anna)])
    #expect(company.news(company.ben).isEmpty)
    company = try Company(.hostLeads, .follow, .present)
    try company.lose(company.anna)
    try company.say(.handover(.take), company.cleo)
    #expect(company.room?.leadership.presenter == company.cleo)
    #expect(company.news(company.cleo).isEmpty)
  }

  @Test("a member that takes an offered book is told nothing, and neither is who gave it")
  func handedOver() throws {
    var company = try Company(.hostLeads, .follow)
    try company.say(.handover(.offer(company.ben.rawValue)), company.anna)
    try company.say(.handover(.accept), company.ben)
    #expect(company.room?.leadership.presenter == company.ben)
    #expect(company.news(company.ben).isEmpty && company.news(company.anna).isEmpty)
  }

  @Test("a member is told that its request was declined, unless it has withdrawn it")
  func declinedRequest() throws {
    var company = try Company(.hostLeads, .follow)
    try company.say(.handover(.ask), company.ben)
    try company.say(.handover(.withdraw), company.ben)
    #expect(company.news(company.ben).isEmpty)
    try company.say(.handover(.ask), company.ben)
    try company.say(.handover(.refuse(company.ben.rawValue)), company.anna)
    #expect(company.news(company.ben) == [try notice(.keepsBook, name(company.anna, in: company))])
    #expect(company.news(company.anna).isEmpty)
  }

  @Test("the presenter is told that its offer was declined, and not that it made another one")
  func declinedOffer() throws {
    var company = try Company(.hostLeads, .follow, .follow)
    try company.say(.handover(.offer(company.ben.rawValue)), company.anna)
    try company.say(.handover(.offer(company.cleo.rawValue)), company.anna)
    #expect(company.news(company.anna).isEmpty)
    try company.say(.handover(.decline), company.cleo)
    #expect(
      company.news(company.anna) == [try notice(.leavesBook, name(company.cleo, in: company))]
    )
  }

  @Test("the presenter and hosts are told once that a member raises a hand")
  func raised() throws {
    var company = try Company(.hostLeads, .follow, .follow)
    for _ in 0..<2 { try company.say(.raise(true), company.ben) }
    #expect(company.news(company.anna) == [try notice(.raisesHand, name(company.ben, in: company))])
    #expect(company.news(company.ben).isEmpty && company.news(company.cleo).isEmpty)
  }

  @Test("all members are told that the session is recorded, and one that joins later, too")
  func recorded() throws {
    var company = try Company(.hostLeads, .follow)
    try company.say(.record(true), company.anna)
    for id in [company.anna, company.ben] {
      #expect(company.news(id) == [Notice(.isRecorded)])
    }
    let late = MemberID(7)
    try company.come(late, key: company.link(.follow))
    #expect(company.news(late) == [Notice(.isRecorded)])
    company.forget()
    try company.say(.record(false), company.anna)
    for id in [company.anna, company.ben, late] {
      #expect(company.news(id) == [Notice(.recordingEnded)])
    }
  }
}

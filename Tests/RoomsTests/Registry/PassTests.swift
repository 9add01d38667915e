import Fabric
import Scene
import Staging
import Testing
import Wire

@testable import Rooms

@Suite("A member's pass")
struct PassTests {
  private let shared = "0/4"
  private let other = "2/1"

  /// Returns a library whose key Anna has shown; she shares a book, and Ben joined by a link.
  private func locked() throws -> Company {
    var company = try Company(libraryKey: "the key of the library")
    try company.say(.share, company.anna, pause: 1)
    try company.come(company.ben, key: company.link(.follow))
    try company.pass(1)
    return company
  }

  private func opens(collection: String, _ id: MemberID, _ company: Company) -> Bool {
    company.rooms.registry.opens(collection: collection, to: company.page(of: id).welcome.pass)
  }

  private func opens(_ book: String, _ id: MemberID, _ company: Company) -> Bool {
    company.rooms.registry.opens(book: book, to: company.page(of: id).welcome.pass)
  }

  @Test("a guest's pass opens the shared book, and that of a member with the key every book")
  func scope() throws {
    let company = try locked()
    #expect(opens(shared, company.ben, company))
    #expect(!opens(other, company.ben, company))
    #expect(opens(shared, company.anna, company))
    #expect(opens(other, company.anna, company))
    for guess in ["", "pass", company.secret(of: company.ben)] {
      #expect(
        !company.rooms.registry.answer(.isPass(guess))
          && !company.rooms.registry.opens(book: shared, to: guess)
      )
    }
  }

  @Test("a reader has the same pass at every visit, and no other reader has it")
  func lasting() throws {
    var company = try locked()
    let pass = company.page(of: company.ben).welcome.pass
    #expect(pass.utf8.count == 32)
    #expect(pass != company.page(of: company.anna).welcome.pass)
    try company.lose(company.ben, code: 1000)
    #expect(!company.rooms.registry.answer(.isPass(pass)))
    let ben = company.secret(of: company.ben)
    try company.come(MemberID(9), key: company.link(.follow), reader: ben)
    #expect(company.page(of: MemberID(9)).welcome.pass == pass)
  }

  @Test("a pass opens nothing once the session has ended")
  func ended() throws {
    var company = try locked()
    try company.say(.endReading, company.anna, pause: 1)
    #expect(company.page(of: company.ben).closed == CloseCode.ended.rawValue)
    #expect(!opens(shared, company.ben, company))
    #expect(opens(shared, company.anna, company))
  }

  @Test("a pass opens nothing once its member is removed")
  func shownOut() throws {
    var company = try locked()
    try company.say(.showOut(company.ben.rawValue), company.anna, pause: 1)
    #expect(!opens(shared, company.ben, company))
  }

  @Test("a member that lost its connection keeps its pass for as long as it may return")
  func lost() throws {
    var company = try locked()
    try company.lose(company.ben)
    try company.pass(30)
    #expect(opens(shared, company.ben, company))
    try company.pass(40)
    #expect(!opens(shared, company.ben, company))
  }

  @Test("a pass stays valid while another window of its reader is open")
  func windows() throws {
    var company = try locked()
    let ben = company.secret(of: company.ben)
    try company.come(MemberID(9), key: company.link(.follow), reader: ben)
    try company.lose(MemberID(9), code: 1000)
    #expect(opens(shared, company.ben, company))
  }

  @Test("a pass opens a shared shelf to a guest that looks at it")
  func shelf() throws {
    var company = try locked()
    #expect(!opens("0/0", company.ben, company))
    let settings = RoomSettings(policy: .hostLeads, sharesShelf: true)
    try company.say(.settings(settings), company.anna, pause: 1)
    try company.say(.key(.escape), company.ben, pause: 3)
    #expect(opens("0/0", company.ben, company) && !opens(other, company.ben, company))
    #expect(opens(collection: "0", company.ben, company))
    #expect(!opens(collection: "2", company.ben, company))
    try company.say(.showOut(company.ben.rawValue), company.anna, pause: 1)
    #expect(!opens(collection: "0", company.ben, company))
  }

  @Test("the book that a room leaves closes to its guests at once, and the next one opens")
  func transition() throws {
    var company = try locked()
    try company.say(.go(book: other, opens: true, page: 41), company.anna, pause: 6)
    #expect(opens(shared, company.ben, company) && !opens(other, company.ben, company))
    try company.say(.bring(book: other), company.anna)
    #expect(company.room?.transition?.from == shared)
    for _ in 0..<3 {
      #expect(!opens(shared, company.ben, company) && opens(other, company.ben, company))
      try company.pass(2)
    }
    #expect(company.room?.stage.openBook == other)
    #expect(opens(shared, company.anna, company) && opens(other, company.anna, company))
  }

  @Test("a shared book opens no ledge with the spines of other books")
  func ledges() throws {
    let company = try locked()
    for collection in ["0", "2", "book", ""] {
      #expect(!opens(collection: collection, company.ben, company), "\(collection)")
      #expect(opens(collection: collection, company.anna, company), "\(collection)")
    }
  }
}

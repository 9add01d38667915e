import Scene
import Staging
import Testing
import Wire

@testable import Rooms

@Suite("What a member's pass opens")
struct PassTests {
  private let shared = "0/4"
  private let other = "2/1"

  /// A library with a key: Anna, who has shown it, shares a book, and Ben came by a link.
  private func locked() throws -> Company {
    var company = try Company(libraryKey: "the key of the library")
    try company.say(.share, company.anna, pause: 1)
    try company.come(company.ben, key: company.link(.follow))
    try company.pass(1)
    return company
  }

  private func opens(_ book: String, _ id: MemberID, _ company: Company) -> Bool {
    company.rooms.opens(book, to: company.page(of: id).welcome.pass)
  }

  @Test("a guest's opens the shared book alone, that of who has shown the library's key every book")
  func scope() throws {
    let company = try locked()
    #expect(opens(shared, company.ben, company))
    #expect(!opens(other, company.ben, company))
    #expect(opens(shared, company.anna, company))
    #expect(opens(other, company.anna, company))
    for guess in ["", "pass", company.secret(of: company.ben)] {
      #expect(!company.rooms.isPass(guess) && !company.rooms.opens(shared, to: guess))
    }
  }

  @Test("it is the same for a reader whenever it comes, and nobody else's")
  func lasting() throws {
    var company = try locked()
    let pass = company.page(of: company.ben).welcome.pass
    #expect(pass.utf8.count == 32)
    #expect(pass != company.page(of: company.anna).welcome.pass)
    try company.lose(company.ben, code: 1000)
    #expect(!company.rooms.isPass(pass))
    let ben = company.secret(of: company.ben)
    try company.come(MemberID(9), key: company.link(.follow), reader: ben)
    #expect(company.page(of: MemberID(9)).welcome.pass == pass)
  }

  @Test("it opens nothing any more once the session has ended")
  func ended() throws {
    var company = try locked()
    try company.say(.endReading, company.anna, pause: 1)
    #expect(company.page(of: company.ben).closed == CloseCode.ended.rawValue)
    #expect(!opens(shared, company.ben, company))
    #expect(opens(shared, company.anna, company))
  }

  @Test("it opens nothing any more once its member was shown out")
  func shownOut() throws {
    var company = try locked()
    try company.say(.showOut(company.ben.rawValue), company.anna, pause: 1)
    #expect(!opens(shared, company.ben, company))
  }

  @Test("one whose line was lost keeps it for as long as it may come back")
  func lost() throws {
    var company = try locked()
    try company.lose(company.ben)
    try company.pass(30)
    #expect(opens(shared, company.ben, company))
    try company.pass(40)
    #expect(!opens(shared, company.ben, company))
  }

  @Test("with one window of a reader gone another still shows it")
  func windows() throws {
    var company = try locked()
    let ben = company.secret(of: company.ben)
    try company.come(MemberID(9), key: company.link(.follow), reader: ben)
    try company.lose(MemberID(9), code: 1000)
    #expect(opens(shared, company.ben, company))
  }

  @Test("where the shelf is shared it opens the books of the shelf to who looks at it")
  func shelf() throws {
    var company = try locked()
    #expect(!opens("0/0", company.ben, company))
    let settings = RoomSettings(policy: .hostLeads, sharesShelf: true)
    try company.say(.settings(settings), company.anna, pause: 1)
    try company.say(.key(.escape), company.ben, pause: 3)
    #expect(opens("0/0", company.ben, company) && !opens(other, company.ben, company))
  }

  @Test("when all go on to another book it opens that one, and the one before no more")
  func passage() throws {
    var company = try locked()
    try company.say(.go(book: other, opens: true, page: 1), company.anna, pause: 5)
    try company.say(.bring(book: other), company.anna, pause: 10)
    #expect(company.room?.stage.openBook == other)
    #expect(opens(other, company.ben, company) && !opens(shared, company.ben, company))
  }
}

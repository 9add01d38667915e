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

  /// Whether a member's last pass opens a part of the library at present: it is neither too old nor
  /// was it ended.
  private func opens(_ part: Pass.Part, _ id: MemberID, _ company: Company) -> Bool {
    guard let pass = Pass(text: company.page(of: id).welcome.pass),
      pass.isValid(at: company.now + 1_000_000)
    else { return false }
    for case .endPasses(let members, let date) in company.wants
    where members.contains(pass.member) && pass.issued < date { return false }
    if let shelf = part.book?.split(separator: "/").first {
      return pass.names(part) || pass.names(.collection(String(shelf)))
    }
    return pass.names(part)
  }

  private func opens(collection: String, _ id: MemberID, _ company: Company) -> Bool {
    opens(.collection(collection), id, company)
  }

  private func opens(_ book: String, _ id: MemberID, _ company: Company) -> Bool {
    opens(.book(book), id, company)
  }

  @Test("a guest's pass opens the shared book, and that of a member with the key every book")
  func scope() throws {
    let company = try locked()
    #expect(opens(shared, company.ben, company))
    #expect(!opens(other, company.ben, company))
    #expect(opens(shared, company.anna, company))
    #expect(opens(other, company.anna, company))
    let pass = try #require(Pass(text: company.page(of: company.ben).welcome.pass))
    #expect(pass.member == company.ben && pass.parts == [.book(shared)])
  }

  @Test("passes are renewed while a member is here, and get too old when it is not")
  func renewal() throws {
    var company = try locked()
    let first = company.page(of: company.ben).welcome.pass
    for round in 0..<10 {
      try company.pass(Pass.renewalSeconds)
      #expect(opens(shared, company.ben, company))
      if round == 9 { try company.lose(company.ben) }
      company.rooms.host(now: company.now, into: &company.effects) { $0.renewPasses(in: &$1) }
      try company.carryOut()
    }
    #expect(company.page(of: company.ben).welcome.pass != first)
    try company.pass(Pass.seconds - Pass.renewalSeconds)
    #expect(!opens(shared, company.ben, company))
    #expect(Pass.seconds - Pass.renewalSeconds > Resumption.seconds)
  }

  @Test("an open library needs no passes, so that rooms at rest send nothing")
  func open() throws {
    var company = try Company(.hostLeads, .follow)
    try company.pass(1000)
    #expect(
      !company.page(of: company.ben).heard.contains { if case .pass = $0 { true } else { false } }
    )
    #expect(company.rooms.wakeTime == nil)
  }

  @Test("the pass for a book comes before the frames that show it")
  func order() throws {
    var company = try locked()
    try company.pass(1)
    company.pages[company.ben]?.heard = []
    try company.say(.bring(book: other), company.anna)
    let first = try #require(company.page(of: company.ben).heard.first)
    guard case .pass(let text) = first else {
      Issue.record("\(first)")
      return
    }
    #expect(Pass(text: text)?.parts == [.book(other)])
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

  @Test("when members leave, their passes end, and the others are not sent new ones")
  func manyLeave() throws {
    var company = try locked()
    let guests = (10..<30).map { MemberID($0) }
    for guest in guests { try company.come(guest, key: company.link(.follow)) }
    try company.pass(1)
    for guest in guests.dropLast() {
      company.wants.removeAll()
      company.forget()
      try company.lose(guest, code: 1000)
      let ended = company.wants.compactMap { effect in
        if case .endPasses(let members, _) = effect { members } else { nil }
      }
      #expect(ended == [[guest]])
      #expect(company.heard(guests[19]) { if case .pass = $0 { true } else { nil } }.isEmpty)
    }
    #expect(opens(shared, guests[19], company))
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

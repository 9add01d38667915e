import Fabric
import Notices
import Scene
import Staging
import Testing
import Wire

@testable import Rooms

@Suite("A book on two shelves")
struct CopiedBookTests {
  /// Returns the ids of the covers and pages that Anna was told of.
  private func introduced(in company: Company) -> Set<UInt64> {
    let elements = company.heard(company.anna) { message in
      if case .elements(let list) = message { list } else { nil }
    }
    return Set(elements.flatMap { $0 }.filter { $0.kind != .collection }.map(\.id))
  }

  @Test("is shared with the shelf from which it was opened, and stays the same element")
  func shared() throws {
    var company = try Company()
    var catalogue = Catalogue.varied
    catalogue.collections[2].books.append(catalogue.collections[0].books[4])
    catalogue.collections[2].copies = ["0/4": 1]
    company.rooms.replace(catalogue: catalogue, now: company.now, into: &company.effects)
    try company.carryOut()
    try company.say(.key(.escape), company.anna, pause: 5)
    try company.say(.go(book: "2/0", opens: false, page: nil), company.anna, pause: 5)
    try company.say(.go(book: "0/4", opens: true, page: nil), company.anna, pause: 5)
    #expect(company.room?.stage.collection == 2)
    let before = introduced(in: company)
    try company.say(.share, company.anna, pause: 5)
    #expect(company.room?.record?.collection == "2")
    #expect(introduced(in: company) == before)
    try company.come(company.ben, key: company.link(.follow))
    try company.pass(1)
    #expect(company.seeTheSame(company.anna, company.ben))
  }
}

@Suite("A book that loses its file while it is open")
struct MissingBookTests {
  private let book = "0/4"

  /// Replaces the library by one without the book, whose file is gone or which was deleted.
  private func lose(in company: inout Company, isMissing: Bool = true) throws {
    var without = Catalogue.varied
    without.collections[0].books.removeAll { $0.id == book }
    without.missing = isMissing ? [book] : []
    company.rooms.replace(catalogue: without, now: company.now, into: &company.effects)
    try company.carryOut()
    try company.pass(5)
  }

  @Test("stays open, and its reader is told once and can turn its pages")
  func reading() throws {
    var company = try Company()
    company.forget()
    try lose(in: &company)
    #expect(company.room?.stage.openBook == book)
    #expect(company.errors(company.anna).map(\.code) == [.openBookGone])
    #expect(company.rooms.wakeTime == nil)
    let page = try #require(company.page)
    try company.say(.key(.arrowRight), company.anna, pause: 5)
    #expect(try #require(company.page) > page)
    try lose(in: &company)
    #expect(company.errors(company.anna).count == 1)
  }

  @Test("leaves its shelf when its reader has closed it, after the closing was seen")
  func closing() throws {
    var company = try Company()
    try lose(in: &company)
    try company.say(.key(.escape), company.anna, pause: 0.3)
    #expect(company.books(of: company.anna).contains(book))
    try company.pass(5)
    #expect(!company.books(of: company.anna).contains(book))
    #expect(company.room?.stage.collection == 0 && company.rooms.wakeTime == nil)
  }

  @Test("stays open for all in a shared session, whose passes still open it, until that ends")
  func shared() throws {
    var company = try Company(libraryKey: "the key of the library")
    try company.say(.share, company.anna, pause: 1)
    try company.come(company.ben, key: company.link(.follow))
    try company.pass(1)
    company.forget()
    try lose(in: &company)
    #expect(company.room?.stage.openBook == book)
    #expect(company.errors(company.ben).map(\.code) == [.openBookGone])
    try company.pass(Pass.renewalSeconds)
    company.rooms.host(now: company.now, into: &company.effects) { $0.renewPasses(in: &$1) }
    try company.carryOut()
    let pass = try #require(Pass(text: company.page(of: company.ben).welcome.pass))
    #expect(pass.names(.book(book)) && pass.isValid(at: company.now + 1_000_000))
    // One that joins late sees the same.
    try company.come(company.cleo, key: company.link(.follow))
    try company.pass(1)
    #expect(company.seeTheSame(company.ben, company.cleo))
    #expect(company.page(of: company.cleo).decoder.latest?.screen == .book)
  }

  @Test("closes when it is deleted, also after its file was gone")
  func deleted() throws {
    for steps in [[false], [true, false]] {
      var company = try Company()
      for isMissing in steps { try lose(in: &company, isMissing: isMissing) }
      #expect(company.room?.stage.openBook == nil, "\(steps)")
      #expect(!company.books(of: company.anna).contains(book), "\(steps)")
    }
  }

  @Test("stays open when its file comes back, and is on its shelf again")
  func back() throws {
    var company = try Company()
    try lose(in: &company)
    company.rooms.replace(catalogue: .varied, now: company.now, into: &company.effects)
    try company.carryOut()
    try company.pass(5)
    #expect(company.room?.stage.openBook == book)
    try company.say(.key(.escape), company.anna, pause: 5)
    #expect(company.books(of: company.anna).contains(book))
  }
}

import Fabric
import Motion
import Scene
import Staging
import Testing
import Wire

@testable import Rooms

@Suite("Windows of a room that are fitted to the pages")
struct FitRoomTests {
  private static let words = Fit(
    .words,
    words: Fit.Words(left: 0.125, top: 0.125, right: 0.875, bottom: 0.875)
  )

  private func framings(_ id: MemberID, in company: Company) -> [FramingEvent] {
    company.page(of: id).heard.compactMap {
      if case .framing(let event) = $0 { event } else { nil }
    }
  }

  /// Returns a room of Anna with a laptop, and Ben with a phone that is fitted to the words.
  private func company() throws -> Company {
    var company = try Company()
    try company.say(.share, company.anna)
    let phone = Viewport(size: Size(width: 390, height: 844), pixelRatio: 3)
    try company.come(company.ben, key: company.link(.follow), viewport: phone)
    try company.say(.lay(.flat), company.anna, pause: 3)
    try company.say(.fit(Self.words), company.ben, pause: 3)
    return company
  }

  @Test("tell their page the scale of the fit, and follow the others' turns")
  func follows() throws {
    var company = try company()
    let (anna, ben) = (company.anna, company.ben)
    let camera = try #require(company.room?.camera(of: ben))
    let told = try #require(framings(ben, in: company).last)
    #expect(abs(Double(told.scale) - camera.m11) < 1e-4 * camera.m11)
    // Three quarters of a page fill the window.
    let reach = try #require(company.room?.stage.flatReach)
    #expect(abs(camera.m11 * 0.75 * reach.width - 388) < 0.01)
    #expect(framings(anna, in: company).allSatisfy { $0.pages == .all })
    company.forget()
    try company.say(.key(.arrowRight), anna, pause: 4)
    #expect(framings(ben, in: company).last?.range == PageRange(labels: ["22"], total: "100"))
    #expect(company.room?.camera(of: ben)?.m11 == camera.m11)
    #expect(company.room?.camera(of: anna)?.m11 != camera.m11)
  }

  @Test("turn while they are fitted, by one who may turn, and show one page of a wide window")
  func leads() throws {
    var company = try company()
    let (anna, ben) = (company.anna, company.ben)
    try company.say(.fit(Fit(.page)), anna, pause: 3)
    #expect(framings(anna, in: company).last?.range == PageRange(labels: ["20"], total: "100"))
    let before = try #require(company.page)
    for _ in 0..<12 where company.page == before {
      try company.say(.key(.pageDown), anna, pause: 3)
    }
    #expect(company.page == before + 2)
    #expect(framings(anna, in: company).last?.range == PageRange(labels: ["22"], total: "100"))
    #expect(framings(ben, in: company).last?.range == PageRange(labels: ["22"], total: "100"))
  }

  @Test("keep the fit while the book is open, and lose it with the book")
  func closes() throws {
    var company = try Company()
    let anna = company.anna
    func scale(_ company: Company) -> Double { company.room?.camera(of: anna)?.m11 ?? 0 }
    let whole = scale(company)
    try company.say(.lay(.flat), anna, pause: 3)
    try company.say(.fit(Self.words), anna, pause: 3)
    let fitted = scale(company)
    #expect(fitted > 1.5 * whole)
    try company.say(.lay(.standing), anna, pause: 3)
    #expect(scale(company) == whole)
    try company.say(.lay(.flat), anna, pause: 3)
    #expect(scale(company) == fitted)
    // A window that shows one page leaves the book at once.
    try company.say(.key(.escape), anna, pause: 4)
    #expect(company.room?.stage.openBook == nil)
    try company.say(.go(book: "0/4", opens: true, page: nil), anna, pause: 5)
    try company.say(.lay(.flat), anna, pause: 3)
    #expect(scale(company) == whole)
  }
}

@Suite("Text documents")
struct TextDocumentTests {
  @Test("are laid flat when they are opened for the first time, and then as they were left")
  func opens() throws {
    var catalogue = Catalogue.sample([[12, 12]])
    catalogue.collections[0].books[0].opensFlat = true
    var company = try Company(catalogue)
    let anna = company.anna
    for (book, isFlat) in [("0/0", true), ("0/1", false)] {
      try company.say(.go(book: book, opens: true, page: nil), anna, pause: 5)
      #expect(company.room?.stage.isFlat == isFlat, "\(book)")
    }
    try company.say(.go(book: "0/0", opens: true, page: 3), anna, pause: 5)
    #expect(company.room?.stage.isFlat == true)
    try company.say(.lay(.standing), anna, pause: 3)
    try company.say(.key(.escape), anna, pause: 3)
    try company.say(.go(book: "0/0", opens: true, page: nil), anna, pause: 5)
    #expect(company.room?.stage.isFlat == false)
  }
}

import Fabric
import Motion
import Scene
import Staging
import Testing
import Wire

@testable import Rooms

@Suite("Upright phones in a room")
struct PhoneRoomTests {
  private static let phone = Viewport(size: Size(width: 390, height: 844), pixelRatio: 3)

  /// Returns a room of Anna with a laptop, and Ben and Cleo with phones.
  private func company(_ policy: Policy) throws -> Company {
    var company = try Company()
    try company.say(.share, company.anna)
    try company.say(.settings(RoomSettings(policy: policy)), company.anna, pause: 1)
    for id in [company.ben, company.cleo] {
      try company.come(id, key: company.link(.follow), viewport: Self.phone)
    }
    try company.pass(1)
    return company
  }

  private func framings(_ id: MemberID, in company: Company) -> [FramingEvent] {
    company.page(of: id).heard.compactMap {
      if case .framing(let event) = $0 { event } else { nil }
    }
  }

  private func expect(
    _ pages: FramingEvent.Pages,
    _ label: String,
    of ids: [MemberID],
    in company: Company
  ) {
    for id in ids {
      let last = framings(id, in: company).last
      let isShown = last?.pages == pages && last?.range.labels == [label]
      #expect(isShown, "\(id), \(String(describing: last))")
      // The camera shows that page.
      let x = company.room?.camera(of: id)?.m41 ?? 0
      #expect(pages == .left ? x > 0 : x < 0, "\(id)")
    }
  }

  @Test("show the page that a phone moves to which may turn, and follow the leaf")
  func together() throws {
    var company = try company(.anyoneTurns)
    let (ben, cleo) = (company.ben, company.cleo)
    expect(.left, "20", of: [ben, cleo], in: company)
    try company.say(.key(.arrowRight), ben, pause: 3)
    expect(.right, "21", of: [ben, cleo], in: company)
    #expect(company.page == 19)
    try company.say(.key(.arrowRight), ben, pause: 3)
    expect(.left, "22", of: [ben, cleo], in: company)
    #expect(company.page == 21)
    try company.say(.key(.arrowLeft), company.anna, pause: 3)
    expect(.right, "21", of: [ben, cleo], in: company)
    let annas = framings(company.anna, in: company)
    #expect(annas.allSatisfy { $0.pages == .all && $0.range.labels.isEmpty })
  }

  @Test("show the page to which one of them jumps, on either side")
  func jumps() throws {
    var company = try company(.anyoneTurns)
    let (ben, cleo) = (company.ben, company.cleo)
    for (page, pages, label) in [
      (20, FramingEvent.Pages.right, "21"), (19, .left, "20"),
      (4, .right, "5"), (29, .left, "30"),
    ] {
      try company.say(.jump(page: UInt32(page)), ben, pause: 4)
      expect(pages, label, of: [ben], in: company)
    }
    expect(.left, "30", of: [cleo], in: company)
  }

  @Test("that prefer reduced motion swipe over the page that they see, not over what still moves")
  func unseenMotion() throws {
    var company = try company(.anyoneTurns)
    let cleo = company.cleo
    for id in [company.anna, company.ben] { try company.lose(id) }
    try company.say(.viewport(Self.phone, reducesMotion: true), cleo, pause: 1)
    try company.say(.lay(.standing), cleo, pause: 3)
    try company.say(.lay(.flat), cleo)
    for (pages, label) in [
      (FramingEvent.Pages.right, "21"), (.left, "22"), (.right, "23"),
    ] {
      try company.finger(.down, 351, cleo)
      for step in 1...10 { try company.finger(.move, 351 - 31.2 * Double(step), cleo) }
      try company.finger(.up, 39, cleo, pause: 0.05)
      expect(pages, label, of: [cleo], in: company)
    }
  }

  @Test(
    "that prefer reduced motion go on by one page with each key, however fast",
    arguments: [LayOrder.flat, .standing],
    [0.02, 0.1, 0.4]
  )
  func unseenTurns(pose: LayOrder, pause: Double) throws {
    var company = try company(.anyoneTurns)
    let cleo = company.cleo
    for id in [company.anna, company.ben] { try company.lose(id) }
    try company.say(.viewport(Self.phone, reducesMotion: true), cleo, pause: 1)
    try company.say(.lay(pose), cleo, pause: 3)
    for page in 21...26 {
      try company.say(.key(.arrowRight), cleo, pause: pause)
      expect(page % 2 == 0 ? .left : .right, "\(page)", of: [cleo], in: company)
    }
  }

  @Test("of followers move between the pages of a spread on their own")
  func followers() throws {
    var company = try company(.hostLeads)
    try company.say(.key(.arrowRight), company.ben, pause: 3)
    expect(.right, "21", of: [company.ben], in: company)
    expect(.left, "20", of: [company.cleo], in: company)
    #expect(company.page == 19)
  }

  @Test("open a book flat, which a laptop does not")
  func flat() throws {
    for viewport in [Viewport.plain, Self.phone] {
      var company = try Company(.varied)
      try company.say(.viewport(viewport, reducesMotion: false), company.anna)
      for _ in 0..<2 { try company.say(.key(.enter), company.anna, pause: 4) }
      let stage = try #require(company.room?.stage)
      #expect(stage.openBook != nil && stage.isOpenFlat == Framing.isTall(viewport))
    }
  }

  @Test("open a book flat from the list, and close it in one step")
  func wayAndBack() throws {
    var company = try Company(.varied)
    try company.say(.viewport(Self.phone, reducesMotion: false), company.anna)
    for page in [nil, 1, 9] as [UInt32?] {
      try company.say(.go(book: "0/4", opens: true, page: page), company.anna, pause: 9)
      var stage = try #require(company.room?.stage)
      #expect(stage.openBook == "0/4" && stage.isOpenFlat, "\(String(describing: page))")
      try company.say(.key(.escape), company.anna, pause: 4)
      stage = try #require(company.room?.stage)
      #expect(stage.openBook == nil && stage.screen == .shelf)
      // From the shelf as well.
      try company.say(.go(book: "0/4", opens: true, page: page), company.anna, pause: 9)
      #expect(company.room?.stage.isOpenFlat == true, "\(String(describing: page))")
      try company.say(.key(.escape), company.anna, pause: 4)
      try company.say(.key(.escape), company.anna, pause: 4)
    }
  }
}

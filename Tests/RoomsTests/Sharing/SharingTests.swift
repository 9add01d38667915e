import Fabric
import Notices
import Scene
import Staging
import Testing
import Wire

@testable import Rooms

extension Company {
  /// Tries a key, and returns the close code; nil if the room opened.
  fileprivate mutating func knock(
    _ number: UInt32,
    _ key: String,
    from address: String
  ) throws -> UInt16? {
    let id = MemberID(number)
    try come(id, key: key, from: address)
    return page(of: id).closed
  }
}

@Suite("Sharing a room")
struct SharingTests {
  @Test("a shared room shows its book and nothing else of the library")
  func narrows() throws {
    var company = try Company()
    let page = company.page
    try company.say(.share, company.anna, pause: 2)
    #expect(company.room?.stage.outline.collections.flatMap(\.books).map(\.id) == ["0/4"])
    #expect(company.room?.stage.openBook == "0/4" && company.page == page)
    try company.come(company.ben, key: company.link(.follow))
    let urls = company.page(of: company.ben).decoder.elements.values.map(\.imageURL)
    let ofBook = urls.filter { $0.hasPrefix("/books/0/4/") || $0 == "/ledges/book/0/4.svg" }
    #expect(!urls.isEmpty && ofBook == urls)
  }

  @Test("a room without an open book has nothing to share")
  func nothingOpen() throws {
    var company = try Company()
    for _ in 0..<2 { try company.say(.key(.escape), company.anna, pause: 3) }
    company.forget()
    try company.say(.share, company.anna)
    #expect(company.room?.isShared == false)
    #expect(company.errors(company.anna) == [Notice(.openBookFirst)])
  }

  @Test("each link gives its own grant and no other")
  func grants() throws {
    var company = try Company(.hostLeads, .follow, .present)
    #expect(company.page(of: company.ben).role.role == .follower)
    #expect(company.page(of: company.cleo).role.role == .copresenter)
    #expect(company.page(of: company.cleo).role.bookAct == .take)
    let host = MemberID(4)
    try company.come(host, key: company.link(.host))
    #expect(company.page(of: host).role.rights.contains([.isHost, .mayShare]))
    #expect(company.page(of: host).role.bookAct == .takeBack)
    for (id, grant) in [(company.ben, Grant.follow), (company.cleo, .present), (host, .host)] {
      #expect(company.room?.person(id)?.grant == grant)
    }
    company.forget()
    for guest in [company.ben, company.cleo] {
      try company.say(.settings(RoomSettings(policy: .anyoneTurns)), guest)
      try company.say(.renewLinks, guest)
      try company.say(.showOut(company.anna.rawValue), guest)
      try company.say(.endReading, guest)
    }
    #expect(company.room?.settings.policy == .hostLeads && company.room?.roster.count == 4)
    #expect(company.wants.isEmpty)
  }

  @Test("a missing, a wrong and a replaced key open nothing")
  func wrongKeys() throws {
    var company = try Company(.hostLeads)
    let old = company.link(.follow)
    try company.say(.renewLinks, company.anna)
    for (place, key) in ["", "nonsense", old].enumerated() {
      let id = MemberID(UInt32(10 + place))
      try company.come(id, key: key)
      #expect(company.page(of: id).closed == CloseCode.keyNeeded.rawValue)
    }
    try company.come(company.ben, key: company.link(.follow))
    #expect(company.page(of: company.ben).closed == nil && company.room?.roster.count == 2)
  }

  @Test("the library's key opens a shared room to its owner")
  func libraryKey() throws {
    var company = try Company(libraryKey: "the key")
    try company.say(.share, company.anna)
    try company.come(company.ben, key: "the key")
    #expect(company.room?.person(company.ben)?.grant == .host)
  }

  @Test("a code opens the room to follow for a quarter of an hour, and gives a key for later")
  func code() throws {
    var company = try Company(.hostLeads)
    let code = company.page(of: company.anna).links?.code ?? ""
    #expect(code.count == 6)
    #expect(company.page(of: company.anna).links?.codeSeconds == 900)
    try company.pass(890)
    try company.come(company.ben, to: "", key: code.lowercased())
    let welcome = company.page(of: company.ben).welcome
    #expect(welcome.room == "R" && company.room?.person(company.ben)?.grant == .follow)
    try company.pass(20)
    try company.come(company.cleo, to: "", key: code)
    #expect(company.page(of: company.cleo).closed == CloseCode.keyNeeded.rawValue)
    #expect(company.errors(company.cleo) == [Notice(.unknownCode, ["minutes": "15"])])
    try company.come(MemberID(4), key: welcome.key)
    #expect(company.room?.person(MemberID(4))?.grant == .follow)
  }

  @Test("a second request for the links gives a code and no secrets")
  func again() throws {
    var company = try Company(.hostLeads)
    try company.pass(1000)
    try company.say(.share, company.anna)
    let links = company.page(of: company.anna).links
    #expect(links?.follow == "" && links?.present == "" && links?.host == "")
    try company.come(company.ben, to: "", key: links?.code ?? "")
    #expect(company.page(of: company.ben).welcome.room == "R")
  }

  @Test("after five wrong keys an address waits for a minute, except for members with a link")
  func tries() throws {
    var company = try Company(.hostLeads)
    let right = company.link(.follow)
    for number in 10..<15 {
      let code = try company.knock(UInt32(number), "nonsense", from: "a")
      #expect(code == CloseCode.keyNeeded.rawValue)
    }
    let banned = try company.knock(20, "nonsense", from: "a")
    #expect(banned == CloseCode.tooManyTries.rawValue)
    let invited = try company.knock(21, right, from: "a")
    #expect(invited == nil)
    let other = try company.knock(22, "nonsense", from: "b")
    #expect(other == CloseCode.keyNeeded.rawValue)
    try company.pass(61)
    let later = try company.knock(23, "nonsense", from: "a")
    #expect(later == CloseCode.keyNeeded.rawValue)
  }

  @Test("a locked room admits hosts, and members that return")
  func locking() throws {
    var company = try Company(.hostLeads, .follow)
    try company.say(.settings(RoomSettings(policy: .hostLeads, isLocked: true)), company.anna)
    for (place, grant) in [Grant.follow, .present].enumerated() {
      let id = MemberID(UInt32(10 + place))
      try company.come(id, key: company.link(grant))
      #expect(company.page(of: id).closed == CloseCode.locked.rawValue)
    }
    let resume = company.page(of: company.ben).welcome.resume
    try company.lose(company.ben)
    try company.come(MemberID(12), resume: resume)
    #expect(company.room?.person(company.ben)?.isHere == true)
    try company.come(MemberID(13), key: company.link(.host))
    #expect(company.room?.roster.count == 3)
  }

  @Test("a removed member is closed and cannot resume")
  func showingOut() throws {
    var company = try Company(.hostLeads, .follow, .follow)
    try company.say(.showOut(company.ben.rawValue), company.anna, pause: 1)
    #expect(company.page(of: company.ben).closed == CloseCode.shownOut.rawValue)
    #expect(company.page(of: company.cleo).people[2] == nil)
    let act = HostAct.remove(company.ben)
    let noted = Effects.Effect.audit(act, room: "R", by: company.anna, from: "10.0.0.1")
    #expect(company.wants.contains(noted))
    try company.come(MemberID(9), resume: company.page(of: company.ben).welcome.resume)
    #expect(company.page(of: MemberID(9)).closed == CloseCode.keyNeeded.rawValue)
  }

  @Test("a session that has ended closes to all others, and its owner has the whole library")
  func ending() throws {
    var company = try Company(.hostLeads, .follow, .present)
    try company.say(.endReading, company.anna, pause: 1)
    for id in [company.ben, company.cleo] {
      #expect(company.page(of: id).closed == CloseCode.ended.rawValue)
    }
    #expect(company.wants.contains(.forgetRoom("R")))
    let noted = Effects.Effect.audit(.end, room: "R", by: company.anna, from: "10.0.0.1")
    #expect(company.wants.contains(noted))
    #expect(company.room?.isShared == false && company.room?.roster.count == 1)
    #expect(company.room?.stage.outline == Catalogue.varied.outline)
    #expect(company.room?.stage.openBook == "0/4")
    #expect(company.page(of: company.anna).people.count == 1)
  }
}

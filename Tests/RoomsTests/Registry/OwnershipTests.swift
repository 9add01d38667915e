import Fabric
import Scene
import Staging
import Testing
import Wire

@testable import Rooms

@Suite("The owner of a room")
struct OwnershipTests {
  private let late = MemberID(9)

  /// Returns whether a member is a host of the room.
  private func isHost(_ id: MemberID, _ company: Company) -> Bool {
    company.room?.person(id)?.grant == .host
  }

  @Test("the room of a session that has ended opens to its owner, and to no guest or former host")
  func ended() throws {
    var company = try Company(.hostLeads, .follow, .host)
    let (follow, host) = (company.link(.follow), company.link(.host))
    try company.say(.endReading, company.anna, pause: 1)
    for (reader, key) in [(company.ben, ""), (company.ben, follow), (company.cleo, host)] {
      let id = MemberID(late.rawValue + UInt32(key.count))
      try company.come(id, key: key, reader: company.secret(of: reader))
      #expect(company.page(of: id).closed == CloseCode.keyNeeded.rawValue)
      #expect(company.page(of: id).decoder.elements.isEmpty)
    }
    #expect(company.room?.roster.count == 1)
    let window = MemberID(50)
    try company.lose(company.anna)
    try company.come(window, reader: company.secret(of: company.anna))
    #expect(isHost(window, company))
  }

  @Test("another host that ends a session also leaves, and the owner stays alone")
  func endedByAnother() throws {
    var company = try Company(.hostLeads, .follow, .host)
    try company.say(.endReading, company.cleo, pause: 1)
    for id in [company.ben, company.cleo] {
      #expect(company.page(of: id).closed == CloseCode.ended.rawValue)
    }
    #expect(company.room?.roster.people.map(\.id) == [company.anna])
    #expect(company.room?.isShared == false)
  }

  @Test("if the library has a key, the owner also needs it to stay with the whole library")
  func endedWithoutKey() throws {
    var company = try Company(libraryKey: "the key of the library")
    try company.say(.share, company.anna)
    try company.say(.settings(RoomSettings(policy: .hostLeads)), company.anna)
    let reader = company.secret(of: company.anna)
    try company.come(late, key: company.link(.host), reader: reader)
    #expect(isHost(late, company))
    try company.say(.endReading, company.anna, pause: 1)
    #expect(company.page(of: late).closed == CloseCode.ended.rawValue)
    try company.come(MemberID(10), reader: reader)
    #expect(company.page(of: MemberID(10)).closed == CloseCode.keyNeeded.rawValue)
    try company.lose(company.anna)
    try company.come(MemberID(11), key: "the key of the library", reader: reader)
    #expect(isHost(MemberID(11), company))
  }

  @Test("no other host removes the owner or its rights")
  func owner() throws {
    var company = try Company(.hostLeads, .host)
    try company.say(.showOut(company.anna.rawValue), company.ben)
    try company.say(.grant(company.anna.rawValue, .follow), company.ben, pause: 1)
    #expect(isHost(company.anna, company) && company.page(of: company.anna).closed == nil)
    #expect(company.errors(company.ben).count == 2)
  }

  @Test("a name alone opens no room of another reader, shared or not")
  func nameAlone() throws {
    var company = try Company()
    try company.come(company.ben)
    #expect(company.page(of: company.ben).closed == CloseCode.keyNeeded.rawValue)
    try company.say(.share, company.anna, pause: 1)
    try company.come(company.cleo)
    #expect(company.page(of: company.cleo).closed == CloseCode.keyNeeded.rawValue)
    #expect(company.room?.roster.count == 1)
  }

  @Test("a reader that connects without a room's name continues in its own room")
  func continues() throws {
    var company = try Company()
    try company.lose(company.anna)
    try company.pass(70)
    company.rooms.opened(late, from: "10.0.0.7", now: company.now)
    company.pages[late] = Company.Page()
    let hello = Hello(reader: company.secret(of: company.anna), viewport: .plain)
    try company.say(.hello(hello), late)
    #expect(company.page(of: late).welcome.room == "R")
    #expect(company.page(of: late).welcome.reader == "")
    #expect(company.page == 19 || company.page == 20)
  }

  @Test("the book in the middle of the shelf names its page to continue on, and opens there")
  func begun() throws {
    var company = try Company()
    try company.say(.key(.escape), company.anna, pause: 5)
    func caption() -> Caption? {
      company.heard(company.anna) { if case .caption(let news) = $0 { news } else { nil } }.last
    }
    #expect(caption()?.range == PageRange(labels: ["20", "21"], total: "100"))
    #expect(caption()?.flags == .isBegun && caption()?.page == 0)
    try company.say(.key(.arrowLeft), company.anna, pause: 5)
    #expect(caption()?.size == 3 && caption()?.range == PageRange() && caption()?.flags == [])
    try company.say(.key(.arrowRight), company.anna, pause: 5)
    #expect(caption()?.flags == .isBegun)
    try company.say(.key(.enter), company.anna, pause: 5)
    #expect(company.page == 19)
  }

  @Test("a reader without a secret, or with a guessable one, gets a secret and its own room")
  func newReaders() throws {
    var company = try Company()
    for (number, secret) in [(UInt32(20), ""), (21, "guess"), (22, "guess")] {
      let id = MemberID(number)
      company.rooms.opened(id, from: "10.0.0.7", now: company.now)
      company.pages[id] = Company.Page()
      try company.say(.hello(Hello(reader: secret, viewport: .plain)), id)
      #expect(company.page(of: id).welcome.reader.isEmpty == false)
      #expect(isHost(id, company) == false)
    }
    #expect(company.rooms.roomCount == 4)
  }

  @Test("a reader of a missing room is informed, whatever it shows, and the room is not created")
  func gone() throws {
    var company = try Company(.hostLeads)
    for (place, key) in ["", company.link(.follow), "nonsense"].enumerated() {
      let id = MemberID(UInt32(30 + place))
      try company.come(id, to: "NOWHERE", key: key)
      #expect(company.page(of: id).closed == CloseCode.roomGone.rawValue)
      #expect(company.page(of: id).heard.isEmpty)
    }
    #expect(company.rooms.room(named: "NOWHERE") == nil)
  }

  @Test("after any decision about a shared room, its stored record says that it is in use")
  func kept() throws {
    var company = try Company(.hostLeads, .follow)
    try company.say(.settings(RoomSettings(policy: .hostLeads, isLocked: true)), company.anna)
    try company.say(.renewLinks, company.anna)
    try company.lose(company.ben)
    try company.lose(company.anna)
    let records = company.wants.compactMap { effect in
      if case .keepRoom(let record) = effect { record } else { nil }
    }
    #expect(records.count == 3)
    let start = company.now + 1_000_000 - 1
    #expect(records.allSatisfy { $0.lastUsed >= start && $0.owner == .of("R") })
  }

  @Test("a room that is entered again after a long time is stored as one in use")
  func keptAtEntry() throws {
    var company = try Company(.hostLeads, .follow)
    try company.pass(7200)
    try company.come(late, key: company.link(.follow))
    let records = company.wants.compactMap { effect in
      if case .keepRoom(let record) = effect { record.lastUsed } else { nil }
    }
    #expect(records == [company.now + 1_000_000])
  }
}

import Fabric
import Notices
import Scene
import Staging
import Testing
import Wire

@testable import Rooms

@Suite("Limits of rooms per address")
struct FloodTests {
  @Test(
    "a member that was closed for cause, or that said goodbye, has left for good",
    arguments: [
      UInt16(1000), 1003, 1008, 1009, 4000, 4003,
    ]
  )
  func forGood(code: UInt16) throws {
    var company = try Company(.hostLeads, .follow)
    let resume = company.page(of: company.ben).welcome.resume
    try company.lose(company.ben, code: code)
    #expect(company.room?.roster.people.map(\.id) == [company.anna])
    #expect(company.rooms.presences.count == 1)
    try company.come(MemberID(9), resume: resume)
    #expect(company.page(of: MemberID(9)).closed == CloseCode.keyNeeded.rawValue)
  }

  @Test(
    "a member that lost its connection, or that was too slow, is away",
    arguments: [
      UInt16(1001), 1005, 1006, 4008,
    ]
  )
  func away(code: UInt16) throws {
    var company = try Company(.hostLeads, .follow)
    let resume = company.page(of: company.ben).welcome.resume
    try company.lose(company.ben, code: code)
    #expect(company.room?.roster.count == 2)
    try company.come(MemberID(9), resume: resume)
    #expect(company.room?.person(company.ben)?.isHere == true)
  }

  @Test("members that are away keep nobody out: the one that has been away for longest is removed")
  func awayMakesPlace() throws {
    var company = try Company(.hostLeads)
    let key = company.link(.follow)
    for number in 0..<UInt32(Room.membersMax - 1) {
      let id = MemberID(1000 + number)
      try company.come(id, key: key)
      try company.lose(id)
      company.now += 0.01
    }
    #expect(company.room?.roster.count == Room.membersMax)
    try company.come(company.ben, key: key)
    #expect(company.page(of: company.ben).closed == nil)
    #expect(company.room?.person(company.ben)?.isHere == true)
    #expect(company.room?.person(MemberID(1000)) == nil)
    #expect(company.room?.person(MemberID(1001)) != nil)
    #expect(company.room?.roster.count == Room.membersMax)
    #expect(company.rooms.presences.count == Room.membersMax)
  }

  /// Connects as a new reader and disconnects.
  /// - Returns: The close code; nil if the room opened.
  private func visit(
    _ number: Int,
    from address: String,
    _ company: inout Company
  ) throws -> UInt16? {
    let id = MemberID(UInt32(10_000 + number))
    company.rooms.opened(id, from: address, now: company.now)
    company.pages[id] = Company.Page()
    try company.say(.hello(Hello(viewport: .plain)), id)
    try company.lose(id, code: 1000)
    defer { company.pages[id] = nil }
    return company.page(of: id).closed
  }

  @Test("an address creates a burst of rooms, and then one room at a time")
  func rate() throws {
    var company = try Company()
    let codes = try (0..<300).map { try visit($0, from: "203.0.113.9", &company) }
    #expect(codes.prefix(120).allSatisfy { $0 == nil })
    #expect(codes.suffix(180).allSatisfy { $0 == CloseCode.tooManyRooms.rawValue })
    #expect(company.rooms.room(named: "FRESH121") == nil)
    let other = try visit(400, from: "203.0.113.10", &company)
    #expect(other == nil)
    company.now += 2.1
    let again = try visit(401, from: "203.0.113.9", &company)
    #expect(again == nil)
  }

  @Test("a flood of new readers does not remove the room of a reader that returns")
  func flood() throws {
    var company = try Company()
    // Anna has returned once before.
    try company.lose(company.anna)
    try company.come(MemberID(9), reader: company.secret(of: company.anna))
    try company.lose(MemberID(9))
    let page = company.page
    for number in 0..<1500 {
      let code = try visit(number, from: "203.0.113.\(number / 100)", &company)
      #expect(code == nil)
    }
    #expect(company.rooms.rooms.count == RoomRegistry.emptyRoomsMax)
    #expect(company.room?.stage.openBook == "0/4" && company.page == page)
  }

  @Test("an address keeps a limited number of rooms open; a further one replaces an empty one")
  func total() throws {
    var company = try Company()
    for number in 0..<400 {
      let code = try visit(number, from: "203.0.113.9", &company)
      #expect(code == nil)
      company.now += 2
    }
    #expect(company.rooms.rooms.count == Origins.roomsMax + 1)
    #expect(company.room != nil)
  }

  @Test("an address shares a limited number of rooms until one session ends")
  func shared() throws {
    var company = try Company()
    var hosts: [MemberID] = []
    for number in 0...Origins.sharedMax {
      let id = MemberID(UInt32(100 + number))
      company.rooms.opened(id, from: "203.0.113.9", now: company.now)
      company.pages[id] = Company.Page()
      try company.say(.hello(Hello(viewport: .plain)), id)
      try company.say(.go(book: "0/4", opens: true, page: 20), id, pause: 3)
      try company.say(.share, id)
      hosts.append(id)
    }
    let links = hosts.map { company.page(of: $0).links != nil }
    #expect(links.filter { $0 }.count == Origins.sharedMax)
    let last = try #require(hosts.last)
    #expect(company.errors(last).last?.values == ["count": "\(Origins.sharedMax)"])
    try company.say(.endReading, hosts[0])
    try company.say(.share, last)
    #expect(company.page(of: last).links != nil)
  }
}

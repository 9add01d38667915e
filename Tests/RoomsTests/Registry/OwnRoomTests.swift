import Fabric
import Notices
import Scene
import Staging
import Testing
import Wire

@testable import Rooms

@Suite("The rooms of a reader's windows")
struct OwnRoomTests {
  private let second = MemberID(7)
  private let third = MemberID(8)

  @Test("are named after the first one, with the number of the window")
  func names() {
    #expect(OwnRoom.next(after: "amber-heron-48217") == "amber-heron-48217-2")
    #expect(OwnRoom.next(after: "amber-heron-48217-2") == "amber-heron-48217-3")
    #expect(OwnRoom.next(after: "amber-heron-48217-9") == nil)
    #expect(OwnRoom.first(of: "amber-heron-48217-7") == "amber-heron-48217")
    let others = ["R", "-2", "2", "", "R-1", "R-0", "R-22", "R-\u{0662}", "amber-heron-48217"]
    for name in others { #expect(OwnRoom.first(of: name) == name) }
  }

  @Test("A window beside another one is sent to a room of its own, where each reads its own book")
  func twoWindows() throws {
    var company = try Company()
    try company.come(second, reader: company.secret(of: company.anna))
    #expect(company.page(of: second).closed == CloseCode.elsewhere.rawValue)
    #expect(try company.wantedRoom(of: second) == "R-2")
    try company.come(second, to: "R-2", reader: company.secret(of: company.anna))
    #expect(company.page(of: second).closed == nil)
    try company.say(.go(book: "2/1", opens: true, page: 4), second, pause: 5)
    #expect(company.room?.stage.openBook == "0/4" && company.page == 19)
    #expect(company.rooms.room(named: "R-2")?.stage.openBook == "2/1")
    #expect(company.page(of: company.anna).people.count == 1)
    #expect(company.page(of: second).people.count == 1)
    #expect(company.page(of: second).role.rights.contains(.mayShare))
  }

  @Test("The plain address in the same window continues, though the connection is not closed yet")
  func samePlace() throws {
    var company = try Company()
    let resume = company.page(of: company.anna).welcome.resume
    let anna = company.secret(of: company.anna)
    try company.come(second, to: "", resume: resume, reader: anna)
    #expect(company.page(of: second).closed == nil)
    #expect(company.room?.roster.people.map(\.id) == [company.anna])
    #expect(company.room?.person(company.anna)?.isHere == true)
    #expect(company.rooms.room(named: "R-2") == nil)
    // From another reader's room it leads to one's own.
    var shared = try Company(.anyoneTurns, .follow)
    let guest = shared.page(of: shared.ben).welcome.resume
    try shared.come(third, to: "", resume: guest, reader: shared.secret(of: shared.ben))
    #expect(shared.page(of: third).welcome.room != "R")
    #expect(shared.room?.person(shared.ben)?.isHere == true)
  }

  @Test("A window that asks for it joins the other one, on the same stage")
  func sharesStage() throws {
    var company = try Company()
    company.rooms.opened(second, from: "10.0.0.1", now: company.now)
    company.pages[second] = Company.Page()
    let secret = company.secret(of: company.anna)
    let hello = Hello(reader: secret, viewport: .plain, sharesStage: true)
    try company.say(.hello(hello), second)
    #expect(company.page(of: second).welcome.room == "R" && company.room?.memberCount == 2)
  }

  @Test("A third window is sent on until a room is free; the number is bounded")
  func manyWindows() throws {
    var company = try Company()
    let anna = company.secret(of: company.anna)
    var last = "R"
    for number in 2...OwnRoom.countMax {
      let id = MemberID(UInt32(10 + number))
      try company.come(id, to: last, reader: anna)
      last = try company.wantedRoom(of: id)
      #expect(last == "R-\(number)")
      try company.come(id, to: last, reader: anna)
      #expect(company.page(of: id).closed == nil)
    }
    try company.come(third, to: last, reader: anna)
    #expect(
      company.page(of: third).closed == nil && company.rooms.room(named: last)?.memberCount == 2
    )
  }

  @Test("After the first window was lost, the reader returns to the first room")
  func returned() throws {
    var company = try Company()
    let anna = company.secret(of: company.anna)
    try company.come(second, to: "R-2", reader: anna)
    try company.lose(company.anna)
    try company.lose(second)
    try company.pass(100)
    try company.come(third, to: "", reader: anna)
    #expect(company.page(of: third).welcome.room == "R")
  }

  @Test("A node that does not know the owner of a further window's room asks the other nodes")
  func unknownOwner() {
    let directory = RoomDirectory(unixOffset: 0)
    let environment = Environment.counted()
    func knows(_ room: String) -> Bool {
      let hello = Hello(room: room, reader: ReaderID.secret(of: "R"), viewport: .plain)
      return directory.knowsWay(of: hello, environment: environment, now: 0)
    }
    #expect(!knows("R-2") && knows("R"))
    directory.learn(ReaderRecord(id: .of("R"), room: "R", bookmarks: []), at: 0)
    #expect(knows("R-2") && directory.owner(of: "R-2") == .of("R"))
  }

  @Test("The address of a further room opens it for its owner, also if the server does not know it")
  func restarted() throws {
    var company = try Company()
    try company.come(second, to: "R-5", reader: company.secret(of: company.anna))
    #expect(company.page(of: second).welcome.room == "R-5")
    #expect(company.rooms.room(named: "R-5")?.owner == .of("R"))
    try company.come(third, to: "R-6", reader: company.secret(of: company.ben))
    #expect(company.page(of: third).closed == CloseCode.keyNeeded.rawValue)
  }

  @Test("The bookmarks are those of the reader, whichever window they were left in")
  func places() throws {
    var company = try Company()
    let anna = company.secret(of: company.anna)
    try company.pass(10)
    try company.come(second, to: "R-2", reader: anna)
    try company.say(.go(book: "0/4", opens: true, page: nil), second, pause: 5)
    #expect(company.rooms.room(named: "R-2")?.stage.firstPage == 19)
  }

  @Test("A shared room is joined as often as its owner wants, and counts the owner once")
  func sharedRoom() throws {
    var company = try Company(.anyoneTurns, .follow)
    try company.come(second, reader: company.secret(of: company.anna))
    try company.pass(1)
    #expect(company.page(of: second).closed == nil)
    func again(_ company: Company) -> [UInt32] {
      company.page(of: company.ben).people.values.filter { $0.state.contains(.isAgain) }.map(\.id)
    }
    #expect(company.page(of: company.ben).people.count == 3 && again(company) == [7])
    // The window that is left is no further one.
    try company.lose(company.anna)
    try company.pass(1)
    #expect(again(company) == [1])
    try company.pass(100)
    #expect(again(company) == [] && company.page(of: company.ben).people.count == 2)
  }

  @Test("The plain address beside a window in a shared room opens a room of one's own")
  func besideShared() throws {
    var company = try Company(.anyoneTurns, .follow)
    try company.come(second, to: "", reader: company.secret(of: company.anna))
    #expect(try company.wantedRoom(of: second) == "R-2")
    try company.come(second, to: "R-2", reader: company.secret(of: company.anna))
    #expect(company.rooms.room(named: "R-2")?.isShared == false)
  }
}

extension Company {
  /// Returns the room that a member was told to join instead.
  fileprivate func wantedRoom(of id: MemberID) throws -> String {
    let names = page(of: id).heard.compactMap { message -> String? in
      guard case .error(CloseCode.elsewhere.rawValue, let notice) = message else { return nil }
      return notice.values["room"]
    }
    return try #require(names.first)
  }
}

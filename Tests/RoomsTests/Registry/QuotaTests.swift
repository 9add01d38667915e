import Fabric
import Motion
import Scene
import Staging
import TestVectors
import Testing
import Wire

@testable import Gateway
@testable import Rooms

@Suite("The quotas of a member")
struct QuotaTests {
  /// One message for each quota.
  private static let samples: [Quota: ClientMessage] = [
    .inputs: .wheel(dx: 0, dy: 1, at: Point(x: 1, y: 1), ctrl: false), .commands: .key(.home),
    .pointers: .point(at: nil), .viewports: .viewport(.plain, reducesMotion: false),
    .visibilities: .visibility(isVisible: true), .wanderings: .wander(true),
    .settings: .settings(RoomSettings()), .playbackOrders: .play(.pause),
    .clockProbes: .clock(clientTime: 1),
    .acks: .ack(Ack(frame: 1, lateness: 0, syncError: 0, roundTrip: 0)), .images: .ready([]),
    .conversation: .raise(true), .administration: .share,
  ]

  @Test("messages are limited to a burst and a rate", arguments: Quota.allCases)
  func rates(quota: Quota) throws {
    let message = try #require(Self.samples[quota])
    #expect(message.kind.quota == quota)
    var quotas = Quotas()
    let limit = quota.limit
    var accepted = 0.0
    for step in 0..<1500 {
      let now = 50 + Double(step) * 0.002
      if quotas.judge(ClientPacket(message), at: now) == .accepted { accepted += 1 }
      accepted += Double(quotas.due(at: now).count)
    }
    #expect(accepted <= limit.burst + 3 * limit.rate + 1)
    #expect(accepted >= min(1500, limit.burst))
    #expect(!quotas.isOver)
  }

  @Test("a member that sends far more of any kind is closed", arguments: Quota.allCases)
  func excess(quota: Quota) throws {
    let message = try #require(Self.samples[quota])
    var company = try Company(.hostLeads, .host)
    company.forget()
    for _ in 0..<8000 where company.page(of: company.ben).closed == nil {
      try company.say(message, company.ben)
    }
    #expect(company.page(of: company.ben).closed == CloseCode.tooManyErrors.rawValue)
    #expect(company.page(of: company.anna).closed == nil)
    // Its messages have no effect until its connection is closed.
    company.forget()
    try company.say(.clock(clientTime: 2), company.ben)
    #expect(company.page(of: company.ben).heard.isEmpty)
  }

  @Test("the last of many window sizes applies, however fast they arrived")
  func windows() throws {
    var company = try Company(.hostLeads, .follow)
    for width in 1...400 {
      let window = Viewport(size: Size(width: 500 + Double(width), height: 600))
      try company.say(.viewport(window, reducesMotion: false), company.ben)
    }
    company.forget()
    try company.pass(1)
    #expect(!company.page(of: company.ben).heard.isEmpty)
    #expect(
      company.room?.shared.members.first { $0.id == company.ben }?.view.viewport.size.width == 900
    )
    #expect(company.rooms.wakeTime == nil)
  }

  @Test("a page that is hidden and shown continually costs few snapshots, and ends up correct")
  func looks() throws {
    var company = try Company(.hostLeads, .follow)
    for turn in 1...300 {
      try company.say(.visibility(isVisible: turn.isMultiple(of: 2)), company.ben, pause: 0.005)
    }
    #expect(company.frameCount(of: company.ben) <= 12)
    company.forget()
    try company.say(.key(.arrowRight), company.anna, pause: 4)
    #expect(company.seeTheSame(company.anna, company.ben))
  }

  @Test("the last of a host's decisions applies, unless the member is no longer a host")
  func settings() throws {
    var company = try Company(.hostLeads, .host)
    for turn in 1...40 {
      let settings = RoomSettings(policy: .hostLeads, isLocked: turn == 40)
      try company.say(.settings(settings), company.ben)
    }
    #expect(company.room?.settings.isLocked == false)
    try company.pass(1)
    #expect(company.room?.settings.isLocked == true)
    for turn in 1...40 {
      let settings = RoomSettings(policy: .hostLeads, isLocked: turn < 40)
      try company.say(.settings(settings), company.ben)
    }
    try company.say(.grant(company.ben.rawValue, .follow), company.anna, pause: 1)
    #expect(company.room?.settings.isLocked == true)
  }

  @Test("few of many arrangements are shown, the last one among them")
  func arranging() throws {
    var company = try Company()
    try company.say(.key(.escape), company.anna, pause: 3)
    try company.say(.key(.escape), company.anna, pause: 3)
    company.forget()
    let filters = ["b", "bo", "boo", "book", "book 1", ""]
    for turn in 0..<100 {
      let arrangement = Arrangement(order: .title, filter: filters[turn % filters.count])
      try company.say(.arrange(arrangement), company.anna, pause: 0.01)
    }
    #expect((3...8).contains(company.frameCount(of: company.anna)))
    try company.pass(3)
    #expect(company.room?.shared.selection.arrangement.filter == filters[99 % filters.count])
    try company.checkLibrary()
    #expect(company.rooms.wakeTime == nil)
  }

  @Test("in a room of hundreds the number of messages stays within a bound")
  func largeRoom() throws {
    var rooms = ServedRooms(catalogue: .varied)
    var effects = Sent()
    var now = 100.0
    for member in UInt32(1)...300 {
      rooms.join(MemberID(member), room: "R", now: now, into: &effects)
    }
    let go = ClientMessage.go(book: "0/4", opens: true, page: 20)
    rooms.handle(go, from: MemberID(1), now: now, into: &effects)
    func pass(_ seconds: Double) {
      let end = now + seconds
      while let wake = rooms.wakeTime, wake <= end {
        now = max(now, wake)
        rooms.wake(now: now, into: &effects)
      }
      now = end
    }
    pass(8)
    effects.removeAll()
    for turn in 0..<200 {
      let key: Key = turn % 20 < 10 ? .arrowRight : .arrowLeft
      rooms.handle(.key(key), from: MemberID(1), now: now, into: &effects)
      pass(0.01)
    }
    let copies = effects.messages.count { (0x83...0x85).contains($0.bytes[0]) }
    // 33 changes a second, each a snapshot and two batches, and the batches of the continuing
    // flight.
    #expect(copies < 2 * 300 * 33 * 4 + 300 * 200)
    pass(5)
    #expect(rooms.room(named: "R")?.stage.isSettled(at: now) == true)
    let last = effects.messages(to: MemberID(300)).last { $0.first == 0x83 || $0.first == 0x85 }
    #expect(last != nil)
  }
}

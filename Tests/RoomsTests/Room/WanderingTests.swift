import Motion
import Scene
import Staging
import Testing
import Wire

@testable import Rooms

@Suite("Wandering")
struct WanderingTests {
  @Test("where the host leads a follower that touches the book wanders from its current place")
  func byTouch() throws {
    var company = try Company(.hostLeads, .follow)
    let (page, number) = (company.page, company.room?.frameNumber)
    let before = company.page(of: company.ben).decoder.latest
    try company.drag(company.ben)
    #expect(company.room?.role(of: company.ben) == .wanderer)
    // The first frame follows the last one: nothing jumps, and nothing is introduced again.
    let first = company.heard(company.ben) { message -> FrameUpdate? in
      if case .delta(let update) = message { update } else { nil }
    }.first
    #expect(first?.number == (before?.number ?? 0) + 1)
    try company.finger(.up, 300, company.ben, pause: 3)
    #expect(company.room?.stage(of: company.ben).firstPage == (page ?? 0) + 2)
    #expect(company.page == page && company.room?.frameNumber == number)
    #expect(company.frameCount(of: company.anna) == 0)
  }

  @Test("where anyone turns a touch turns the book for all")
  func anyoneTurns() throws {
    var company = try Company(.anyoneTurns, .follow)
    let page = company.page
    try company.drag(company.ben)
    try company.finger(.up, 300, company.ben, pause: 3)
    #expect(company.page == (page ?? 0) + 2)
    #expect(company.room?.role(of: company.ben) == .presenter)
    #expect(company.seeTheSame(company.anna, company.ben))
  }

  @Test("a tap without an effect makes no member wander")
  func idleTap() throws {
    var company = try Company(.hostLeads, .follow)
    for place in [Point(x: 512, y: 20), Point(x: 505, y: 384)]
    where company.room?.stage.turnsByTap(at: Point(x: place.x - 512, y: place.y - 384)) == false {
      try company.finger(.down, place.x, company.ben, y: place.y)
      try company.finger(.up, place.x, company.ben, y: place.y, pause: 1)
    }
    try company.say(.lay(.standing), company.ben, pause: 1)
    #expect(company.room?.role(of: company.ben) == .follower)
    #expect(company.roles(company.ben).isEmpty)
  }

  @Test("a follower's fingers have no effect where nobody may wander")
  func forbidden() throws {
    var company = try Company(.hostLeads, .follow)
    try company.say(.settings(RoomSettings(policy: .hostLeads, mayWander: false)), company.anna)
    let page = company.page
    try company.drag(company.ben)
    try company.finger(.up, 300, company.ben, pause: 3)
    try company.say(.wander(true), company.ben)
    #expect(company.room?.role(of: company.ben) == .follower && company.page == page)
    #expect(!company.page(of: company.ben).role.rights.contains(.mayWander))
  }

  @Test("wanderers return when nobody may wander any more, whatever they touch")
  func calledBack() throws {
    var company = try Company(.hostLeads, .follow)
    try company.say(.jump(page: 60), company.ben, pause: 3)
    #expect(company.room?.role(of: company.ben) == .wanderer)
    try company.say(.settings(RoomSettings(policy: .hostLeads, mayWander: false)), company.anna)
    try company.pass(0.1)
    try company.say(.jump(page: 80), company.ben, pause: 3.1)
    #expect(company.room?.role(of: company.ben) == .follower)
    #expect(company.seeTheSame(company.anna, company.ben))
  }

  @Test("a leaf that a wanderer holds lands on its release, whatever is decided in the meantime")
  func heldMeanwhile() throws {
    var company = try Company(.hostLeads, .follow)
    try company.drag(company.ben)
    let old = company.page(of: company.ben).role.number
    try company.say(.settings(RoomSettings(policy: .anyoneTurns)), company.anna)
    #expect(company.page(of: company.ben).role.rights.contains(.mayTurn))
    try company.finger(.up, 300, company.ben, role: old, pause: 3)
    #expect(company.page(of: company.ben).decoder.latest?.isSettled == true)
    try company.say(.wander(false), company.ben, pause: 3.1)
    #expect(company.page(of: company.ben).role.number == old + 1)
  }

  @Test("a host that wanders where others may not returns when it is no longer a host")
  func demoted() throws {
    var company = try Company(.hostLeads, .host)
    try company.say(.settings(RoomSettings(policy: .hostLeads, mayWander: false)), company.anna)
    try company.say(.jump(page: 60), company.ben, pause: 3)
    #expect(company.room?.role(of: company.ben) == .wanderer)
    try company.say(.grant(2, .follow), company.anna, pause: 3.1)
    #expect(company.room?.role(of: company.ben) == .follower)
  }

  @Test("a member that catches up flies there, lands within three seconds and follows")
  func catchingUp() throws {
    var company = try Company(.hostLeads, .follow)
    try company.say(.jump(page: 60), company.ben, pause: 3)
    try company.say(.jump(page: 30), company.anna, pause: 3)
    let number = company.page(of: company.ben).role.number
    company.forget()
    try company.say(.wander(false), company.ben)
    #expect(company.page(of: company.ben).role.rights.contains(.catchesUp))
    try company.pass(3.01)
    #expect(company.frameCount(of: company.ben) > 20, "the way back is seen")
    let role = company.page(of: company.ben).role
    #expect(role.role == .follower && !role.rights.contains(.catchesUp))
    #expect(role.number == number + 1, "what was under way to the own book moves no other")
    #expect(company.seeTheSame(company.anna, company.ben))
    try company.say(.jump(page: 40), company.anna, pause: 3)
    #expect(company.seeTheSame(company.anna, company.ben))
  }

  @Test("repeated requests to catch up do not extend the three seconds")
  func impatient() throws {
    var company = try Company(.hostLeads, .follow)
    try company.say(.jump(page: 60), company.ben, pause: 3)
    for page in 0..<UInt32(10) {
      try company.say(.jump(page: 20 + 2 * page), company.anna)
      try company.say(.wander(false), company.ben, pause: 0.305)
    }
    #expect(company.room?.role(of: company.ben) == .follower)
    try company.pass(1)
    #expect(company.seeTheSame(company.anna, company.ben))
  }

  @Test("a wanderer that has to come back while it holds a leaf lets go of it at once")
  func calledBackWhileHolding() throws {
    var company = try Company(.hostLeads, .follow)
    try company.drag(company.ben, to: 830)
    #expect(company.room?.role(of: company.ben) == .wanderer)
    #expect(company.room?.stage(of: company.ben).isDriven == true)
    try company.say(.settings(RoomSettings(policy: .hostLeads, mayWander: false)), company.anna)
    #expect(company.room?.stage(of: company.ben).isDriven == false)
    // The finger is lifted on the way, where it does not count, and wandering is allowed again.
    try company.finger(.up, 820, company.ben)
    try company.say(.settings(RoomSettings(policy: .hostLeads)), company.anna)
    try company.say(.jump(page: 60), company.ben, pause: 5)
    #expect(company.room?.role(of: company.ben) == .wanderer)
    #expect(company.room?.stage(of: company.ben).isDriven == false)
    #expect(company.rooms.wakeTime == nil)
  }

  @Test("a member that touches the book on the way back keeps wandering and is informed")
  func staying() throws {
    var company = try Company(.hostLeads, .follow)
    try company.say(.jump(page: 60), company.ben, pause: 3)
    try company.say(.wander(false), company.ben, pause: 0.1)
    try company.say(.jump(page: 70), company.ben, pause: 4)
    #expect(company.room?.role(of: company.ben) == .wanderer)
    #expect(company.room?.stage(of: company.ben).firstPage == 69)
    #expect(!company.page(of: company.ben).role.rights.contains(.catchesUp))
  }

  @Test("a zoom gesture that makes a follower wander ends when its page is hidden")
  func hidingInMidZoom() throws {
    var company = try Company(.hostLeads, .follow)
    let middle = Point(x: 600, y: 300)
    try company.say(.zoom(.began, scale: 1, at: middle), company.ben)
    #expect(company.room?.role(of: company.ben) == .wanderer)
    #expect(company.room?.stage(of: company.ben).isDriven == true)
    try company.say(.visibility(isVisible: false), company.ben, pause: 3)
    #expect(company.room?.stage(of: company.ben).isDriven == false)
    #expect(company.rooms.wakeTime == nil)
  }

  @Test("a follower that pinches the page small and then catches up sees it at normal size again")
  func lettingGoOfZoom() throws {
    var company = try Company(.hostLeads, .follow)
    let middle = Point(x: 600, y: 300)
    try company.say(.lay(.flat), company.anna, pause: 3)
    try company.say(.wander(true), company.ben)
    try company.say(.key(.arrowRight), company.ben, pause: 3)
    try company.say(.zoom(.began, scale: 1, at: middle), company.ben, pause: 0.1)
    try company.say(.zoom(.changed, scale: 3, at: middle), company.ben, pause: 0.1)
    try company.say(.zoom(.changed, scale: 0.2, at: middle), company.ben, pause: 0.1)
    func camera() -> WireMatrix? {
      company.heard(company.ben) { message in
        switch message {
        case .camera(let matrix): matrix
        case .cameras(let cameras): cameras.last?.matrix
        default: nil
        }
      }.last
    }
    #expect(camera().map { $0[0] < 1 } == true)
    try company.say(.wander(false), company.ben, pause: 0.2)
    // It does something else on the way and keeps wandering.
    try company.say(.jump(page: 70), company.ben, pause: 5)
    #expect(company.room?.role(of: company.ben) == .wanderer)
    #expect(camera() == company.room?.camera(of: company.ben).map { WireMatrix($0) })
  }

  @Test("a wanderer is informed of the others' place whenever that changes")
  func place() throws {
    var company = try Company(.hostLeads, .follow)
    try company.say(.wander(true), company.ben)
    try company.say(.jump(page: 40), company.anna, pause: 3)
    let place = try #require(company.places(company.ben).last)
    #expect(place.book == "0/4" && place.page == 39 && !place.title.isEmpty)
    #expect(place.range.labels == ["40", "41"])
    #expect(company.places(company.anna).isEmpty)
  }

  @Test("a wanderer that is given the book returns to it")
  func givenTheBook() throws {
    var company = try Company(.hostLeads, .follow)
    try company.say(.jump(page: 60), company.ben, pause: 3)
    try company.say(.handover(.offer(2)), company.anna)
    try company.say(.handover(.accept), company.ben, pause: 0.1)
    // Its fingers do not prevent its return.
    try company.say(.key(.arrowRight), company.ben, pause: 3.1)
    #expect(company.page(of: company.ben).role.role == .presenter)
    #expect(company.seeTheSame(company.anna, company.ben))
    let page = company.page ?? 0
    try company.say(.key(.arrowRight), company.ben, pause: 3)
    #expect(company.page == page + 2)
  }

  @Test("a member that starts to wander from a paused recording gets a book at rest")
  func outOfStillRecording() throws {
    var company = try Company(.hostLeads, .follow)
    try company.playTurns()
    try company.say(.play(.seek(1.2)), company.anna)
    try company.say(.play(.pause), company.anna, pause: 1)
    try company.say(.wander(true), company.ben, pause: 4)
    let stage = company.room?.stage(of: company.ben)
    let latest = company.page(of: company.ben).decoder.latest
    #expect(stage?.isSettled(at: company.now) == true)
    #expect(latest?.shown.count == stage?.frame(at: company.now).placements.count)
    let shown = Set(latest?.shown.map(\.matrix) ?? [])
    let due = Set(stage?.frame(at: company.now).placements.map { WireMatrix($0.transform) } ?? [])
    #expect(shown == due)
  }
}

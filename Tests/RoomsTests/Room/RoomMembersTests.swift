import Fabric
import Motion
import Scene
import Staging
import Testing
import Wire

@testable import Rooms

@Suite("The members of a room")
struct RoomMembersTests {
  @Test("a message with an outdated role number has no effect")
  func stale() throws {
    var company = try Company(.passTheBook, .follow)
    let old = company.page(of: company.anna).role.number
    try company.say(.handover(.offer(2)), company.anna)
    try company.say(.handover(.accept), company.ben)
    #expect(company.page(of: company.anna).role.number == old + 1)
    let stage = company.room?.stage
    for message in [ClientMessage.jump(page: 3), .key(.arrowRight), .lay(.flat)] {
      try company.say(message, company.anna, role: old)
    }
    try company.finger(.down, 850, company.anna, role: old)
    try company.finger(.move, 500, company.anna, role: old)
    #expect(company.room?.stage == stage && company.room?.tally.staleInputs == 5)
    #expect(company.room?.role(of: company.anna) != .wanderer)
  }

  @Test("a presenter lost in the middle of a turn leaves a leaf that lands")
  func lostWithLeaf() throws {
    var company = try Company(.hostLeads, .follow)
    try company.drag(company.anna)
    #expect(company.room?.stage.isDriven == true)
    try company.lose(company.anna)
    try company.pass(2)
    #expect(company.room?.stage.isSettled(at: company.now) == true)
    #expect(company.page(of: company.ben).decoder.latest?.isSettled == true)
    #expect(company.page(of: company.ben).decoder.latest?.number == company.room?.frameNumber)
  }

  @Test("all members learn that the presenter is lost, that the book waits for it, and who follows")
  func grace() throws {
    var company = try Company(.hostLeads, .follow, .present)
    try company.lose(company.anna)
    try company.pass(1)
    for id in [company.ben, company.cleo] {
      let news = try #require(company.roomNews(id).last)
      #expect(news.presenter == 1 && news.turner == .away)
      #expect(company.page(of: id).people[1]?.state.contains(.isAway) == true)
    }
    try company.pass(9.5)
    for id in [company.ben, company.cleo] {
      let news = try #require(company.roomNews(id).last)
      #expect(news.presenter == 3 && news.turner != .away)
      #expect(company.page(of: id).people[3]?.role == .presenter)
      #expect(company.page(of: id).people[1]?.role != .presenter)
    }
    #expect(company.page(of: company.cleo).role.rights.contains(.mayTurn))
    try company.pass(50)
    #expect(company.page(of: company.ben).people.keys.sorted() == [2, 3])
  }

  @Test("delayed news of people are sent at their time, whatever the clock rounds to")
  func rounding() throws {
    var company = try Company(.hostLeads, .follow)
    // Beyond a power of two the clock has half the resolution.
    try company.pass(127.9 - company.now)
    for place in 0..<40 {
      try company.say(.raise(place.isMultiple(of: 2)), company.ben, pause: 0.0123)
      guard let wake = company.rooms.wakeTime else { continue }
      company.rooms.wake(now: wake, into: &company.effects)
      try company.carryOut()
      #expect(company.rooms.wakeTime.map { $0 > wake } ?? true)
      company.now = max(company.now, wake)
    }
  }

  @Test("a member that joins between two changes that cancel out is informed of both")
  func betweenChanges() throws {
    var company = try Company(.hostLeads, .present)
    try company.say(.raise(true), company.ben, pause: 0.01)
    try company.say(.raise(false), company.ben, pause: 0.01)
    try company.say(.raise(true), company.ben, pause: 0.01)
    try company.come(company.cleo, key: company.link(.follow))
    try company.say(.raise(false), company.ben, pause: 1)
    #expect(company.page(of: company.cleo).people[2]?.state == [])
    #expect(company.page(of: company.anna).people[2]?.state == [])
  }

  @Test("a lone member receives its own name and raised hand")
  func alone() throws {
    var company = try Company()
    try company.say(.persona(Persona(name: " Ada  L. ", colour: 3)), company.anna)
    try company.say(.raise(true), company.anna, pause: 1)
    let anna = company.page(of: company.anna).people[1]
    #expect(anna?.name == "Ada L." && anna?.colour == 3 && anna?.state.contains(.isRaised) == true)
  }

  @Test("the end of an offer is reported when its giver leaves")
  func offerEnds() throws {
    var company = try Company(.passTheBook, .follow, .follow)
    try company.say(.grant(3, .host), company.anna)
    try company.say(.handover(.offer(2)), company.anna, pause: 1)
    #expect(company.page(of: company.cleo).people[2]?.state.contains(.isOffered) == true)
    try company.lose(company.anna, code: 1000)
    try company.pass(1)
    #expect(company.room?.presenter == company.cleo)
    #expect(company.page(of: company.cleo).people[2]?.state.contains(.isOffered) == false)
  }

  @Test("a member that resumes within a minute keeps its identity and role, with a new token")
  func resume() throws {
    var company = try Company(.hostLeads, .follow)
    let before = company.page(of: company.anna)
    try company.lose(company.anna)
    try company.pass(5)
    try company.come(MemberID(50), resume: before.welcome.resume)
    let page = company.page(of: company.anna)
    #expect(page.welcome.memberID == 1 && page.welcome.resume != before.welcome.resume)
    #expect(page.role.role == .presenter && page.role.number > before.role.number)
    #expect(company.room?.roster.count == 2)
    #expect(company.seeTheSame(company.anna, company.ben))
    try company.pass(1)
    #expect(company.page(of: company.ben).people[1]?.state.contains(.isAway) == false)
    // A token is used up when its owner sends a message, and all tokens expire after a minute.
    try company.say(.clock(clientTime: 1), company.anna)
    try company.come(MemberID(51), resume: before.welcome.resume)
    #expect(company.page(of: MemberID(51)).closed == CloseCode.keyNeeded.rawValue)
    try company.lose(company.anna)
    try company.pass(61)
    try company.come(MemberID(52), resume: page.welcome.resume)
    #expect(company.page(of: MemberID(52)).closed == CloseCode.keyNeeded.rawValue)
  }

  @Test("a member whose welcome was lost with its new connection resumes by the same token again")
  func lostWelcome() throws {
    var company = try Company(.hostLeads, .follow)
    let resume = company.page(of: company.anna).welcome.resume
    try company.lose(company.anna)
    var welcomes = [resume]
    for id in UInt32(50)..<53 {
      try company.come(MemberID(id), resume: resume)
      #expect(!welcomes.contains(company.page(of: company.anna).welcome.resume))
      welcomes.append(company.page(of: company.anna).welcome.resume)
      #expect(company.page(of: company.anna).welcome.memberID == 1)
      #expect(company.room?.roster.count == 2)
      #expect(company.rooms.presences.count == 3)
    }
    // Neither of the two intermediate tokens is kept.
    let last = company.page(of: company.anna).welcome.resume
    try company.say(.clock(clientTime: 1), company.anna)
    #expect(company.rooms.presences.count == 2)
    try company.lose(company.anna)
    try company.come(MemberID(60), resume: last)
    #expect(company.page(of: company.anna).welcome.memberID == 1)
  }

  @Test("a member that resumes before its old connection is known to be lost replaces it")
  func replaced() throws {
    var company = try Company(.hostLeads, .follow)
    let resume = company.page(of: company.ben).welcome.resume
    try company.come(MemberID(50), resume: resume)
    #expect(company.page(of: company.ben).welcome.memberID == 2)
    #expect(company.room?.memberCount == 2 && company.room?.roster.count == 2)
  }

  @Test("a wanderer that resumes is at its previous place")
  func wanderingResume() throws {
    var company = try Company(.hostLeads, .follow)
    try company.say(.jump(page: 60), company.ben, pause: 3)
    let before = company.page(of: company.ben)
    try company.lose(company.ben)
    try company.say(.jump(page: 30), company.anna, pause: 20)
    try company.come(MemberID(50), resume: before.welcome.resume)
    let page = company.page(of: company.ben)
    #expect(page.role.role == .wanderer)
    #expect(company.room?.stage(of: company.ben).firstPage == 59)
    #expect(page.decoder.latest?.shown.map(\.matrix) == before.decoder.latest?.shown.map(\.matrix))
  }

  @Test("a member that joins in a flight sees the frame that the others see, and all later ones")
  func lateJoin() throws {
    var company = try Company(.hostLeads, .follow)
    try company.say(.jump(page: 40), company.anna, pause: 0.12)
    let delay = company.room?.timing.delay.value ?? 0
    try company.come(company.cleo, key: company.link(.follow))
    var (ben, cleo) = (
      company.page(of: company.ben).decoder, company.page(of: company.cleo).decoder
    )
    let taken = ben.dequeue(at: company.now - delay)
    let seen = try #require(taken)
    #expect(cleo.queue.first == seen)
    #expect(Array(cleo.queue.dropFirst()) == ben.queue)
    #expect(cleo.queue.count > 3 && !seen.isSettled)
    try company.pass(3)
    ben = company.page(of: company.ben).decoder
    cleo = company.page(of: company.cleo).decoder
    #expect(cleo.latest == ben.latest && cleo.latest?.isSettled == true)
  }

  @Test("the goodbye of a server gives each of a few members another time to reconnect, all soon")
  func goodbye() throws {
    var company = try Company(.hostLeads, .follow, .follow)
    company.rooms.sayGoodbye(into: &company.effects, now: company.now)
    try company.carryOut()
    let moments = [company.anna, company.ben, company.cleo].map { id in
      company.heard(id) { message -> Double? in
        if case .goodbye(let seconds) = message { seconds } else { nil }
      }
    }
    #expect(moments.allSatisfy { $0.count == 1 })
    let seconds = moments.flatMap { $0 }
    #expect(Set(seconds).count == 3)
    #expect(seconds.allSatisfy { (0...0.01).contains($0) })
  }

  @Test("a spot on the paper is the same in every window")
  func pointing() throws {
    var company = try Company(.anyoneTurns, .follow)
    let narrow = Viewport(size: Size(width: 440, height: 430))
    try company.come(company.cleo, key: company.link(.follow), viewport: narrow)
    try company.pass(1)
    company.forget()
    // A spot on the right page, in points from the middle of the stage, and its position in two
    // windows.
    let spot = Point(x: 120, y: -80)
    let places = [(512.0, 384.0, 1.0), (220.0, 215.0, 440.0 / 1024)].map { x, y, scale in
      Point(x: x + scale * spot.x, y: y + scale * spot.y)
    }
    try company.say(.point(at: places[0]), company.anna)
    try company.say(.point(at: places[1]), company.cleo)
    let told = company.pointers(company.ben)
    try #require(told.count == 2)
    #expect(told.map(\.member) == [1, 3] && told.allSatisfy { $0.kind == .laser })
    let element = try #require(told[0].element)
    #expect(company.page(of: company.ben).decoder.elements[element]?.kind == .page)
    #expect(told[1].element == element)
    #expect(abs(told[0].x - told[1].x) < 1e-3 && abs(told[0].y - told[1].y) < 1e-3)
    #expect((0.05...0.95).contains(told[0].x) && (0.05...0.95).contains(told[0].y))
    try company.say(.point(at: nil), company.anna)
    #expect(company.pointers(company.ben).last?.kind == .gone)
  }

  @Test("a member that starts to wander takes its pointer along, and returns without it")
  func wanderingPointer() throws {
    var company = try Company(.passTheBook, .follow)
    let place = ClientMessage.point(at: Point(x: 632, y: 304))
    try company.say(place, company.ben)
    #expect(company.pointers(company.anna).map(\.kind) == [.laser])
    try company.say(.wander(true), company.ben)
    #expect(company.pointers(company.anna).map(\.kind) == [.laser, .gone])
    try company.say(.jump(page: 60), company.ben, pause: 3)
    try company.say(place, company.ben)
    try company.say(.wander(false), company.ben, pause: 3.1)
    #expect(company.room?.role(of: company.ben) != .wanderer)
    try company.come(company.cleo, key: company.link(.follow))
    #expect(company.pointers(company.cleo).isEmpty)
    #expect(company.pointers(company.anna).map(\.kind) == [.laser, .gone])
  }

  @Test("a pointer disappears when its page is hidden, or its member loses the right to point")
  func endedPointer() throws {
    var company = try Company(.passTheBook, .follow)
    let place = ClientMessage.point(at: Point(x: 632, y: 304))
    try company.say(place, company.ben)
    try company.say(.visibility(isVisible: false), company.ben)
    #expect(company.pointers(company.anna).map(\.kind) == [.laser, .gone])
    try company.say(.visibility(isVisible: true), company.ben)
    try company.say(place, company.ben)
    try company.say(.settings(RoomSettings(policy: .hostLeads)), company.anna)
    #expect(company.pointers(company.anna).map(\.kind) == [.laser, .gone, .laser, .gone])
    try company.say(place, company.ben)
    #expect(company.pointers(company.anna).count == 4)
  }

  @Test("a resting pointer is shown to a member that joins, becomes visible again or returns")
  func stillPointer() throws {
    var company = try Company(.hostLeads, .follow)
    try company.say(.point(at: Point(x: 632, y: 304)), company.anna)
    let told = try #require(company.pointers(company.ben).last)
    try company.come(company.cleo, key: company.link(.follow))
    #expect(company.pointers(company.cleo) == [told])
    company.forget()
    try company.say(.visibility(isVisible: false), company.ben)
    try company.say(.visibility(isVisible: true), company.ben)
    #expect(company.pointers(company.ben) == [told])
    try company.say(.jump(page: 60), company.ben, pause: 3)
    #expect(company.pointers(company.ben).last?.kind == .gone)
    try company.say(.wander(false), company.ben, pause: 3.1)
    #expect(company.pointers(company.ben).last == told)
    company.forget()
    try company.say(.point(at: nil), company.anna)
    try company.say(.visibility(isVisible: true), company.cleo)
    #expect(company.pointers(company.cleo).map(\.kind) == [.gone])
  }
}

@Suite("Slow connections")
struct SlowLineTests {
  /// Makes Anna drag to and fro for a while, and Ben acknowledge frames with this lag in seconds.
  private func drag(_ company: inout Company, seconds: Double, lag: Double) throws {
    var seen: [(time: Double, number: UInt32)] = []
    for step in 0..<Int(seconds * 60) {
      let x = 600 + 200 * Double(step % 60) / 60
      try company.finger(.move, x, company.anna, pause: 1.0 / 60)
      seen.append((company.now, company.room?.frameNumber ?? 0))
      guard step % 60 == 59, let old = seen.last(where: { $0.time <= company.now - lag }) else {
        continue
      }
      let ack = Ack(frame: old.number, lateness: lag, syncError: 0, roundTrip: 0.01)
      try company.say(.ack(ack), company.ben)
    }
  }

  @Test(
    "a member that lags gets 30 or 10 frames a second, and finally the last one",
    arguments: [(0.5, 30), (1.4, 10)]
  )
  func thinned(lag: Double, frames: Int) throws {
    var company = try Company(.hostLeads, .follow)
    try company.finger(.down, 850, company.anna)
    try drag(&company, seconds: 6, lag: lag)
    company.forget()
    try drag(&company, seconds: 1, lag: lag)
    #expect(company.frameCount(of: company.anna) >= 58)
    #expect((frames - 2...frames + 1).contains(company.frameCount(of: company.ben)))
    try company.finger(.up, 300, company.anna, pause: 3)
    #expect(company.page(of: company.ben).decoder.latest?.isSettled == true)
    #expect(company.seeTheSame(company.anna, company.ben))
  }

  @Test("a member with a reduced rate gets no frame twice while a finger rests")
  func thinnedAndStill() throws {
    var company = try Company(.hostLeads, .follow)
    try company.finger(.down, 850, company.anna)
    try drag(&company, seconds: 6, lag: 0.5)
    try company.pass(0.2)
    #expect(
      company.page(of: company.ben).decoder.latest?.number == company.room?.frameNumber,
      "the last one before that is not withheld"
    )
    company.forget()
    try company.pass(2)
    #expect(company.room?.stage.isDriven == true && company.frameCount(of: company.ben) == 0)
  }

  @Test("a member with a reduced rate gets the last frame even after its connection was blocked")
  func thinnedAndBlocked() throws {
    var company = try Company(.hostLeads, .follow)
    try company.finger(.down, 850, company.anna)
    try drag(&company, seconds: 6, lag: 0.5)
    company.rooms.block(company.ben)
    try company.finger(.up, 300, company.anna, pause: 0.05)
    while company.room?.shared.pacing.isAtRest == false { try company.pass(0.02) }
    company.rooms.unblock(company.ben, now: company.now, into: &company.effects)
    try company.carryOut()
    try company.pass(3)
    #expect(company.seeTheSame(company.anna, company.ben))
  }

  @Test(
    "a connection that accepts nothing for ten seconds is closed, even in a room at rest",
    arguments: [0, 600.0]
  )
  func blocked(afterRest rest: Double) throws {
    var company = try Company(.hostLeads, .follow)
    try company.say(.key(.arrowRight), company.anna)
    try company.pass(rest)
    company.rooms.block(company.ben)
    try company.say(.settings(RoomSettings(policy: .passTheBook)), company.anna)
    try company.pass(9.9)
    #expect(company.page(of: company.ben).closed == nil)
    try company.pass(0.2)
    #expect(company.page(of: company.ben).closed == CloseCode.tooSlow.rawValue)
  }

  @Test("a connection that accepts messages again in time is not closed")
  func unblocked() throws {
    var company = try Company(.hostLeads, .follow)
    company.rooms.block(company.ben)
    try company.say(.key(.arrowRight), company.anna)
    try company.pass(9)
    company.rooms.unblock(company.ben, now: company.now, into: &company.effects)
    try company.carryOut()
    try company.pass(20)
    #expect(company.page(of: company.ben).closed == nil)
    #expect(company.seeTheSame(company.anna, company.ben))
  }
}

import Fabric
import Motion
import Scene
import Staging
import TestVectors
import Testing
import Wire

@testable import Rooms

extension Company {
  /// Returns a room in which Anna has shared a book, and Cleo joined by a link and prefers reduced
  /// motion.
  fileprivate static func still(_ policy: Policy, _ grant: Grant) throws -> Company {
    var company = try Company(policy, .follow)
    try company.lose(company.ben)
    try company.come(company.cleo, key: company.link(grant), reducesMotion: true)
    try company.pass(1)
    company.forget()
    return company
  }

  /// Returns the frames that a member received, including all of a batch.
  fileprivate func updates(_ id: MemberID) -> [FrameUpdate] {
    page(of: id).heard.flatMap { message -> [FrameUpdate] in
      switch message {
      case .snapshot(let update), .delta(let update): [update]
      case .batch(let updates): updates
      default: []
      }
    }
  }

  /// Returns whether a member received only snapshots of a stage at rest.
  fileprivate func sawOnlyRest(_ id: MemberID) -> Bool {
    page(of: id).heard.allSatisfy { message in
      switch message {
      case .delta, .batch, .cameras: false
      case .snapshot(let update): update.isSettled
      default: true
      }
    }
  }

  /// Returns whether two members see the same elements at the same places.
  fileprivate func seeTheSamePicture(_ one: MemberID, _ other: MemberID) -> Bool {
    func shown(_ id: MemberID) -> [String: ShownElement]? {
      let decoder = page(of: id).decoder
      return decoder.latest?.shown.reduce(into: [:]) { shown, element in
        guard let known = decoder.elements[element.id] else { return }
        shown["\(known.kind) \(known.imageURL) \(known.index)"] = element
      }
    }
    return shown(one) == shown(other)
  }
}

@Suite("A member that prefers reduced motion")
struct ReducedMotionTests {
  @Test("gets one snapshot of a turned leaf, at once, while the others see it turn")
  func turning() throws {
    var company = try Company.still(.hostLeads, .follow)
    try company.say(.key(.arrowRight), company.anna)
    #expect(company.updates(company.cleo).count == 1)
    try company.pass(3)
    #expect(company.updates(company.cleo).count == 1 && company.sawOnlyRest(company.cleo))
    #expect(company.updates(company.anna).count > 10)
    #expect(company.seeTheSamePicture(company.anna, company.cleo))
  }

  @Test("gets nothing while a leaf is held, and its landing place when it is released")
  func dragging() throws {
    var company = try Company.still(.hostLeads, .follow)
    try company.drag(company.anna)
    #expect(company.updates(company.cleo).isEmpty)
    try company.finger(.up, 500, company.anna)
    #expect(company.updates(company.cleo).count == 1)
    try company.pass(3)
    #expect(company.updates(company.cleo).count == 1 && company.sawOnlyRest(company.cleo))
    #expect(company.seeTheSamePicture(company.anna, company.cleo))
  }

  @Test("turns a leaf with its own finger, and sees the result at once when it lets go")
  func ownDrag() throws {
    var company = try Company.still(.anyoneTurns, .present)
    let page = company.page ?? 0
    try company.drag(company.cleo, to: 200)
    #expect(company.updates(company.cleo).isEmpty)
    try company.finger(.up, 200, company.cleo, pause: 3)
    #expect(company.page == page + 2)
    #expect(company.updates(company.cleo).count == 1 && company.sawOnlyRest(company.cleo))
    #expect(company.seeTheSamePicture(company.anna, company.cleo))
  }

  @Test(
    "acts on what it sees if nobody sees the motion: a drag takes the next leaf, not the flying one"
  )
  func unseenMotion() throws {
    var company = try Company.still(.anyoneTurns, .present)
    try company.lose(company.anna)
    let page = company.page ?? 0
    try company.say(.key(.arrowRight), company.cleo)
    try company.drag(company.cleo, to: 200)
    try company.finger(.up, 200, company.cleo, pause: 3)
    #expect(company.page == page + 4)
  }

  @Test("alone, everything that it begins has landed when it is told so")
  func alone() throws {
    var company = try Company.still(.anyoneTurns, .host)
    try company.lose(company.anna)
    for message: ClientMessage in [
      .jump(page: 20), .key(.arrowRight), .lay(.standing), .key(.end), .lay(.flat),
      .go(book: "2/1", opens: true, page: 41), .key(.escape), .key(.escape),
    ] {
      try company.say(message, company.cleo)
      let stage = try #require(company.room?.stage(of: company.cleo))
      #expect(stage.isSettled(at: company.now), "\(message)")
      #expect(company.sawOnlyRest(company.cleo))
    }
  }

  @Test("acts on what it sees after its own move, also if others still see that move")
  func ownMotion() throws {
    var company = try Company.still(.anyoneTurns, .host)
    let page = try #require(company.page)
    try company.say(.key(.arrowRight), company.cleo)
    try company.drag(company.cleo, to: 200)
    try company.finger(.up, 200, company.cleo, pause: 3)
    #expect(company.page == page + 4)
    #expect(company.seeTheSamePicture(company.anna, company.cleo))
    try company.say(.go(book: "2/1", opens: true, page: 41), company.cleo)
    try company.say(.key(.arrowRight), company.cleo, pause: 4)
    #expect(company.room?.stage(of: company.cleo).openBook == "2/1")
    #expect(company.room?.stage(of: company.cleo).firstPage == 43)
  }

  @Test("sees a leaf that flies or is held at its landing place when it joins")
  func joining() throws {
    for isHeld in [false, true] {
      var company = try Company(.hostLeads, .follow)
      try company.drag(company.anna)
      if !isHeld { try company.finger(.up, 500, company.anna, pause: 0.05) }
      try company.come(company.cleo, key: company.link(.follow), reducesMotion: true)
      #expect(company.sawOnlyRest(company.cleo) && company.updates(company.cleo).count == 1)
      try company.finger(.up, 500, company.anna, pause: 3)
      #expect(company.sawOnlyRest(company.cleo))
      #expect(company.seeTheSamePicture(company.anna, company.cleo))
    }
  }

  @Test("sees a recording as snapshots")
  func playing() throws {
    var company = try Company.still(.hostLeads, .follow)
    try company.playTurns()
    company.forget()
    try company.pass(8)
    #expect(company.sawOnlyRest(company.cleo))
    #expect((2...3).contains(company.updates(company.cleo).count))
    #expect(company.seeTheSamePicture(company.anna, company.cleo))
  }

  @Test("sees motion again when it no longer prefers reduced motion, and the other way round")
  func changing() throws {
    var company = try Company.still(.hostLeads, .follow)
    try company.say(.viewport(.plain, reducesMotion: false), company.cleo)
    company.forget()
    try company.say(.key(.arrowRight), company.anna, pause: 0.1)
    #expect(company.updates(company.cleo).count > 3)
    company.forget()
    try company.say(.viewport(.plain, reducesMotion: true), company.cleo)
    #expect(company.updates(company.cleo).count == 1)
    try company.pass(3)
    #expect(company.sawOnlyRest(company.cleo))
    #expect(company.seeTheSamePicture(company.anna, company.cleo))
  }

  @Test("never gets a snapshot of anything in motion, whatever happens", arguments: seeds(1...12))
  func whatever(seed: UInt64) throws {
    var company = try Company.still(.anyoneTurns, .host)
    var random = SplitMix64(seed: seed)
    var hand = SimulatedClient(id: company.anna, room: "R")
    var own = SimulatedClient(id: company.cleo, room: "R")
    for _ in 0..<250 {
      if random.happens(0.7) {
        try company.say(hand.act(now: company.now, using: &random), company.anna)
      } else {
        var message = own.act(now: company.now, using: &random)
        if case .viewport(let window, _) = message {
          message = .viewport(window, reducesMotion: true)
        }
        try company.say(message, company.cleo)
      }
      if random.happens(0.05) {
        try company.say(.wander(random.happens(0.5)), company.cleo)
      }
      if random.happens(0.03) {
        var next = Catalogue.varied
        next.collections[0].books.removeAll { _ in random.happens(0.2) }
        company.rooms.replace(catalogue: next, now: company.now, into: &company.effects)
        try company.carryOut()
      }
      try company.pass([0, 0.004, 0.016, 0.1, 1].randomElement(using: &random) ?? 0)
    }
    #expect(company.sawOnlyRest(company.cleo), "SEED=\(seed)")
    #expect(!company.updates(company.cleo).isEmpty, "SEED=\(seed)")
    for message in hand.letGo() { try company.say(message, company.anna) }
    for message in own.letGo() { try company.say(message, company.cleo) }
    for one in [company.anna, company.cleo] {
      try company.say(.visibility(isVisible: true), one, pause: 1)
      try company.say(.wander(false), one, pause: 40)
    }
    #expect(company.sawOnlyRest(company.cleo), "SEED=\(seed)")
    #expect(company.seeTheSamePicture(company.anna, company.cleo), "SEED=\(seed)")
  }
}

import Fabric
import Motion
import Scene
import Staging
import TestVectors
import Testing
import Wire

@testable import Rooms

@Suite("A bent leaf in a room")
struct BentLeafRoomTests {
  /// Creates a room in which Anna has shared a book and Ben follows.
  private func company() throws -> Company {
    var company = try Company()
    try company.say(.share, company.anna, pause: 1)
    try company.come(company.ben, key: company.link(.follow))
    try company.pass(1)
    return company
  }

  /// Moves Anna's finger over the right page and the left one, and lets her hold or throw leaves
  /// and press keys in between.
  private func act(_ company: inout Company, _ dice: inout SplitMix64) throws {
    switch Int.random(in: 0..<4, using: &dice) {
    case 0:
      try company.say(.key(dice.happens(0.5) ? .arrowRight : .arrowLeft), company.anna)
    case 1: try company.say(.lay(.toggle), company.anna)
    default:
      let start = Double.random(in: 150...870, using: &dice)
      let step = Double.random(in: -40...40, using: &dice)
      try company.finger(.down, start, company.anna)
      for count in 1...Int.random(in: 2...12, using: &dice) {
        let pause = Double.random(in: 0.004...0.03, using: &dice)
        try company.finger(.move, start + step * Double(count), company.anna, pause: pause)
      }
    }
  }

  /// Expects that two members saw the same frames after the second one joined, and returns how many
  /// of them had a bent leaf.
  private func expectSame(_ company: Company, _ what: String) throws -> Int {
    let early = try company.frames(of: company.ben)
    let late = try company.frames(of: company.cleo)
    #expect(late.allSatisfy { $1 == early[$0] }, "\(what)")
    #expect(company.seeTheSame(company.ben, company.cleo), "\(what)")
    return late.values.count { $0.isBent }
  }

  /// Expects that the last frame of a member is that of the room's stage.
  private func expectTruth(_ company: Company, _ id: MemberID, _ what: String) {
    guard let latest = company.page(of: id).decoder.latest, let stage = company.room?.stage else {
      return #expect(Bool(false), "\(what)")
    }
    let truth = stage.frame(at: latest.time).placements.map { ShownElement($0) }
    #expect(latest.shown.count == truth.count, "\(what)")
    #expect(truth.allSatisfy { latest.shown.contains($0) }, "\(what)")
  }

  @Test("is seen at once, and alike, by a member that joins while a finger holds it")
  func held() throws {
    for end in stride(from: 820.0, through: 400, by: -105) {
      var company = try company()
      try company.drag(company.anna, to: end)
      try company.come(company.cleo, key: company.link(.follow))
      #expect(company.seeTheSame(company.ben, company.cleo), "held at \(end)")
      expectTruth(company, company.cleo, "held at \(end)")
      let isBent = company.page(of: company.cleo).decoder.latest?.isBent
      for step in 1...15 {
        try company.finger(.move, end - 9 * Double(step), company.anna)
        expectTruth(company, company.cleo, "held at \(end), step \(step)")
      }
      try company.finger(.up, end - 140, company.anna, pause: 3)
      let bent = try expectSame(company, "held at \(end)")
      #expect(isBent == true && bent > 10, "held at \(end)")
      #expect(company.page(of: company.cleo).decoder.latest?.isSettled == true)
    }
  }

  @Test("is seen at once, and alike, by a member that joins while it is in flight")
  func flying() throws {
    for delay in stride(from: 0.02, through: 0.5, by: 0.12) {
      var company = try company()
      try company.say(.key(.arrowRight), company.anna, pause: delay)
      try company.come(company.cleo, key: company.link(.follow))
      try company.pass(0.03)
      #expect(company.seeTheSame(company.ben, company.cleo), "after \(delay)")
      // A finger catches the leaf, or the next one.
      try company.drag(company.anna, to: 400)
      try company.finger(.up, 380, company.anna, pause: 3)
      #expect(try expectSame(company, "after \(delay)") > 5)
      expectTruth(company, company.cleo, "after \(delay)")
    }
  }

  @Test("is seen alike by all members, whenever they join and whatever the finger does")
  func anyTime() throws {
    var bent = 0
    for seed in seeds(1...20) {
      var dice = SplitMix64(seed: seed)
      var company = try company()
      let arrival = Int.random(in: 0..<12, using: &dice)
      for step in 0..<16 {
        try act(&company, &dice)
        if step == arrival { try company.come(company.cleo, key: company.link(.follow)) }
        let isUp = dice.happens(0.8)
        try company.finger(isUp ? .up : .cancel, 400, company.anna)
        try company.pass(.random(in: 0...0.4, using: &dice))
      }
      try company.pass(5)
      bent += try expectSame(company, "SEED=\(seed)")
      expectTruth(company, company.cleo, "SEED=\(seed)")
    }
    #expect(replaysOneSeed || bent > 100)
  }

  @Test("is recorded and replayed to the last bit")
  func recorded() throws {
    var bent = 0
    for seed in seeds(1...12) {
      var dice = SplitMix64(seed: seed)
      var company = try company()
      if dice.happens(0.5) { try company.drag(company.anna, to: 500) }
      company.wants = []
      try company.say(.record(true), company.anna, pause: 0.1)
      for _ in 0..<8 {
        try act(&company, &dice)
        try company.finger(.up, 400, company.anna, pause: .random(in: 0...0.5, using: &dice))
      }
      try company.pass(3)
      try company.say(.record(false), company.anna)
      // This compares the frames of the recording with those that were sent.
      let transcript = try company.recorded()
      #expect(transcript.dragRule == .covers)
      var playback = Playback(transcript, numbers: company.rooms.library.numbers, at: 0)
      for step in 0...Int(transcript.length * 20) {
        playback.seek(to: Double(step) / 20, at: 0)
        let frame = playback.frame(at: 0)
        bent += frame.placements.contains { $0.key.part.strip != nil } ? 1 : 0
      }
      let last = company.room?.stage.frame(at: company.now).placements
      playback.seek(to: transcript.length, at: 0)
      #expect(playback.frame(at: 0).placements == last, "SEED=\(seed)")
    }
    #expect(replaysOneSeed || bent > 50)
  }
}

extension Company {
  /// Returns all frames that a member has received, each of a batch by itself, by their numbers; of
  /// a number that was sent again, the last one.
  fileprivate func frames(of id: MemberID) throws -> [UInt32: DecodedFrame] {
    var decoder = FrameDecoder()
    var frames: [UInt32: DecodedFrame] = [:]
    for message in page(of: id).heard {
      let single: [ServerMessage] =
        if case .batch(let updates) = message { updates.map { .delta($0) } } else { [message] }
      for part in single {
        try decoder.apply(part)
        if let latest = decoder.latest { frames[latest.number] = latest }
      }
    }
    return frames
  }
}

import Fabric
import Scene
import TestVectors
import Testing
import Wire

@testable import Rooms

/// In a room of 600, a driven frame is sent at most every 0.01 s.
@Suite("Driven frames in a room of hundreds")
struct DrivenRateTests {
  private static let members: UInt32 = 600
  private static let step = 0.01

  private var rooms = ServedRooms(catalogue: .varied)
  private var sent = Sent()
  private var now = 100.0
  /// The number of inputs that a frame answered at once.
  private var answeredCount = 0

  init() {
    for member in 1...Self.members {
      rooms.join(MemberID(member), room: "R", now: now, into: &sent)
    }
    let go = ClientMessage.go(book: "0/4", opens: true, page: 20)
    rooms.handle(go, from: MemberID(1), now: now, into: &sent)
    pass(to: now + 8)
  }

  private mutating func pass(to end: Double) {
    while let wake = rooms.wakeTime, wake <= end {
      now = max(now, wake)
      rooms.wake(now: now, into: &sent)
    }
    now = end
  }

  /// Drags a leaf with an input at each of the given times after now.
  /// - Returns: The kinds of the frames and hands that the last member received.
  private mutating func drag(at times: [Double]) -> [UInt8] {
    let start = now
    var x = 860.0
    for (index, time) in ([-0.1] + times).enumerated() {
      pass(to: start + 0.2 + time)
      let phase: PointerPhase = index == 0 ? .down : .move
      let sample = PointerSample(id: 0, phase: phase, x: x, y: 400)
      let message = ClientMessage.pointers(Pointers(target: 0, samples: [sample]))
      let before = frameCount
      rooms.handle(message, from: MemberID(1), now: now, into: &sent)
      if index > 0, frameCount > before { answeredCount += 1 }
      x -= index == 0 ? 30 : 1
      if index == 0 { sent.removeAll() }
    }
    pass(to: now + Self.step)
    return sent.messages(to: MemberID(Self.members)).compactMap(\.first)
      .filter { $0 == Self.frame || $0 == Self.hand }
  }

  /// The number of driven frames that the last member received.
  private var frameCount: Int {
    sent.messages(to: MemberID(Self.members)).count { $0.first == Self.frame }
  }

  private static let frame: UInt8 = 0x84
  private static let hand: UInt8 = 0x8e

  @Test("answer each input at the greatest rate at once, however uneven the inputs arrive")
  mutating func unevenInputs() {
    var random = SplitMix64(seed: 5)
    let times = (0..<100)
      .map { Double($0) * Self.step + Double.random(in: 0...0.4, using: &random) * Self.step }
    let kinds = drag(at: times)
    #expect(answeredCount == times.count && kinds.count { $0 == Self.frame } == times.count)
  }

  @Test("are not postponed for long by frames that had to be sent at once")
  func recalls() {
    var pacing = Pacing()
    let members = Int(Self.members)
    for step in 0..<240 { pacing.noteDriven(at: Double(step) / 240, members: members) }
    let mayDrive = pacing.mayDrive(at: 1, members: members, isRecall: false)
    #expect(!mayDrive)
    pacing.waitDriven(deadline: nil, isFlying: false, members: members, now: 1)
    #expect((pacing.wakeTime ?? .infinity) <= 1 + Self.step)
  }

  @Test("are not sent more often than the greatest rate, and the hand goes with them")
  mutating func manyInputs() {
    let kinds = drag(at: (0..<240).map { Double($0) / 240 })
    let frames = kinds.count { $0 == Self.frame }
    #expect((95...103).contains(frames), "\(frames) frames in a second")
    for (place, kind) in kinds.enumerated() where kind == Self.hand {
      #expect(place > 0 && kinds[place - 1] == Self.frame, "hand \(place) of \(kinds.count)")
    }
    #expect(kinds.contains(Self.hand))
  }
}

import Fabric
import Motion
import Scene
import Staging
import TestVectors
import Testing
import Wire

@testable import Rooms

@Suite("Zooms that follow a stage")
struct ZoomCueTests {
  private static let ids = (1...UInt32(5)).map { MemberID($0) }
  private static let windows = [
    Size(width: 1024, height: 768), Size(width: 390, height: 844), Size(width: 844, height: 390),
    Size(width: 1440, height: 900), Size(width: 768, height: 1024),
  ]

  /// Returns a session of members with windows of all shapes, in front of an open book.
  private func session(in turn: inout Turn) -> StageSession {
    var session = StageSession(room: "R", library: ShownLibrary(.varied), at: 10)
    session.open("0/4", at: 10)
    for (id, size) in zip(Self.ids, Self.windows) {
      let hello = Hello(viewport: Viewport(size: size))
      session.join(Member(id: id, hello: hello), in: &turn[at: 10])
    }
    return session
  }

  /// Returns what a member does next: mostly what moves leaves.
  private func message(_ random: inout SplitMix64) -> ClientMessage {
    let point = Point(
      x: Double.random(in: 0...800, using: &random),
      y: Double.random(in: 100...600, using: &random)
    )
    func pointers(_ phase: PointerPhase) -> ClientMessage {
      let sample = PointerSample(id: 0, phase: phase, x: point.x, y: point.y)
      return .pointers(Pointers(target: 0, samples: [sample]))
    }
    let keys: [Key] = [.arrowRight, .arrowLeft, .keyF, .plus, .zero, .pageDown]
    switch Int.random(in: 0..<16, using: &random) {
    case 0: return .key(keys.randomElement(using: &random) ?? .end)
    case 1: return .fit(Fit(.page))
    case 2: return .zoomStep(factor: Bool.random(using: &random) ? 2 : nil, at: point)
    case 3: return .jump(page: UInt32.random(in: 0..<100, using: &random))
    case 4: return .wheel(dx: 0, dy: 40, at: point, ctrl: Bool.random(using: &random))
    case 5: return .zoom(.allCases.randomElement(using: &random) ?? .began, scale: 1.5, at: point)
    case 6...7: return pointers(.down)
    case 8: return pointers(.up)
    default: return pointers(.move)
    }
  }

  @Test("receive the same cameras as if each of them followed every frame")
  func cue() {
    for seed in UInt64(0)..<30 {
      var random = SplitMix64(seed: seed)
      var (fast, slow) = (Turn(environment: .counted()), Turn(environment: .counted()))
      var quick = session(in: &fast)
      var thorough = session(in: &slow)
      var (now, holder) = (11.0, Self.ids[0])
      for step in 0..<250 {
        if step % 12 == 0 { holder = Self.ids.randomElement(using: &random) ?? holder }
        let isOther = Int.random(in: 0..<10, using: &random) == 0
        let id = isOther ? Self.ids.randomElement(using: &random) ?? holder : holder
        let message = message(&random)
        quick.receive(message, from: id, in: &fast[at: now])
        thorough.watchers.forgetCue()
        thorough.receive(message, from: id, in: &slow[at: now])
        let end = now + Double.random(in: 0...0.1, using: &random)
        while let wake = quick.wakeTime, wake <= end {
          now = max(now, wake)
          quick.wake(in: &fast[at: now])
          thorough.watchers.forgetCue()
          thorough.wake(in: &slow[at: now])
        }
        now = end
        #expect(
          fast.effects.messages == slow.effects.messages,
          "seed \(seed), step \(step), \(message)"
        )
        fast.effects.removeAll()
        slow.effects.removeAll()
      }
    }
  }
}

import Motion
import Scene
import TestVectors

/// Random input for any screen, some of it far beyond what a window can send.
enum RandomInput {
  private static let far = [0.0, 1e-300, 1e9, -1e9, 1e308, -1e308, .nan, .infinity, -.infinity]

  private static func coordinate(_ dice: inout SplitMix64) -> Double {
    if Int.random(in: 0..<60, using: &dice) == 0 { return far.randomElement(using: &dice) ?? 0 }
    return Double.random(in: -800...800, using: &dice)
  }

  static func any(_ dice: inout SplitMix64) -> Input {
    let point = Point(x: coordinate(&dice), y: coordinate(&dice))
    let phases: [GesturePhase] = [.began, .changed, .changed, .changed, .ended, .cancelled]
    let phase = phases.randomElement(using: &dice) ?? .changed
    switch Int.random(in: 0..<17, using: &dice) {
    case 16: return .close(onBack: Bool.random(using: &dice))
    case 12: return .lay(LayOrder.allCases.randomElement(using: &dice) ?? .flat)
    case 13: return .jump(page: Int.random(in: 0...20, using: &dice))
    case 14:
      if Bool.random(using: &dice) { return .images(ready: nil) }
      return .images(ready: (0..<6).map { _ in Int.random(in: 0..<14, using: &dice) }.sorted())
    case 15: return .touch(point)
    case 0, 1: return .tap(point)
    case 2...5: return .pan(phase, point)
    case 6...7:
      let scale =
        Int.random(in: 0..<40, using: &dice) == 0
        ? coordinate(&dice) : Double.random(in: 0.1...7, using: &dice)
      return .pinch(phase, scale: scale, point)
    case 8...10: return .key(Key.allCases.randomElement(using: &dice) ?? .enter)
    default:
      return .wheel(
        dx: coordinate(&dice),
        dy: coordinate(&dice),
        ctrl: Bool.random(using: &dice)
      )
    }
  }
}

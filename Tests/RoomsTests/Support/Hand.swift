import Scene

/// A hand on a stage, on a virtual clock.
protocol Hand {
  associatedtype Outcome

  /// Puts a finger at a place relative to the middle of the window, and lets time pass.
  @discardableResult
  mutating func finger(
    _ phase: PointerPhase,
    _ x: Double,
    _ y: Double,
    id: UInt8,
    pause: Double
  ) -> Outcome

  /// Lets a number of seconds pass.
  mutating func pass(_ seconds: Double)
}

extension Hand {
  /// Moves two fingers from one distance from the middle to another.
  mutating func pinch(from start: Double, to end: Double, lifts: Bool = true) {
    finger(.down, -start, 0, id: 0, pause: 0.001)
    finger(.down, start, 0, id: 1, pause: 0.02)
    for step in 1...10 {
      let reach = start + (end - start) * Double(step) / 10
      finger(.move, -reach, 0, id: 0, pause: 0.001)
      finger(.move, reach, 0, id: 1, pause: 0.02)
    }
    pass(0.15)
    guard lifts else { return }
    finger(.up, -end, 0, id: 0, pause: 0.02)
    finger(.up, end, 0, id: 1, pause: 0.02)
    pass(3)
  }
}

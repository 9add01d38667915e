/// A turn past an end of the open book, which has shown that it ends; another one closes it.
package struct PastEnd: Equatable, Sendable {
  /// The least time between two turns of which the second closes the book, in seconds.
  ///
  /// A key that is held, a wheel and a hurried reader turn again sooner.
  static let pause = 0.4
  /// How long a turn is remembered, in seconds.
  static let memory = 6.0

  /// Whether the end is the back cover.
  package let onBack: Bool
  /// When the book has shown that it ends, in seconds.
  package let shownTime: Double
  /// The time of the last turn past the end, in seconds.
  private var lastTime: Double

  /// Records the first turn past an end.
  init(onBack: Bool, at time: Double) { (self.onBack, shownTime, lastTime) = (onBack, time, time) }

  /// Returns whether a turn past the same end is still remembered.
  func isRemembered(onBack: Bool, at time: Double) -> Bool {
    onBack == self.onBack && time - lastTime <= Self.memory
  }

  /// Records another turn past the end.
  /// - Returns: Whether it closes the book.
  mutating func turn(at time: Double) -> Bool {
    defer { lastTime = time }
    return time - lastTime >= Self.pause
  }
}

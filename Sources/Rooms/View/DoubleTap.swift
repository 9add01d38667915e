internal import Glibc
internal import Motion

/// Recognizes two taps in quick succession at one place.
struct DoubleTap: Sendable {
  /// The longest time between two taps that count as one double tap, in seconds.
  static let seconds = 0.3
  /// The greatest distance between them, in CSS pixels.
  static let reach = 24.0

  /// The first tap, while a second one may follow.
  private var first: (place: Point, time: Double)?

  /// Handles a tap, and returns whether it is the second of two.
  ///
  /// A tap that may be the first of the next two must be recorded with ``expect(_:at:)``.
  /// - Parameters:
  ///   - place: The place of the tap, in CSS pixels.
  ///   - time: The time of the tap, in seconds.
  /// - Returns: Whether it is the second of two.
  mutating func isSecond(_ place: Point, at time: Double) -> Bool {
    defer { first = nil }
    guard let first else { return false }
    return time - first.time <= Self.seconds
      && hypot(place.x - first.place.x, place.y - first.place.y) <= Self.reach
  }

  /// Records a tap that a second one may follow.
  mutating func expect(_ place: Point, at time: Double) { first = (place, time) }
}

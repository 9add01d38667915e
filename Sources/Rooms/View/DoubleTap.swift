internal import Geometry
internal import Glibc

/// Recognizes two taps that follow each other at one place.
struct DoubleTap: Sendable {
  /// The longest time between two taps that count as one double tap, in seconds.
  static let seconds = 0.3
  /// The greatest distance between them, in CSS pixels.
  static let reach = 24.0

  /// The tap that waits for its second.
  private var first: (place: Point, time: Double)?

  /// Hears of a tap and tells whether it is the second of two.
  ///
  /// A tap that is to be the first of the next two has to be remembered with ``expect(_:at:)``.
  /// - Parameters:
  ///   - place: Where, in CSS pixels.
  ///   - time: When, in seconds.
  /// - Returns: Whether it is the second of two.
  mutating func isSecond(_ place: Point, at time: Double) -> Bool {
    defer { first = nil }
    guard let first else { return false }
    return time - first.time <= Self.seconds
      && hypot(place.x - first.place.x, place.y - first.place.y) <= Self.reach
  }

  /// Waits for a second tap after one.
  mutating func expect(_ place: Point, at time: Double) { first = (place, time) }
}

internal import Fabric
internal import Scene

/// The transition of all members of the shared session from one book to another.
struct Transition: Equatable, Sendable {
  /// The maximum duration in seconds; after it, all members are put into the other book.
  static let seconds = 8.0
  /// How often to check whether all members have arrived, in seconds.
  static let step = 0.1

  /// The previous book, which is visible until all members have arrived.
  let from: String
  /// The page that they go to.
  let page: Int
  /// The host that brings them.
  let guide: MemberID
  /// When all members are put into the other book.
  let limit: Double
  /// When to check the next time whether all members have arrived.
  private(set) var wake: Double

  /// Begins a transition.
  init(from: String, page: Int, guide: MemberID, at now: Double) {
    (self.from, self.page, self.guide) = (from, page, guide)
    (limit, wake) = (now + Self.seconds, now + Self.step)
  }

  /// Checks again after ``step``.
  mutating func wait(from now: Double) { wake = now + Self.step }
}

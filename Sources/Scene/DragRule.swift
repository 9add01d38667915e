/// How a finger turns the leaves of the open book.
public enum DragRule: String, Equatable, Sendable, CaseIterable {
  /// The point of the paper that was touched stays under the finger. Past its first and its last
  /// spread the book resists, and then closes onto its cover.
  case covers
  /// The same, but past its ends the book only yields.
  case paper
  /// The leaves scroll, one per width of the stage, and stay rigid; past its ends the book yields.
  case scroll
}

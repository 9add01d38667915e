/// How a finger turns the leaves of the open book.
public enum DragRule: String, Equatable, Sendable, CaseIterable {
  /// The point of the paper that was touched stays under the finger.
  case paper
  /// The leaves scroll, one per width of the stage, and stay rigid.
  case scroll
}

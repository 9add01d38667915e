/// What is counted in a room, and still counts when the room is gone.
struct RoomTally: Equatable, Sendable {
  /// What came with a role that its sender no longer had.
  var stale = 0
  /// How often the book came into other hands.
  var roleChanges: [RoleChange: Int] = [:]

  static func += (one: inout RoomTally, other: RoomTally) {
    one.stale += other.stale
    one.roleChanges.merge(other.roleChanges, uniquingKeysWith: +)
  }
}

/// How the book comes into other hands; raw values are the names in the figures.
public enum RoleChange: String, CaseIterable, Sendable {
  /// Into somebody's, where nobody had it.
  case begun
  /// From one who is still here: handed on, taken, or where anyone turns by being touched.
  case passed
  /// From one who left, or whose connection was lost for too long.
  case inherited
  /// Nobody has it any more.
  case lapsed

  /// What happened between two states of a leadership; nil if the presenter is the same.
  init?(from before: Leadership, to after: Leadership) {
    guard before.presenter != after.presenter else { return nil }
    switch (before.presenter, after.presenter) {
    case (nil, _): self = .begun
    case (_, nil): self = .lapsed
    case (let one?, _): self = after.isPresent(one) ? .passed : .inherited
    }
  }
}

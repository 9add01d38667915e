/// The counts of a room; they remain when the room is gone.
struct RoomTally: Equatable, Sendable {
  /// Inputs with a role that their sender no longer had.
  var stale = 0
  /// How often the book changed hands.
  var roleChanges: [RoleChange: Int] = [:]

  static func += (one: inout RoomTally, other: RoomTally) {
    one.stale += other.stale
    one.roleChanges.merge(other.roleChanges, uniquingKeysWith: +)
  }
}

/// The ways in which the book changes hands; raw values are the names in the metrics.
package enum RoleChange: String, CaseIterable, Sendable {
  /// A member got the book when nobody had it.
  case begun
  /// A present member gave it up: handed it on, had it taken, or another touched it where anyone
  /// turns.
  case passed
  /// The previous presenter left, or its connection was lost for too long.
  case inherited
  /// Nobody has the book any more.
  case lapsed

  /// Creates the change between two states of a leadership; nil if the presenter is the same.
  init?(from before: ToldLeadership, to after: Leadership) {
    guard before.presenter != after.presenter else { return nil }
    switch (before.presenter, after.presenter) {
    case (nil, _): self = .begun
    case (_, nil): self = .lapsed
    case (let one?, _): self = after.isPresent(one) ? .passed : .inherited
    }
  }
}

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
  init?(from before: LeadershipSummary, to after: Leadership) {
    guard before.presenter != after.presenter else { return nil }
    switch (before.presenter, after.presenter) {
    case (nil, _): self = .begun
    case (_, nil): self = .lapsed
    case (let one?, _): self = after.isPresent(one) ? .passed : .inherited
    }
  }
}

/// One turn of the rooms: the time and the environment in which an event is handled, and the work
/// that results.
///
/// One value is reused, so that the path of a frame allocates nothing. Its owner passes
/// `&turn[at: now]` with each event, and then performs and removes the ``effects``.
package struct Turn: Sendable {
  /// The current time, in seconds.
  package private(set) var now = 0.0
  /// Names, secrets, keys and the date.
  package var environment: Environment
  /// The work to be done.
  package var effects = Effects()

  /// Creates a turn of rooms in an environment.
  package init(environment: Environment) { self.environment = environment }

  /// The turn at a time, in seconds.
  package subscript(at time: Double) -> Turn {
    get {
      var turn = self
      turn.now = time
      return turn
    }
    _modify {
      now = time
      yield &self
    }
  }
}

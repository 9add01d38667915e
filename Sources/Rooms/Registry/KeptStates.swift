internal import Rates

/// What was last stored of the rooms' states, and when the next ones are due.
///
/// What has come to rest for longer than the waits below is not lost with the process. Times are
/// seconds of the rooms' clock.
struct KeptStates: Sendable {
  /// The minimum time between two stored states of an empty room, in seconds.
  static let seconds = 0.1
  /// The time that each person adds to the minimum, and the limit of the sum, in seconds.
  static let (personSeconds, secondsMax) = (0.0004, 0.5)
  /// How long a change waits for others that are stored with it, in seconds.
  static let delay = 0.02
  /// How long after a failure a state is stored again, in seconds.
  static let retrySeconds = 2.0

  /// The states that were stored last, and when.
  private var kept: [String: (state: RoomState, time: Double)] = [:]
  private var times = WakeTimes<String>()

  /// When a state is to be stored; nil if nothing has changed.
  var wakeTime: Double? { times.soonest }

  /// Records that anything of a room with a number of people may have changed.
  mutating func noteChange(of name: String, people: Int, now: Double) {
    guard times[name] == nil else { return }
    let last = kept[name]?.time ?? -.infinity
    let wait = min(Self.seconds + Self.personSeconds * Double(people), Self.secondsMax)
    times[name] = max(now + Self.delay, last + wait)
  }

  /// Records that a state could not be stored, so that it is stored again.
  mutating func noteFailure(of name: String, now: Double) {
    guard kept.removeValue(forKey: name) != nil else { return }
    times[name] = min(times[name] ?? .infinity, now + Self.retrySeconds)
  }

  /// Forgets a room.
  mutating func forget(_ name: String) { (kept[name], times[name]) = (nil, nil) }

  /// Takes the states that are to be stored by now.
  /// - Parameters:
  ///   - now: The time.
  ///   - state: Returns the state of a room; nil if it is not open. It takes time proportional to
  ///     the number of people.
  /// - Returns: The states.
  mutating func take(at now: Double, state: (String) -> RoomState?) -> [RoomState] {
    times.due(at: now)
      .compactMap { name in
        times[name] = nil
        guard let state = state(name), kept[name]?.state.isSame(as: state) != true else {
          return nil
        }
        kept[name] = (state, now)
        return state
      }
  }
}

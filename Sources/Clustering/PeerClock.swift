/// The clock of another node compared with that of this one.
///
/// Of the last answers, the one with the shortest round trip decides; its error is at most half of
/// that round trip.
struct PeerClock: Sendable {
  /// How many answers are kept.
  private static let window = 8
  /// The time between two requests, and before the first answer, in seconds.
  private static let (seconds, firstSeconds) = (5.0, 0.25)

  private var samples: [(roundTrip: Double, offset: Double)] = []
  private var askedAt = -Double.infinity

  /// The other clock minus this one, in seconds; nil before the first answer.
  var offset: Double? { samples.min { $0.roundTrip < $1.roundTrip }?.offset }

  /// Returns whether a request is due, and records that it is sent.
  mutating func asks(at now: Double) -> Bool {
    guard now >= askedAt + (samples.isEmpty ? Self.firstSeconds : Self.seconds) else {
      return false
    }
    askedAt = now
    return true
  }

  /// Records an answer.
  /// - Parameters:
  ///   - sent: When the request was sent, by this clock.
  ///   - time: When it was answered, by the other clock.
  ///   - now: When the answer arrived, by this clock.
  mutating func note(sent: Double, time: Double, at now: Double) {
    guard sent <= now, time.isFinite else { return }
    samples.append((now - sent, time - (sent + now) / 2))
    if samples.count > Self.window { samples.removeFirst() }
  }
}

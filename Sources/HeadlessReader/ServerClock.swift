/// An estimate of a server's clock, from exchanges of times with it.
///
/// The fastest exchange counts, because its answer was delayed least.
struct ServerClock {
  /// The server's clock minus the local clock, in seconds.
  private(set) var offset = 0.0
  /// The last answer: the local time that was sent, and the server's time.
  private var answer: (client: Double, server: Double)?
  private var bestRoundTrip = Double.infinity

  /// Starts with a time that the server sent without being asked.
  mutating func start(serverTime: Double, receivedAt: Double) { offset = serverTime - receivedAt }

  /// Takes the answer to the local time that was sent.
  mutating func take(client: Double, server: Double) { answer = (client, server) }

  /// Returns the server's time from the answer to a local time; nil if it has not arrived.
  func answer(to sent: Double) -> Double? {
    answer.flatMap { $0.client == sent ? $0.server : nil }
  }

  /// Corrects the estimate if this exchange was the fastest so far.
  mutating func correct(sent: Double, server: Double, received: Double) {
    let roundTrip = received - sent
    guard roundTrip < bestRoundTrip else { return }
    bestRoundTrip = roundTrip
    offset = server - (sent + roundTrip / 2)
  }
}

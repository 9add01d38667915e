/// An estimate of a server's clock, based on requests for its time.
///
/// The fastest request counts, because its answer was delayed least.
struct ServerClock {
  /// The server's clock minus the local clock, in seconds.
  private(set) var offset = 0.0
  /// The last answer: the local time that was sent, and the server's time.
  private var answer: (client: Double, server: Double)?
  private var bestRoundTrip = Double.infinity

  /// Starts with a time that the server sent without a request.
  mutating func start(serverTime: Double, receivedAt: Double) { offset = serverTime - receivedAt }

  /// Stores the answer to a request that contained a local time.
  mutating func receive(client: Double, server: Double) { answer = (client, server) }

  /// Returns the server's time from the answer to a local time; nil if it has not arrived.
  func answer(to sent: Double) -> Double? { answer.flatMap { $0.client == sent ? $0.server : nil } }

  /// Corrects the estimate if this request was the fastest so far.
  mutating func correct(sent: Double, server: Double, received: Double) {
    let roundTrip = received - sent
    guard roundTrip < bestRoundTrip else { return }
    bestRoundTrip = roundTrip
    offset = server - (sent + roundTrip / 2)
  }
}

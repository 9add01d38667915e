internal import Wire

/// Decides who answers the clock probes of one connection.
///
/// All answers to a member are in order: when a probe is answered, so are all messages before it.
/// A probe that follows others is therefore passed to the host, which answers it after them. A
/// probe of an idle member has nothing to wait for, and must not cost its room anything.
struct ProbeOrder: Sendable {
  /// Whether the host has received messages since the last probe; at first it has to learn that the
  /// member has received its welcome.
  private var isAhead = true
  /// The number of probes that the host has not answered.
  private var awaited = 0

  /// Notes a message that is about to be forwarded.
  /// - Returns: Whether it is a probe that the gateway answers instead.
  mutating func answers(_ message: ClientMessage) -> Bool {
    // A report is not answered.
    if case .ack = message { return false }
    guard case .clock = message else {
      isAhead = true
      return false
    }
    guard isAhead || awaited > 0 else { return true }
    isAhead = false
    awaited += 1
    return false
  }

  /// Notes that the host has answered a probe.
  mutating func noteAnswer() { awaited = max(0, awaited - 1) }
}

internal import Fabric

/// One connection of a gateway: its member, the limits on what it sends, and what it has not
/// received yet.
struct Connection: Sendable {
  let line: LineID
  /// The peer's address in digits; for IPv6 its /64 prefix.
  let peer: String
  /// The member behind the connection; nil once another connection has taken over that member.
  var member: MemberID?
  var intake: Intake
  var outbox = Outbox()
  /// The stream that the member watches.
  var stream: StreamID?
  /// Whether the connection is closing; nothing more is received or sent over it.
  var isClosing = false

  /// When the connection needs attention without input, in seconds; nil if it does not.
  var wakeTime: Double? {
    guard !isClosing else { return nil }
    let next = min(intake.wakeTime ?? .infinity, outbox.wakeTime ?? .infinity)
    return next < .infinity ? next : nil
  }
}

/// A stream and the connections that watch it.
struct WatchedStream: Sendable {
  var replica = StreamReplica()
  /// The slots of the watching connections, in the order in which they began to watch.
  var watchers: [Int] = []
}

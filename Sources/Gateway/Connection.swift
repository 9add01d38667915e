internal import Fabric

/// One connection of a gateway: its member, the limits on what it sends, and what it has not
/// received yet.
struct Connection: Sendable {
  let line: LineID
  /// The address that it comes from, in digits; of IPv6 the /64.
  let peer: String
  /// The member that it speaks for; nil once another connection speaks for that member.
  var member: MemberID?
  var intake: Intake
  var outbox = Outbox()
  /// The stream that the member watches.
  var stream: StreamID?
  /// Nothing is heard or said any more.
  var isClosing = false

  /// When there is something to do by itself; nil if there is nothing.
  var wakeTime: Double? {
    guard !isClosing else { return nil }
    let next = min(intake.wakeTime ?? .infinity, outbox.wakeTime ?? .infinity)
    return next < .infinity ? next : nil
  }
}

/// A stream and who watches it.
struct WatchedStream: Sendable {
  var replica = StreamReplica()
  /// The slots of the connections, in the order in which they began to watch.
  var watchers: [Int] = []
}

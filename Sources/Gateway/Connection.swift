internal import Fabric
internal import Wire

/// One connection of a gateway, which can move to another one: its member, the limits on what it
/// sends, and what it has not received yet.
package struct Connection: Sendable {
  var client: ClientID
  /// The peer's address in digits; for IPv6 its /64 prefix.
  package let peer: String
  /// The member behind the connection; nil once another connection has taken over that member.
  var member: MemberID?
  var intake: Intake
  var outbox = Outbox()
  /// The stream that the member watches.
  var stream: StreamID?
  var probes = ProbeOrder()
  /// Whether the connection is closing; nothing more is received or sent over it.
  var isClosing = false

  /// When the connection needs attention without input, in seconds; nil if it does not.
  var wakeTime: Double? {
    guard !isClosing else { return nil }
    let next = min(intake.wakeTime ?? .infinity, outbox.wakeTime ?? .infinity)
    return next < .infinity ? next : nil
  }

  /// Decides about a message from the member.
  /// - Returns: The member and the decision; nil if the connection receives nothing any more.
  mutating func judge(_ packet: ClientPacket, at now: Double) -> (MemberID, Intake.Verdict)? {
    guard !isClosing, let member else { return nil }
    return (member, intake.judge(packet, at: now))
  }

  /// What a connection gets of published messages.
  struct Choice {
    let client: ClientID
    /// One bit for each message that is sent now.
    var messages: UInt8 = 0
    /// Whether a frame is sent later, because the member gets few of them.
    var owesFrame = false
  }

  /// Decides which published messages are sent now.
  mutating func choose(of publications: [Publication]) -> Choice {
    var choice = Choice(client: client)
    guard let member else { return choice }
    for index in publications.indices where outbox.accepts(publications[index], by: member) {
      choice.messages |= 1 << UInt8(index)
    }
    choice.owesFrame = outbox.interval > 0
    return choice
  }
}

/// A stream and the connections that watch it.
struct WatchedStream: Sendable {
  var replica = StreamReplica()
  /// The slots of the watching connections, in the order in which they began to watch.
  var watchers: [Int] = []
}

package import Wire

/// A message from a gateway to a room host.
///
/// A gateway has checked what it forwards: every packet follows the protocol's table, arrives after
/// the member's hello and is within its rate limits.
package enum GatewayMessage: Equatable, Sendable {
  /// A connection requests to become a member. The peer is the connection's address in digits, or
  /// for IPv6 its /64 prefix. The room is the one to which the hello leads; empty if the host is to
  /// find it.
  case hello(MemberID, Hello, peer: String, room: String = "")
  /// A member sent a message.
  case packet(MemberID, ClientPacket)
  /// A member sent an order too often; it was not forwarded, and the member should be informed.
  case tooOften(MemberID)
  /// A member's connection accepts no more messages for now.
  case blocked(MemberID)
  /// A member's connection accepts messages again and has been brought up to date.
  case unblocked(MemberID)
  /// A connection closed, with a code of the protocol's table or one of RFC 6455; 1006 if it was
  /// lost.
  case left(MemberID, code: UInt16)

  /// The member that the message is about.
  package var member: MemberID {
    switch self {
    case .hello(let member, _, _, _), .packet(let member, _), .tooOften(let member),
      .blocked(let member), .unblocked(let member), .left(let member, _):
      member
    }
  }
}

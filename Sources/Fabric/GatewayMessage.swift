public import Wire

/// A message from a gateway to a room host.
///
/// A gateway has checked what it forwards: every packet follows the protocol's table, comes after
/// the member's hello and within its rate limits.
public enum GatewayMessage: Equatable, Sendable {
  /// A connection wants to become a member. The peer is the address that it comes from, in digits;
  /// of IPv6 the /64.
  case hello(MemberID, Hello, peer: String)
  /// A member says something.
  case packet(MemberID, ClientPacket)
  /// A member sent an order too often; it was not forwarded, and the member should be told.
  case tooOften(MemberID)
  /// A member's connection takes no more messages for now.
  case blocked(MemberID)
  /// It takes messages again and has been brought up to date.
  case unblocked(MemberID)
  /// A connection is gone, closed with a code of the protocol's table or one of RFC 6455; 1006 if
  /// it was lost.
  case left(MemberID, code: UInt16)
}

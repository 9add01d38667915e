public import Fabric

/// A member that is connected to a gateway from now on, or is no longer.
public struct MemberChange: Equatable, Sendable {
  /// The member.
  public let member: MemberID
  /// Whether a connection of the gateway is that of the member.
  public let isHere: Bool

  /// Creates a change.
  public init(_ member: MemberID, isHere: Bool) { (self.member, self.isHere) = (member, isHere) }
}

package import Fabric

/// A member that is connected to a gateway from now on, or is no longer.
package struct MemberChange: Equatable, Sendable {
  /// The member.
  package let member: MemberID
  /// Whether a connection of the gateway is that of the member.
  package let isHere: Bool

  /// Creates a change.
  package init(_ member: MemberID, isHere: Bool) { (self.member, self.isHere) = (member, isHere) }
}

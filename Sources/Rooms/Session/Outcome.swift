internal import Fabric
internal import Staging

/// What a member's message did to a session, apart from the frames that it caused.
struct Outcome {
  let pending: TurnControl.Pending
  /// The end of the book that the member has turned past; nil if the message did not show it.
  let end: PastEnd?
  /// The member that holds the stage.
  var holder: MemberID?
  /// Whether the member's next frame is postponed.
  var owesFrame: Bool
}

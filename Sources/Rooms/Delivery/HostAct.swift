package import Fabric
package import Scene
internal import Wire

/// An action that only a host may perform.
package enum HostAct: Equatable, Sendable {
  /// Share the room, or request its links again.
  case share
  /// Change the settings of the room.
  case settings
  /// Replace the links with new ones.
  case renewLinks
  /// Bring all members to another book.
  case bring
  /// End the session for all other members.
  case end
  /// Remove a member.
  case remove(MemberID)
  /// Give a member a grant.
  case grant(MemberID, Grant)
  /// Begin or end a recording.
  case record(Bool)
  /// Play a recording.
  case play(String)
}

extension HostAct {
  /// Creates the act that a host's message requests; nil if the message requests none of them.
  init?(_ message: ClientMessage) {
    switch message {
    case .share: self = .share
    case .settings: self = .settings
    case .renewLinks: self = .renewLinks
    case .bring(.some): self = .bring
    case .endReading: self = .end
    case .showOut(let guest): self = .remove(MemberID(guest))
    case .grant(let guest, let grant): self = .grant(MemberID(guest), grant)
    case .record(let isOn): self = .record(isOn)
    case .open(let recording): self = .play(recording)
    case .bring(nil), .lowerHand, .hello, .pointers, .wheel, .key, .viewport, .clock, .zoom,
      .visibility, .ready, .jump, .go,
      .arrange, .lay, .zoomStep, .persona, .ack, .point, .raise, .wander, .handover, .play, .fit:
      return nil
    }
  }
}

internal import Fabric
internal import Scene
internal import Wire

/// What the new window of a reader takes over from windows whose connection is lost: a person that
/// opens the room again is not two people.
struct Legacy: Sendable {
  /// The members that the lost windows were.
  fileprivate(set) var members: [MemberID] = []
  /// The name and colour that the others know.
  fileprivate(set) var persona: Persona?
  fileprivate(set) var grant: Grant?
}

extension Room {
  /// Removes the lost windows of a reader; ``hand(over:to:at:)`` must follow once the new one is
  /// there.
  mutating func removeLost(of reader: ReaderID, in turn: inout Turn) -> Legacy {
    var legacy = Legacy()
    for person in roster.people where person.reader == reader && !person.isHere {
      legacy.members.append(person.id)
      legacy.persona = Persona(name: person.name, colour: person.colour)
      legacy.grant = max(legacy.grant ?? person.grant, person.grant)
    }
    for id in legacy.members {
      keepPlacesElsewhere(of: id)
      if let index = roster.index(of: id) { roster.remove(at: index) }
      if let own = wanderers.remove(id) { turn.effects.messages.append(.end(own.stream.id)) }
      timing.remove(id)
      announced.noteAttendance(of: id)
    }
    return legacy
  }

  /// Hands the book over, if a lost window had it.
  mutating func hand(over legacy: Legacy, to id: MemberID, at now: Double) {
    if let presenter = leadership.presenter, legacy.members.contains(presenter) {
      leadership.lead(id, at: now)
    }
    for other in legacy.members { leadership.leave(other, at: now) }
  }
}

internal import Fabric
internal import Scene
internal import Wire

/// What the new window of a reader takes over from windows whose connection is lost: a person that
/// opens the room again is not two people.
struct Legacy: Sendable {
  /// The members that the lost windows were.
  private(set) var members: [MemberID] = []
  /// The name and colour that the others know.
  private(set) var persona: Persona?
  private(set) var grant: Grant?

  /// What a person leaves to another window of its reader.
  fileprivate mutating func add(_ person: Person) {
    members.append(person.id)
    persona = Persona(name: person.name, colour: person.colour)
    grant = max(grant ?? person.grant, person.grant)
  }
}

extension Roster {
  /// Returns what the windows of a reader whose connection is lost leave to a new one.
  func legacy(of reader: ReaderID) -> Legacy {
    var legacy = Legacy()
    for person in people where person.reader == reader && !person.isHere { legacy.add(person) }
    return legacy
  }
}

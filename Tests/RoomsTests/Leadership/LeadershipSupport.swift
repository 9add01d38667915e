import Fabric
import Scene
import Testing

@testable import Rooms

let anna = MemberID(1)
let ben = MemberID(2)
let cleo = MemberID(3)
let dora = MemberID(4)

/// Returns a room whose members joined one second apart, the first at 0 s.
func gathered(_ policy: Policy, _ grants: [Grant]) -> Leadership {
  var room = Leadership(policy: policy)
  for (index, grant) in grants.enumerated() {
    room.come(MemberID(UInt32(index) + 1), grant: grant, at: Double(index))
  }
  return room
}

extension Leadership {
  /// Applies a handover of a member, by default at 20 s, when all members have joined.
  mutating func attempt(_ handover: Handover, from id: MemberID, at now: Double = 20) {
    _ = handle(handover, from: id, at: now)
  }

  /// Applies a handover and expects that the member is allowed to make it.
  mutating func grants(
    _ handover: Handover,
    from id: MemberID,
    at now: Double = 20,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let isDone = handle(handover, from: id, at: now)
    #expect(isDone, sourceLocation: sourceLocation)
  }

  /// Applies a handover and expects that it is allowed and changes nothing.
  mutating func shrugs(
    _ handover: Handover,
    from id: MemberID,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let before = self
    grants(handover, from: id, sourceLocation: sourceLocation)
    #expect(self == before, sourceLocation: sourceLocation)
  }

  /// Applies a handover and expects that it is rejected and changes nothing.
  mutating func denies(
    _ handover: Handover,
    from id: MemberID,
    at now: Double = 20,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let before = self
    let isDone = handle(handover, from: id, at: now)
    #expect(!isDone, sourceLocation: sourceLocation)
    #expect(self == before, sourceLocation: sourceLocation)
  }
}

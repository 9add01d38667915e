import Fabric
import Scene
import Testing

@testable import Rooms

let anna = MemberID(1)
let ben = MemberID(2)
let cleo = MemberID(3)
let dora = MemberID(4)

/// A room in which everybody came a second after the one before, the first at 0 s.
func gathered(_ policy: Policy, _ grants: [Grant]) -> Leadership {
  var room = Leadership(policy: policy)
  for (index, grant) in grants.enumerated() {
    room.come(MemberID(UInt32(index) + 1), grant: grant, at: Double(index))
  }
  return room
}

extension Leadership {
  /// A member does something at 20 s, which is after all have come.
  mutating func hear(_ handover: Handover, from id: MemberID, at now: Double = 20) {
    _ = handle(handover, from: id, at: now)
  }

  /// The same, which it may do.
  mutating func grants(
    _ handover: Handover,
    from id: MemberID,
    at now: Double = 20,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let isDone = handle(handover, from: id, at: now)
    #expect(isDone, sourceLocation: sourceLocation)
  }

  /// The same, which it may do, and which is so already.
  mutating func shrugs(
    _ handover: Handover,
    from id: MemberID,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let before = self
    grants(handover, from: id, sourceLocation: sourceLocation)
    #expect(self == before, sourceLocation: sourceLocation)
  }

  /// The same, which it may not do, and which changes nothing.
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

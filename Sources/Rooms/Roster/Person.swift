internal import Fabric
internal import Scene
internal import Wire

/// A person in a room, including one that is away and may rejoin.
struct Person: Sendable {
  let id: MemberID
  /// The reader, which is the same in all windows.
  let reader: ReaderID
  /// The address that its connection comes from, in digits.
  var address: String
  /// Whether the person has sent the library's key, if one is needed.
  let opensLibrary: Bool
  var name: String
  var colour: UInt8
  var grant: Grant
  /// How the person rejoins after a lost connection.
  var resumption: Resumption
  /// Whether the person raises a hand.
  var isRaised = false
  /// The role that was last sent to the person.
  var role = SentRole()
  /// The state of the person that was last sent to the others.
  var lastEvent: PersonEvent?
  var pace = Pace()

  /// Whether the person is connected.
  var isHere: Bool { resumption.awayUntil == nil }
}

/// The role that was last sent to a member, and its number.
///
/// Input from the member carries the number; input with another number is outdated.
struct SentRole: Sendable {
  /// The number that input from the member has to carry.
  private(set) var number: UInt16 = 0
  private(set) var last: RoleEvent?
  /// Whether the last role was that of a member on its way to another book, where nobody may turn.
  private var wasBrought = false

  /// Makes all input that is on its way from the member outdated.
  mutating func outdate() { number &+= 1 }

  /// Ensures that the next role is sent even if it is the same.
  mutating func forget() { last = nil }

  /// Stores the member's current role.
  /// - Parameters:
  ///   - event: The role; its number is set here.
  ///   - wanders: Whether the member moves a stage of its own: its number then stays, because a
  ///     finger that it lifts must be recognized.
  ///   - isBrought: Whether all members are on their way to another book. The number stays when
  ///     they arrive: what a member does when it sees the book at rest may be on its way.
  /// - Returns: The event to send, and whether the role itself differs; nil if it was sent already.
  mutating func update(
    _ event: RoleEvent,
    wanders: Bool,
    isBrought: Bool
  ) -> (event: RoleEvent, isOtherRole: Bool)? {
    var event = event
    let arrives = wasBrought && !isBrought
    wasBrought = isBrought
    if let last, last.rights.contains(.mayTurn) != event.rights.contains(.mayTurn), !wanders,
      !arrives
    {
      outdate()
    }
    event.number = number
    guard event != last else { return nil }
    defer { last = event }
    return (event, last?.role != event.role)
  }
}

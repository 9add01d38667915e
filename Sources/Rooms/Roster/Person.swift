internal import Fabric
internal import Scene
internal import Wire

/// A person in a room, also while the connection is lost and may come back.
struct Person: Sendable {
  let id: MemberID
  /// The reader, the same in all windows.
  let reader: ReaderID
  /// The address that its connection comes from, in digits.
  var address: String
  /// The pass that opens, by HTTP, the books that the person sees.
  let pass: String
  /// Whether the person has shown the library's key, where one is needed.
  let opensLibrary: Bool
  var name: String
  var colour: UInt8
  var grant: Grant
  /// How the person comes back after a lost connection.
  var resumption: Resumption
  /// Whether the person raises a hand.
  var isRaised = false
  /// What the person was told that it may do.
  var role = ToldRole()
  /// What the others were last told of the person.
  var lastEvent: PersonEvent?
  var pace = Pace()
  /// What the others were last told of its pointer; nil when none is seen.
  var pointer: PointerEvent?
  var pointerBucket = TokenBucket(rate: 40, burst: 8)

  /// Whether there is a connection.
  var isHere: Bool { resumption.awayUntil == nil }
}

/// What a member was last told that it may do, and the number of that.
///
/// What a member does carries the number; another than the present one comes too late.
struct ToldRole: Sendable {
  /// The number that what the member does has to carry.
  private(set) var number: UInt16 = 0
  private(set) var last: RoleEvent?

  /// Makes everything that is on its way from the member come too late.
  mutating func outdate() { number &+= 1 }

  /// Makes the next role be told even if it is the same.
  mutating func forget() { last = nil }

  /// Takes the role that the member has now.
  /// - Parameters:
  ///   - event: The role; its number is set here.
  ///   - wanders: Whether the member moves a stage of its own: its number then stays, since a
  ///     finger that it lifts has to be heard.
  /// - Returns: The event to send, and whether the role itself is another; nil if the member knows.
  mutating func update(
    _ event: RoleEvent,
    wanders: Bool
  ) -> (event: RoleEvent, isOtherRole: Bool)? {
    var event = event
    if let last, last.rights.contains(.mayTurn) != event.rights.contains(.mayTurn), !wanders {
      outdate()
    }
    event.number = number
    guard event != last else { return nil }
    defer { last = event }
    return (event, last?.role != event.role)
  }
}

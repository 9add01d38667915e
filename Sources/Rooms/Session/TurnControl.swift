internal import Fabric
internal import Scene

/// Who may move a stage, and what members did that it did not do.
///
/// What was done without the right to move the stage, and what would have left a book that the
/// stage stays in, is kept until the room takes it and decides about it.
struct TurnControl: Sendable {
  /// The members that may move the stage.
  var turning = Turning.anyone
  /// Whether the stage stays in the open book.
  var keepsBook = false
  /// The member that holds a gesture, until what it began has settled; nil if nobody does.
  private(set) var holder: MemberID?
  /// What would have left the book.
  private var leavings: [TimedInput] = []
  /// What was done without the right to.
  private var refused: [TimedInput] = []

  /// Whether what a member does moves the stage.
  /// - Parameters:
  ///   - id: The member.
  ///   - isDriven: Whether a gesture holds something of the stage.
  /// - Returns: Whether it does.
  func mayAct(_ id: MemberID, isDriven: Bool) -> Bool {
    switch turning {
    case .anyone: holder == nil || holder == id || !isDriven
    case .only(let one): one == id
    }
  }

  /// Makes the member that has moved the stage its holder.
  mutating func hold(_ id: MemberID) { holder = id }

  /// Takes the stage from its holder: what it began has settled, or is gone.
  mutating func release() { holder = nil }

  /// Keeps what a member did without the right to.
  ///
  /// Where anyone turns, nothing is kept: another member was only quicker.
  mutating func refuse(_ inputs: [Input], at time: Double) {
    guard turning != .anyone else { return }
    for input in inputs { refused.append(TimedInput(input: input, time: time)) }
  }

  /// Takes what was done without the right to since this was last called.
  mutating func takeRefused() -> [TimedInput] {
    defer { if !refused.isEmpty { refused = [] } }
    return refused
  }

  /// Whether something would have left the book and has not been taken yet.
  ///
  /// What follows in a gesture belongs to the stage that the gesture is carried to, so that it is
  /// kept as well, whatever it is.
  var isLeaving: Bool { !leavings.isEmpty }

  /// Keeps an input that would leave the book, or follows one that would.
  mutating func divert(_ input: Input, at time: Double) {
    leavings.append(TimedInput(input: input, time: time))
  }

  /// Takes what would have left the book since this was last called.
  mutating func takeLeavings() -> [TimedInput] {
    defer { if !leavings.isEmpty { leavings = [] } }
    return leavings
  }

  /// The control of a stage that one member takes along from this one, and nobody holds.
  func only(_ id: MemberID) -> TurnControl {
    var own = self
    own.turning = .only(id)
    own.holder = nil
    own.refused = []
    return own
  }
}

/// Who may move a stage.
enum Turning: Equatable, Sendable {
  /// Any member, while no other holds something.
  case anyone
  /// One member; nil: nobody.
  case only(MemberID?)
}

/// Something that a member did, and when.
struct TimedInput: Equatable, Sendable {
  var input: Input
  /// In seconds of the room's clock.
  var time: Double
}

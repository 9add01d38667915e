internal import Fabric
internal import Scene

/// Decides who may move a stage, and keeps the inputs that the stage did not apply.
///
/// Inputs of members without the right to move the stage, and inputs that would have left a book
/// that the stage stays in, are kept until the room takes them and decides about them.
struct TurnControl: Sendable {
  /// The members that may move the stage.
  var turning = Turning.anyone
  /// Whether the stage stays in the open book.
  var keepsBook = false
  /// The member that holds a gesture, until the resulting motion has settled; nil if there is none.
  private(set) var holder: MemberID?
  /// Inputs that would have left the book.
  private var leavings: [TimedInput] = []
  /// Whether the book has shown the holder that it ends.
  private var hasShownEnd = false
  /// Inputs of members without the right to move the stage.
  private var refused: [TimedInput] = []

  /// Whether a member's input moves the stage.
  /// - Parameters:
  ///   - id: The member.
  ///   - isDriven: Whether a gesture holds something of the stage.
  /// - Returns: Whether the member may move the stage.
  func mayAct(_ id: MemberID, isDriven: @autoclosure () -> Bool) -> Bool {
    switch turning {
    case .anyone: holder == nil || holder == id || !isDriven()
    case .only(let one): one == id
    }
  }

  /// Makes the member that has moved the stage its holder.
  mutating func hold(_ id: MemberID) { holder = id }

  /// Releases the stage from its holder: the motion that it began has settled, or is gone.
  mutating func release() { holder = nil }

  /// Keeps inputs of a member without the right to move the stage.
  ///
  /// Where anyone turns, nothing is kept, because another member was merely quicker.
  mutating func refuse(_ inputs: Few<Input>, at time: Double) {
    guard turning != .anyone else { return }
    for input in inputs { refused.append(TimedInput(input: input, time: time)) }
  }

  /// Returns the refused inputs since the last call, and removes them.
  mutating func takeRefused() -> [TimedInput] {
    defer { if !refused.isEmpty { refused = [] } }
    return refused
  }

  /// Whether an input would have left the book and has not been taken yet.
  ///
  /// The rest of its gesture belongs to the stage that the gesture is carried to, so all inputs
  /// that follow are kept as well.
  var isLeaving: Bool { !leavings.isEmpty }

  /// Keeps an input that would leave the book, or follows one that would.
  mutating func divert(_ input: Input, at time: Double) {
    leavings.append(TimedInput(input: input, time: time))
  }

  /// Returns the inputs that would have left the book since the last call, and removes them.
  mutating func takeLeavings() -> [TimedInput] {
    defer { if !leavings.isEmpty { leavings = [] } }
    return leavings
  }

  /// Records that the book has shown its end to the member whose input is handled.
  mutating func noteEnd() { hasShownEnd = true }

  /// Returns whether the book has shown its end since the last call.
  mutating func takeEnd() -> Bool {
    guard hasShownEnd else { return false }
    hasShownEnd = false
    return true
  }

  /// Returns the control of a stage that one member takes along from this one, without a holder.
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
  /// One member; nobody if nil.
  case only(MemberID?)
}

/// An input of a member, and its time.
struct TimedInput: Equatable, Sendable {
  var input: Input
  /// The time, in seconds of the room's clock.
  var time: Double
}

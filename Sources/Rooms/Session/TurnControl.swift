internal import Fabric
internal import Scene

/// Decides who may move a stage, and stores the inputs that the stage did not apply.
///
/// Inputs of members without the right to move the stage, and inputs that would have left a book
/// that the stage stays in, are stored until the room drains them and decides about them.
struct TurnControl: Sendable {
  /// The members that may move the stage.
  var turning = Turning.anyone
  /// Whether the stage stays in the open book.
  var keepsBook = false
  /// The member that holds a gesture, until the resulting motion has settled; nil if there is none.
  private(set) var holder: MemberID?
  /// What the room has to decide about.
  private var pending = Pending()

  /// What inputs have left for the room to decide.
  struct Pending: Equatable, Sendable {
    /// Inputs that would have left the book.
    var leaving: [TimedInput] = []
    /// Inputs of members without the right to move the stage.
    var refused: [TimedInput] = []
    /// Whether the book has shown the member whose input is handled that it ends.
    var showsEnd = false
  }

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

  /// Stores inputs of a member without the right to move the stage.
  ///
  /// Where anyone turns, nothing is stored, because another member was merely quicker.
  mutating func refuse(_ inputs: Few<Input>, at time: Double) {
    guard turning != .anyone else { return }
    for input in inputs { pending.refused.append(TimedInput(input: input, time: time)) }
  }

  /// Whether an input would have left the book and has not been drained yet.
  ///
  /// The rest of its gesture belongs to the stage that the gesture is carried to, so all inputs
  /// that follow are stored as well.
  var isLeaving: Bool { !pending.leaving.isEmpty }

  /// Stores an input that would leave the book, or follows one that would.
  mutating func divert(_ input: Input, at time: Double) {
    pending.leaving.append(TimedInput(input: input, time: time))
  }

  /// Records that the book has shown its end to the member whose input is handled.
  mutating func noteEnd() { pending.showsEnd = true }

  /// Returns what has been left to the room since the last call.
  mutating func drain() -> Pending {
    defer { pending = Pending() }
    return pending
  }

  /// Returns the inputs that would have left the book since the last call.
  mutating func drainLeaving() -> [TimedInput] {
    defer { pending.leaving = [] }
    return pending.leaving
  }

  /// Discards the inputs of members without the right to move the stage.
  mutating func dropRefused() { pending.refused = [] }

  /// Returns the control of a stage that one member takes along from this one, without a holder.
  func only(_ id: MemberID) -> TurnControl {
    var own = self
    own.turning = .only(id)
    own.holder = nil
    own.dropRefused()
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

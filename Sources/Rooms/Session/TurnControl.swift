internal import Fabric
internal import Motion
internal import Scene
internal import Staging

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

  /// Stores an input that would take a stage out of the book that it keeps, or follows one that
  /// would.
  /// - Parameters:
  ///   - input: The input and its time.
  ///   - stage: The stage.
  ///   - now: The time at which the stage would apply it.
  ///   - settles: Whether everything comes to rest before the input.
  /// - Returns: Whether the input is stored, and not for the stage.
  mutating func divertIfLeaving(
    _ input: TimedInput,
    from stage: Stage,
    at now: Double,
    settles: Bool
  ) -> Bool {
    guard keepsBook else { return false }
    if isLeaving {
      divert(input.input, at: input.time)
    } else if stage.isLeft(by: input.input, at: now, settles: settles) {
      divert(stage.carried(input.input, at: now, settles: settles), at: input.time)
    } else {
      return false
    }
    return true
  }

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

  /// Whether inputs would move a stage if they were allowed, without what others hold.
  /// - Parameters:
  ///   - stage: The stage.
  ///   - inputs: The inputs.
  ///   - mayLeave: Whether their member may leave the book; an input that leaves it then counts.
  ///   - last: The time of the last input of the stage.
  ///   - cuts: Whether nobody sees motion, which ends before each input.
  /// - Returns: Whether anything would differ.
  func wouldMove(
    _ stage: Stage,
    by inputs: [TimedInput],
    mayLeave: Bool,
    since last: Double,
    cuts: Bool
  ) -> Bool {
    var probe = stage
    probe.abandonGesture(at: last)
    var before = probe
    for timed in inputs {
      let time = max(timed.time, last)
      let settles = cuts && !probe.isDriven && !probe.isSettled(at: time)
      if keepsBook, probe.isLeft(by: timed.input, at: time, settles: settles) {
        if mayLeave { return true }
      } else {
        probe.apply(timed.input, at: time)
      }
    }
    // That a book shows its end to a member is no reason to read alone.
    probe.forgetEnd()
    before.forgetEnd()
    return probe != before
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

// MARK: - Out of the book

extension Stage {
  /// Whether an input would take the stage out of its book.
  fileprivate func isLeft(by input: Input, at time: Double, settles: Bool) -> Bool {
    switch input {
    case .images: return false
    case .go(let book, let opens, _): return !opens || book != openBook
    case .key(.escape), .pinch, .wheel(_, _, true): break
    // The start and the middle of a pull past the end only pull.
    case .pan(.ended, _), .key, .tap, .wheel: guard mayCloseAtEnd else { return openBook == nil }
    default: return openBook == nil
    }
    return !applied(input, at: time, settles: settles).staysOpen
  }

  /// Returns an input that leaves the book as another stage of the book takes it.
  ///
  /// What a turn past the end does depends on those before it, which the other stage does not know.
  fileprivate func carried(_ input: Input, at time: Double, settles: Bool) -> Input {
    guard openBook != nil else { return input }
    switch input {
    case .key(.escape), .wheel(_, _, true): return input
    case .pan, .key, .tap, .wheel:
      return .close(onBack: applied(input, at: time, settles: settles).closesOnBack)
    default: return input
    }
  }

  /// Returns the stage after an input.
  private func applied(_ input: Input, at time: Double, settles: Bool) -> Stage {
    var probe = self
    if settles { probe.apply(.settle, at: time) }
    probe.apply(input, at: time)
    return probe
  }

  /// Releases what a finger holds.
  mutating func abandonGesture(at time: Double) {
    guard isDriven else { return }
    for input in Input.cancellations { apply(input, at: time) }
  }
}

extension Input {
  /// The inputs that release whatever fingers hold.
  static let cancellations: [Input] = [
    .pan(.cancelled, Point(x: 0, y: 0)), .pinch(.cancelled, scale: 1, Point(x: 0, y: 0)),
  ]
}

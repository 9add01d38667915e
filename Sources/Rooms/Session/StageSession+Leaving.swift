internal import Fabric
internal import Motion
internal import Scene
internal import Staging
internal import Wire

/// A session that stays in its book, and one that may leave it.
extension StageSession {
  /// Whether an input would take the stage out of its book.
  func leaves(_ input: Input, at time: Double) -> Bool {
    switch input {
    case .images: return false
    case .go(let book, let opens, _): return !opens || book != stage.openBook
    case .key(.escape), .pinch, .wheel(_, _, true): break
    // The start and the middle of a pull past the end only pull.
    case .pan(.ended, _), .key, .tap, .wheel:
      guard stage.mayCloseAtEnd else { return stage.openBook == nil }
    default: return stage.openBook == nil
    }
    return !applied(input, at: time).staysOpen
  }

  /// Returns the stage after an input.
  private func applied(_ input: Input, at time: Double) -> Stage {
    var probe = stage
    let time = max(time, lastInputTime)
    if settlesBeforeInput(at: time) { probe.apply(.settle, at: time) }
    probe.apply(input, at: time)
    return probe
  }

  /// Returns an input that leaves the book as another stage of the book takes it.
  ///
  /// What a turn past the end does depends on those before it, which the other stage does not know.
  func carried(_ input: Input, at time: Double) -> Input {
    guard stage.openBook != nil else { return input }
    switch input {
    case .key(.escape), .wheel(_, _, true): return input
    case .pan, .key, .tap, .wheel: return .close(onBack: applied(input, at: time).closesOnBack)
    default: return input
    }
  }

  /// Releases what a member holds while its fingers stay down; the stage no longer waits for the
  /// images of that member.
  mutating func letGo(of id: MemberID, in turn: inout Turn) {
    guard holder == id else { return }
    var inputs: [Input] = []
    if stage.isDriven {
      inputs = [
        .pan(.cancelled, Point(x: 0, y: 0)), .pinch(.cancelled, scale: 1, Point(x: 0, y: 0)),
      ]
    }
    if stage.awaitedImages != nil { inputs.append(.images(ready: nil)) }
    for input in inputs { go(input, in: &turn) }
  }

  /// Applies an input that does not come from a member.
  mutating func go(_ input: Input, in turn: inout Turn) {
    let changed = apply(input, at: max(turn.now, lastInputTime), in: &turn)
    answer(changed: changed, target: turn.now, in: &turn)
  }

  /// Extends the session from its book to more of the library; gestures of fingers that are down
  /// continue.
  mutating func widen(to library: ShownLibrary, in turn: inout Turn) {
    control.keepsBook = false
    exchange(library: library, keepsFingers: true, in: &turn)
  }
}

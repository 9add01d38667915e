internal import Scene
internal import Staging
internal import Wire

/// A library that changes while it is shown, and the order that the members choose.
extension StageSession {
  /// Stores another state of the library; it is shown when the stage rests.
  /// - Parameters:
  ///   - library: The current state of the library.
  ///   - isReadingAlone: Whether the books differ only in when they were last read; they then keep
  ///     their order while members look at them.
  ///   - turn: The time, and what is to be done.
  mutating func replace(library: ShownLibrary, isReadingAlone: Bool, in turn: inout Turn) {
    let waits = !isReadingAlone && !isPlayback
    guard selection.replace(library, waits: waits, at: turn.now) else { return }
    refreshLibrary(in: &turn)
  }

  /// Stores another library and shows it at once, whatever moves.
  /// - Parameters:
  ///   - library: The library to show.
  ///   - keepsFingers: Whether fingers that are down keep what they hold.
  ///   - turn: The time, and what is to be done.
  mutating func exchange(library: ShownLibrary, keepsFingers: Bool = false, in turn: inout Turn) {
    selection.exchange(library)
    guard !isPlayback else { return }
    show(library, keepsFingers: keepsFingers, in: &turn)
  }

  /// Stores another order or filter; it is shown when the stage rests.
  mutating func arrange(_ arrangement: Arrangement, in turn: inout Turn) {
    guard selection.arrange(arrangement, at: turn.now) else { return }
    refreshLibrary(in: &turn)
  }

  /// Stores a library that was arranged on request, and shows it when the stage rests.
  mutating func take(
    _ library: ShownLibrary,
    for request: ArrangementRequest,
    in turn: inout Turn
  ) {
    guard selection.take(library, for: request) else { return }
    refreshLibrary(in: &turn)
  }

  /// Performs the next step for the library that waits to be shown.
  /// - Returns: Whether it was shown, or an open book closes for it.
  @discardableResult
  mutating func refreshLibrary(in turn: inout Turn) -> Bool {
    guard selection.isWaiting, !isPlayback else { return false }
    let step = selection.step(
      at: turn.now,
      over: stage,
      rests: stage.isSettled(at: turn.now) && stream.time <= turn.now,
      isTouched: members.contains { $0.view.isTouched }
    )
    switch step {
    case .wait: return false
    case .ask(let request):
      turn.effects.list.append(.arrange(request, for: stream.id))
      return false
    case .closeBook(let next), .show(let next):
      // The book closes one step at a time; the library is shown when the stage rests again.
      if case .closeBook = step, apply(.key(.escape), at: turn.now, in: &turn) {
        answer(changed: true, target: turn.now, in: &turn)
        return true
      }
      selection.endWait(at: turn.now)
      show(next, in: &turn)
    }
    return true
  }

  /// Lets all that refers to the stage begin again, because another stage or library replaces it.
  mutating func changeStage(keepsFingers: Bool = false, in turn: inout Turn) {
    refreshElements(in: &turn)
    control.release()
    images.tellAnew()
    watchers.restart(at: stage.spread, keepsFingers: keepsFingers)
  }

  private mutating func show(
    _ next: ShownLibrary,
    keepsFingers: Bool = false,
    in turn: inout Turn
  ) {
    let before = selection.shown
    let isOther = selection.show(next)
    if isOther {
      turn.effects.list.append(.release(before))
      lastInputTime = max(lastInputTime, turn.now)
      stage.replace(library: next.layout, at: lastInputTime)
      if notes {
        turn.effects.list.append(.noteLibrary(next.layout.outline, room: room, time: lastInputTime))
      }
      changeStage(keepsFingers: keepsFingers, in: &turn)
    }
    captions.outdate()
    updateCaption(at: turn.now, in: &turn)
    if stream.isStarted {
      updateZooms(in: &turn)
      if isOther {
        emit(at: max(turn.now, lastInputTime), in: &turn)
        retireMissing(in: &turn)
        introduceUpcoming(at: turn.now, in: &turn)
      }
    } else {
      stream.frame = stage.frame(at: turn.now)
    }
    scheduleWake(now: turn.now)
  }
}

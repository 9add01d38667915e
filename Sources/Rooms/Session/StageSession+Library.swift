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
  ///   - now: The current time, in seconds.
  ///   - effects: Receives the messages to send.
  mutating func replace(
    library: ShownLibrary,
    isReadingAlone: Bool,
    now: Double,
    into effects: inout Effects
  ) {
    let waits = !isReadingAlone && !isPlayback
    guard selection.replace(library, waits: waits, at: now) else { return }
    refreshLibrary(now: now, into: &effects)
  }

  /// Stores another library and shows it at once, whatever moves.
  /// - Parameters:
  ///   - library: The library to show.
  ///   - keepsFingers: Whether fingers that are down keep what they hold.
  ///   - now: The current time, in seconds.
  ///   - effects: Receives the messages to send.
  mutating func exchange(
    library: ShownLibrary,
    keepsFingers: Bool = false,
    now: Double,
    into effects: inout Effects
  ) {
    selection.exchange(library)
    guard !isPlayback else { return }
    show(library, keepsFingers: keepsFingers, now: now, into: &effects)
  }

  /// Stores another order or filter; it is shown when the stage rests.
  mutating func arrange(_ arrangement: Arrangement, now: Double, into effects: inout Effects) {
    guard selection.arrange(arrangement, at: now) else { return }
    refreshLibrary(now: now, into: &effects)
  }

  /// Stores a library that was arranged on request, and shows it when the stage rests.
  mutating func take(
    _ library: ShownLibrary,
    for request: ArrangementRequest,
    now: Double,
    into effects: inout Effects
  ) {
    guard selection.take(library, for: request) else { return }
    refreshLibrary(now: now, into: &effects)
  }

  /// Performs the next step for the library that waits to be shown.
  /// - Returns: Whether it was shown, or an open book closes for it.
  @discardableResult
  mutating func refreshLibrary(now: Double, into effects: inout Effects) -> Bool {
    guard selection.isWaiting, !isPlayback else { return false }
    let step = selection.step(
      at: now,
      over: stage,
      rests: stage.isSettled(at: now) && stream.time <= now,
      isTouched: members.contains { $0.view.isTouched }
    )
    switch step {
    case .wait: return false
    case .ask(let request):
      effects.list.append(.arrange(request, for: stream.id))
      return false
    case .closeBook(let next):
      // The book closes one step at a time; the library is shown when the stage rests again.
      if apply(.key(.escape), at: now, into: &effects) {
        answer(changed: true, target: now, now: now, into: &effects)
        return true
      }
      selection.endWait(at: now)
      show(next, now: now, into: &effects)
    case .show(let next):
      selection.endWait(at: now)
      show(next, now: now, into: &effects)
    }
    return true
  }

  private mutating func show(
    _ next: ShownLibrary,
    keepsFingers: Bool = false,
    now: Double,
    into effects: inout Effects
  ) {
    let before = selection.shown
    let isOther = selection.show(next)
    if isOther {
      effects.list.append(.release(before))
      lastInputTime = max(lastInputTime, now)
      stage.replace(library: next.layout, at: lastInputTime)
      if notes {
        effects.list.append(.noteLibrary(next.layout.outline, room: room, time: lastInputTime))
      }
      refreshElements(into: &effects)
      control.release()
      images.tellAnew()
      for index in members.indices where !keepsFingers {
        // What the fingers held is gone; they count again after they have been lifted.
        watchers[index].view.dropHeld()
      }
      followed.spread = stage.spread
      followed.cue = nil
    }
    captions.outdate()
    if stream.isStarted {
      updateCaption(at: now, into: &effects)
      updateZooms(at: now, into: &effects)
      if isOther {
        emit(at: max(now, lastInputTime), now: now, into: &effects)
        retireMissing(into: &effects)
        introduceUpcoming(at: now, into: &effects)
      }
    } else {
      updateCaption(at: now, into: &effects)
      stream.frame = stage.frame(at: now)
    }
    scheduleWake(now: now)
  }
}

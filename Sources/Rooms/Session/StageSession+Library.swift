internal import Scene
internal import Staging
internal import Wire

/// A library that changes while it is shown, and the order that the members want it in.
extension StageSession {
  /// Takes another state of the library; it is shown when the stage rests.
  /// - Parameters:
  ///   - library: The library as it is now.
  ///   - isReadingAlone: Whether books differ in nothing but when they were read last; they then
  ///     stay in their order while members look at them.
  ///   - now: When, in seconds.
  ///   - effects: Takes what is to be sent.
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

  /// Takes another state of the library and shows it at once, whatever moves.
  /// - Parameters:
  ///   - library: The library as it is now.
  ///   - keepsFingers: Whether fingers that are down go on with what they hold.
  ///   - now: When, in seconds.
  ///   - effects: Takes what is to be sent.
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

  /// Takes another order or filter; it is shown when the stage rests.
  mutating func arrange(_ arrangement: Arrangement, now: Double, into effects: inout Effects) {
    guard selection.arrange(arrangement, at: now) else { return }
    refreshLibrary(now: now, into: &effects)
  }

  /// Takes a library that was arranged as it was asked for, and shows it when the stage rests.
  mutating func take(
    _ library: ShownLibrary,
    for request: ArrangementRequest,
    now: Double,
    into effects: inout Effects
  ) {
    guard selection.take(library, for: request) else { return }
    refreshLibrary(now: now, into: &effects)
  }

  /// Does what the library that waits to be shown needs next.
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
      // The book closes a step at a time, and the library is shown when it rests again.
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
        // What fingers held is no longer there; they count again when they have been lifted.
        members[index].view.dropHeld()
      }
      zoomSpread = stage.spread
    }
    captions.key = nil
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

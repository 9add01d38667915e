internal import Rooms
internal import Synchronization

/// Arranges libraries for rooms, one at a time, away from the service thread.
///
/// A stage that asks again before its turn has come replaces what it asked before, so what waits is
/// bounded by the number of stages.
final class Arranger: Sendable {
  /// Which stage of which room asks: a member's own, or the room's.
  struct Stage: Hashable {
    var room: String
    var reader: MemberID?
  }

  private struct State {
    var waiting: [Stage: ArrangementRequest] = [:]
    /// In the order in which they asked.
    var order: [Stage] = []
    var isBusy = false
  }

  private let state = Mutex(State())
  private let worker = WorkerPool(width: 1)

  /// Arranges a library for a stage.
  /// - Parameters:
  ///   - request: What is to be arranged.
  ///   - stage: The stage that asks.
  ///   - answer: Takes the result, on the worker's thread.
  func arrange(
    _ request: ArrangementRequest,
    for stage: Stage,
    answer: @escaping @Sendable (Stage, ArrangementRequest, ShownLibrary) -> Void
  ) {
    let begins = state.withLock { state in
      if state.waiting.updateValue(request, forKey: stage) == nil { state.order.append(stage) }
      defer { state.isBusy = true }
      return !state.isBusy
    }
    if begins { worker.run { self.work(answer) } }
  }

  private func work(_ answer: (Stage, ArrangementRequest, ShownLibrary) -> Void) {
    while let (stage, request) = next() { answer(stage, request, request.arranged()) }
  }

  private func next() -> (Stage, ArrangementRequest)? {
    state.withLock { state in
      guard !state.order.isEmpty else {
        state.isBusy = false
        return nil
      }
      let stage = state.order.removeFirst()
      return state.waiting.removeValue(forKey: stage).map { (stage, $0) }
    }
  }
}

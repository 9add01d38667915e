internal import Fabric
internal import Rooms
internal import Synchronization

/// Arranges libraries for rooms, one at a time, off the service thread.
///
/// A new request of a stage replaces its pending one, so the queue is no longer than the number of
/// stages.
final class Arranger: Sendable {
  private struct State {
    var waiting: [StreamID: ArrangementRequest] = [:]
    /// The stages with a pending request, in the order of their first requests.
    var order: [StreamID] = []
    var isBusy = false
  }

  private let state = Mutex(State())
  private let worker = WorkerPool(width: 1)

  /// Arranges a library for a stage.
  /// - Parameters:
  ///   - request: The arrangement to make.
  ///   - stream: The stream of the stage that requests it.
  ///   - answer: Called with the result on the worker's thread.
  func arrange(
    _ request: ArrangementRequest,
    for stream: StreamID,
    answer: @escaping @Sendable (StreamID, ArrangementRequest, ShownLibrary) -> Void
  ) {
    let begins = state.withLock { state in
      if state.waiting.updateValue(request, forKey: stream) == nil { state.order.append(stream) }
      defer { state.isBusy = true }
      return !state.isBusy
    }
    if begins { worker.run { self.work(answer) } }
  }

  private func work(_ answer: (StreamID, ArrangementRequest, ShownLibrary) -> Void) {
    while let (stream, request) = next() { answer(stream, request, request.arranged()) }
  }

  private func next() -> (StreamID, ArrangementRequest)? {
    state.withLock { state in
      guard !state.order.isEmpty else {
        state.isBusy = false
        return nil
      }
      let stream = state.order.removeFirst()
      return state.waiting.removeValue(forKey: stream).map { (stream, $0) }
    }
  }
}

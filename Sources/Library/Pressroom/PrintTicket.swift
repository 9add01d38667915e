internal import PressProtocol
internal import Synchronization

/// A request that waits for its answer and can be cancelled, from any thread.
///
/// It is answered at most once. A ticket that is released cancels nothing.
public final class PrintTicket: Sendable {
  typealias Completion = @Sendable (Result<PressReply, PressFault>) -> Void

  private struct State {
    var isOpen = true
    var completion: Completion?
    /// The pressroom that the request was sent to; nil before.
    var inbox: PressroomInbox?
  }

  /// Its place in the schedule.
  let waiter: Waiter
  /// Takes the parts of a long answer.
  let parts: AssetChannel?
  private let state = Mutex(State())
  private static let lastID = Atomic<UInt64>(0)

  init(
    _ priority: PrintPriority = .background,
    for requester: Requester = .library,
    parts: AssetChannel? = nil
  ) {
    let id = Self.lastID.add(1, ordering: .relaxed).newValue
    waiter = Waiter(id: id, requester: requester, priority: priority)
    self.parts = parts
  }

  /// Cancels the request: unless the answer is being given at this moment, it will not come.
  ///
  /// Does nothing once it is answered.
  public func cancel() {
    let inbox = state.withLock { state -> PressroomInbox? in
      defer { (state.isOpen, state.completion) = (false, nil) }
      return state.isOpen ? state.inbox : nil
    }
    inbox?.post(.cancel(waiter.id))
  }

  /// Ends the wait.
  /// - Returns: Whether an answer is still wanted.
  func close() -> Bool {
    state.withLock { state in
      defer { (state.isOpen, state.completion) = (false, nil) }
      return state.isOpen
    }
  }

  /// Whether an answer is still wanted.
  var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Sends work to a pressroom, unless the ticket is closed.
  /// - Parameters:
  ///   - work: What is wanted.
  ///   - inbox: The pressroom's.
  ///   - completion: Hears the answer of the press, unless the ticket is closed by then. Called on
  ///     the pressroom's thread, which must not wait.
  func send(_ work: PressWork, to inbox: PressroomInbox, completion: @escaping Completion) {
    let isRejected = state.withLock { state in
      guard state.isOpen else { return false }
      (state.completion, state.inbox) = (completion, inbox)
      // Under the lock, so that a cancellation cannot overtake it.
      return !inbox.post(.ask(work, self))
    }
    if isRejected { answer(.failure(.closing)) }
  }

  /// Hands on the answer of the press, unless the ticket is closed.
  func answer(_ answer: Result<PressReply, PressFault>) {
    let completion = state.withLock { state in
      defer { (state.completion, state.inbox) = (nil, nil) }
      return state.completion
    }
    completion?(answer)
  }
}

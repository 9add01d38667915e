internal import PressProtocol
internal import Synchronization

/// A pending request that can be cancelled, from any thread.
///
/// It is answered at most once. Releasing a ticket does not cancel its request.
package final class PrintTicket: Sendable {
  typealias Completion = @Sendable (Result<PressReply, PressFault>) -> Void

  private struct State {
    var isOpen = true
    var completion: Completion?
    /// The inbox of the pressroom that received the request; nil before.
    var inbox: PressroomInbox?
  }

  /// The entry in the schedule.
  let waiter: Waiter
  /// Receives the parts of a long answer.
  let parts: AssetChannel?
  private let state = Mutex(State())
  private static let lastID = Atomic<UInt64>(0)

  /// Creates a ticket for a request of a reader or of the library.
  package convenience init(
    _ priority: PrintPriority = .background,
    for requester: Requester = .library
  ) { self.init(priority, for: requester, parts: nil) }

  init(_ priority: PrintPriority = .background, for requester: Requester, parts: AssetChannel?) {
    let id = Self.lastID.add(1, ordering: .relaxed).newValue
    waiter = Waiter(id: id, requester: requester, priority: priority)
    self.parts = parts
  }

  /// Cancels the request.
  ///
  /// The completion is not called, unless it is already running. Does nothing once the request is
  /// answered.
  package func cancel() {
    let inbox = state.withLock { state -> PressroomInbox? in
      defer { (state.isOpen, state.completion) = (false, nil) }
      return state.isOpen ? state.inbox : nil
    }
    inbox?.post(.cancel(waiter.id))
  }

  /// Closes the ticket.
  /// - Returns: Whether an answer was still expected.
  package func close() -> Bool {
    state.withLock { state in
      defer { (state.isOpen, state.completion) = (false, nil) }
      return state.isOpen
    }
  }

  /// Whether an answer is still expected.
  package var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Sends work to a pressroom, unless the ticket is closed.
  /// - Parameters:
  ///   - work: The requested work.
  ///   - inbox: The inbox of the pressroom.
  ///   - completion: Called with the answer of the press, unless the ticket is closed by then, on
  ///     the pressroom's thread, which must not block.
  func send(_ work: PressWork, to inbox: PressroomInbox, completion: @escaping Completion) {
    let isRejected = state.withLock { state in
      guard state.isOpen else { return false }
      (state.completion, state.inbox) = (completion, inbox)
      // Under the lock, so that a cancellation cannot overtake it.
      return !inbox.post(.ask(work, self))
    }
    if isRejected { answer(.failure(.closing)) }
  }

  /// Forwards the answer of the press to the completion, unless the ticket is closed.
  func answer(_ answer: Result<PressReply, PressFault>) {
    let completion = state.withLock { state in
      defer { (state.completion, state.inbox) = (nil, nil) }
      return state.completion
    }
    completion?(answer)
  }
}

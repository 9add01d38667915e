internal import CSpawn
internal import Glibc
internal import PressProtocol
internal import Synchronization

/// Somebody who waits for an answer, and hears it once or, having left, never.
final class Asker: Sendable {
  typealias Completion = @Sendable (Result<PressReply, PressFault>) -> Void

  let id: UInt64
  /// Whom the answer is for.
  let requester: Requester
  /// Takes the parts of a long answer.
  let parts: AssetChannel?
  /// Whether the answer may be given on the pressroom's thread, because it takes no time.
  let isQuick: Bool
  private let completion: Mutex<Completion?>

  init(
    id: UInt64,
    requester: Requester = .library,
    parts: AssetChannel? = nil,
    isQuick: Bool = false,
    completion: @escaping Completion
  ) {
    self.id = id
    self.requester = requester
    self.parts = parts
    self.isQuick = isQuick
    self.completion = Mutex(completion)
  }

  /// Gives the answer, unless it was given or is no longer wanted.
  func answer(_ answer: Result<PressReply, PressFault>) {
    take()?(answer)
  }

  /// Wants no answer any more.
  /// - Returns: Whether it had none yet.
  func leave() -> Bool { take() != nil }

  private func take() -> Completion? {
    completion.withLock { completion in
      defer { completion = nil }
      return completion
    }
  }
}

/// What other threads tell the pressroom's.
enum PressroomMessage: Sendable {
  case ask(PressWork, PrintPriority, Asker)
  case cancel(UInt64)
  /// The file of an image that a press waits for.
  case loaded(UInt64, Result<[UInt8], PressFault>)
  /// An asset was taken out of an asker's channel.
  case taken(UInt64)
  case release(PressSource)
  case stop
}

/// Messages to the pressroom's thread, and the pipe that wakes it.
final class PressroomInbox: Sendable {
  private struct State: Sendable {
    var messages: [PressroomMessage] = []
    var isOpen = true
  }

  /// Becomes readable when messages have come.
  let wakeEnd: Int32
  private let writeEnd: Int32
  private let state = Mutex(State())
  private let lastAsker = Atomic<UInt64>(0)

  init() throws(SpawnFailure) {
    let pipe = try PressProcess.makePipe()
    wakeEnd = pipe[0]
    writeEnd = pipe[1]
    for end in pipe { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  deinit {
    if state.withLock({ $0.isOpen }) { closePipe() }
  }

  /// A number that no other asker has.
  func newAsker() -> UInt64 { lastAsker.add(1, ordering: .relaxed).newValue }

  /// Leaves a message.
  /// - Returns: `false` if nobody will ever read it.
  @discardableResult func post(_ message: PressroomMessage) -> Bool {
    state.withLock { state in
      guard state.isOpen else { return false }
      state.messages.append(message)
      if state.messages.count == 1 {
        var byte: UInt8 = 0
        // Does not block: a full pipe wakes the thread as well.
        _ = write(writeEnd, &byte, 1)
      }
      return true
    }
  }

  /// Takes all messages; called by the pressroom's thread.
  func take() -> [PressroomMessage] {
    var bytes: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
    while read(wakeEnd, &bytes, bytes.count) == bytes.count {}
    return state.withLock { state in
      defer { state.messages = [] }
      return state.messages
    }
  }

  /// Takes the last messages and closes the pipe; from now on none is accepted.
  func close() -> [PressroomMessage] {
    state.withLock { state in
      state.isOpen = false
      closePipe()
      defer { state.messages = [] }
      return state.messages
    }
  }

  private func closePipe() {
    for end in [wakeEnd, writeEnd] { _ = Glibc.close(end) }
  }
}

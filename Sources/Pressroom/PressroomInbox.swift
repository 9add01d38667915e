internal import CSpawn
internal import Glibc
internal import PressProtocol
internal import Synchronization

/// A message to the pressroom's thread.
enum PressroomMessage: Sendable {
  case ask(PressWork, PrintTicket)
  case cancel(UInt64)
  /// The file of an image that a press waits for was loaded.
  case loaded(UInt64, Result<[UInt8], PressFault>)
  /// An asset was taken from the channel of the ticket with this number.
  case accepted(UInt64)
  case release(PressSource)
  case stop
}

/// The messages to the pressroom's thread, and the pipe that wakes it.
final class PressroomInbox: Sendable {
  private struct State: Sendable {
    var messages: [PressroomMessage] = []
    var isOpen = true
  }

  /// Becomes readable when there are messages.
  let wakeEnd: Int32
  private let writeEnd: Int32
  private let state = Mutex(State())

  init() throws(SpawnFailure) {
    let pipe = try PressProcess.makePipe()
    wakeEnd = pipe[0]
    writeEnd = pipe[1]
    for end in pipe { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  deinit {
    if state.withLock({ $0.isOpen }) { closePipe() }
  }

  /// Posts a message.
  /// - Returns: `false` if the thread has ended and no longer reads messages.
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

  /// Removes all messages; called by the pressroom's thread.
  func drain() -> [PressroomMessage] {
    var bytes: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
    while read(wakeEnd, &bytes, bytes.count) == bytes.count {}
    return state.withLock { state in
      defer { state.messages = [] }
      return state.messages
    }
  }

  /// Removes the last messages and closes the inbox, which then rejects further messages.
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

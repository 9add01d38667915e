internal import Synchronization
internal import WebServer

/// Carries the news that a room's recording has ended by itself from the recorders' thread to the
/// service thread.
final class RecordingNotifier: Sendable {
  private typealias Listener = (mailbox: Mailbox, application: OnServiceThread<ReadingApplication>)

  private let listener = Mutex<Listener?>(nil)

  /// A recording has ended, as any thread may say; nobody can record before ``follow(_:_:)``.
  func announce(room: String, reason: String) {
    guard let (mailbox, application) = listener.withLock({ $0 }) else { return }
    mailbox.perform { _ in application.value?.recordingEnded(room: room, reason: reason) }
  }

  /// Tells an application from now on.
  func follow(_ mailbox: Mailbox, _ application: ReadingApplication) {
    let application = OnServiceThread(application)
    listener.withLock { $0 = (mailbox, application) }
  }
}

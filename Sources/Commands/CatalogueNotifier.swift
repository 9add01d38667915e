internal import Synchronization
internal import WebServer

/// Carries the news that the library's catalogue is another from its threads to the service thread.
final class CatalogueNotifier: Sendable {
  private struct State {
    var mailbox: Mailbox?
    var application: OnServiceThread<ReadingApplication>?
    var hasNews = false
  }

  private let state = Mutex(State())

  /// The catalogue is another, as any thread may say.
  func announce() {
    let (mailbox, application) = state.withLock { state in
      // Of news that nobody has heard yet there needs to be one only.
      let isFirst = !state.hasNews
      state.hasNews = true
      return isFirst ? (state.mailbox, state.application) : (nil, nil)
    }
    mailbox?.perform { self.tell(application) }
  }

  /// Tells an application from now on, and at once if there was news already.
  func follow(_ mailbox: Mailbox, _ application: ReadingApplication) {
    let application = OnServiceThread(application)
    state.withLock { state in
      state.mailbox = mailbox
      state.application = application
    }
    mailbox.perform { self.tell(application) }
  }

  private func tell(_ application: OnServiceThread<ReadingApplication>?) {
    state.withLock { $0.hasNews = false }
    application?.value?.libraryChanged()
  }
}

/// A reference that any thread may hold and only the service thread follows.
struct OnServiceThread<Value: AnyObject>: @unchecked Sendable {
  private(set) weak var value: Value?

  init(_ value: Value) { self.value = value }
}

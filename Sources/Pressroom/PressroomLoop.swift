internal import CSpawn
internal import Dispatch
internal import Glibc
internal import PressProtocol
internal import Telemetry

/// The pressroom's thread, which connects the schedule, the processes and the tickets.
final class PressroomLoop {
  struct Options: Sendable {
    var press: String
    var arguments: [String]
    /// A folder in which symbolic links are not followed.
    var ownFolder: String?
    var limits: ScheduleLimits
    var log: Log
  }

  /// A press that the schedule knows.
  struct WorkerState {
    let process: PressProcess
    /// The task it was sent; `nil` while it opens its document or is idle.
    var task: PressTask?
    var isOpening = false
    /// Whether it is being killed, or has ended but was not reaped.
    var isLeaving = false
    /// Whether the schedule requested its end.
    var isDismissed = false
    /// The effort of the encoder, for an image whose file is still being read.
    var effort = Effort.onDemand
    /// The progress of an extraction.
    var extraction: Extraction?
    /// The size of the document in bytes.
    var fileBytes = 0
    /// The fault for which it is killed, if it exceeded a limit.
    var verdict: PressFault?
    /// The reason for killing it, for the log.
    var cause: String?

    var isPaused: Bool { extraction?.isPaused == true }
  }

  let options: Options
  let inbox: PressroomInbox
  private let files = DispatchQueue(label: "pressroom files", attributes: .concurrent)
  var schedule: PressSchedule<PressReply>
  var workers: [UInt64: WorkerState] = [:]
  /// The waiting tickets, by the numbers of their waiters.
  private var tickets: [UInt64: PrintTicket] = [:]
  /// How long to sleep before checking again whether a killed press has ended, in seconds.
  private var reapingPause = 0.001

  init(_ options: Options, inbox: PressroomInbox) {
    (self.options, self.inbox) = (options, inbox)
    schedule = PressSchedule(limits: options.limits)
  }

  /// The time of the schedule, in seconds of the monotonic clock.
  var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Runs until it is stopped and every press has ended.
  func run() {
    // Writing to a press that has ended causes EPIPE. The mask applies to this thread only; presses
    // start without it.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    while true {
      for message in inbox.drain() { handle(message) }
      schedule.advance(to: now)
      carryOut()
      reap()
      if schedule.isStopped, workers.isEmpty { break }
      poll()
    }
    // Messages posted in the meantime are answered like any message after a stop.
    for message in inbox.close() { handle(message) }
    carryOut()
  }

  private func handle(_ message: PressroomMessage) {
    switch message {
    case .ask(let work, let ticket):
      tickets[ticket.waiter.id] = ticket
      schedule.ask(work, for: ticket.waiter, at: now)
    case .cancel(let waiter):
      tickets[waiter] = nil
      schedule.cancel(waiter, at: now)
    case .loaded(let press, let file): send(file, to: press)
    case .accepted(let waiter): assetWasAccepted(by: waiter)
    case .release(let source): schedule.release(source)
    case .stop: schedule.stop()
    }
    carryOut()
  }

  /// Carries out the effects of the schedule, including its reactions to the results.
  func carryOut() {
    while let effect = schedule.nextEffect() {
      switch effect {
      case .spawn(let press, let source): start(press, source)
      case .send(let task, let priority, let press): send(task, priority, to: press)
      case .kill(let press): dismiss(press)
      case .answer(let waiter, let answer): tickets.removeValue(forKey: waiter)?.answer(answer)
      }
    }
  }

  /// Forwards an image to the ticket of the extraction.
  func deliver(_ asset: Asset, of extraction: UInt64) {
    tickets[extraction]?.parts?.put(.asset(asset))
  }

  private func assetWasAccepted(by waiter: UInt64) {
    guard let id = workers.first(where: { $0.value.task?.extraction == waiter })?.key,
      let worker = workers[id]
    else { return }
    workers[id]?.extraction?.wasAccepted()
    guard worker.isPaused, workers[id]?.isPaused == false else { return }
    schedule.resumed(id, at: now)
    // More complete replies may have arrived before the pause.
    readReplies(id)
  }

  /// Reads an image file in the background and posts the result.
  func load(_ path: String, for press: UInt64) {
    let isOwn = options.ownFolder.map { path.hasPrefix($0 + "/") } ?? false
    let limit = options.limits.press.archive.entryBytes
    files.async { [inbox] in
      let result = Result { () throws(PressFault) in
        try OpenFile(path, followsLink: !isOwn).contents(limit: limit)
      }
      inbox.post(.loaded(press, result))
    }
  }

  // MARK: - Waiting

  private func poll() {
    var polled = [pollfd(fd: inbox.wakeEnd, events: Int16(POLLIN), revents: 0)]
    var owners: [(press: UInt64, isErrors: Bool)] = []
    for (id, worker) in workers where !worker.isLeaving {
      let reading: Int32 = worker.isPaused ? 0 : POLLIN
      if worker.process.output >= 0, reading != 0 {
        polled.append(pollfd(fd: worker.process.output, events: Int16(reading), revents: 0))
        owners.append((id, false))
      }
      if worker.process.hasUnsent, worker.process.input >= 0 {
        polled.append(pollfd(fd: worker.process.input, events: Int16(POLLOUT), revents: 0))
        owners.append((id, false))
      }
      if worker.process.errors >= 0 {
        polled.append(pollfd(fd: worker.process.errors, events: Int16(POLLIN), revents: 0))
        owners.append((id, true))
      }
    }
    guard Glibc.poll(&polled, nfds_t(polled.count), timeout()) > 0 else { return }
    var ready: Set<UInt64> = []
    for (entry, owner) in zip(polled.dropFirst(), owners) where entry.revents != 0 {
      if owner.isErrors {
        handle(owner.press)
      } else {
        ready.insert(owner.press)
      }
    }
    for press in ready.sorted() { attend(to: press) }
    carryOut()
  }

  /// Returns how long to wait for events, in whole milliseconds; -1 means forever.
  private func timeout() -> Int32 {
    let now = now
    var seconds = schedule.nextDue(after: now).map { $0 - now } ?? .infinity
    if workers.values.contains(where: \.isLeaving) {
      seconds = min(seconds, reapingPause)
      reapingPause = min(0.064, reapingPause * 2)
    } else {
      reapingPause = 0.001
    }
    // Rounded up, because waking too early would only mean waking twice.
    return seconds.isFinite ? Int32((min(seconds, 3600) * 1000).rounded(.up)) : -1
  }

  // MARK: Log events

  /// Logs the end of a press, unless the schedule requested it.
  func reportEnd(
    of id: UInt64,
    _ worker: WorkerState,
    _ ending: PressProcess.Ending,
    _ fault: PressFault
  ) {
    var cause = worker.cause
    if worker.isDismissed {
      guard schedule.presses[id]?.isOverdue == true else { return }
      cause = "it took too long"
    }
    // The diagnostics may contain text from the document.
    let words = String(decoding: worker.process.diagnostics, as: UTF8.self)
    options.log.warning(
      cause == nil ? .pressCrashed : .pressKilled,
      cause == nil ? "A press ended unexpectedly." : "A press was killed.",
      [
        "file": .text(file(of: id, worker)), "pid": .count(Int(worker.process.pid)),
        "page": worker.task?.pageNumber.map { .count($0 &+ 1) },
        "cause": .text(cause ?? "\(ending)"), "fault": .text("\(fault)"),
        "said": words.isEmpty ? nil : .text(PressText.line(words, PressText.reason)),
      ]
    )
  }

  /// Logs a reply which says that the press could not confine itself.
  func reportConfinement(_ reply: PressReply, from id: UInt64, _ worker: WorkerState) {
    guard case .fault(.unconfined(let call)) = reply else { return }
    options.log.error(
      .pressUnconfined,
      "A press could not confine itself, and no document can be opened. The kernel must allow "
        + "Landlock and seccomp for this user.",
      ["call": .text(call), "pid": .count(Int(worker.process.pid))],
      collapsing: "press.unconfined"
    )
  }

  /// Returns the name of the document or the image that a press has open.
  private func file(of id: UInt64, _ worker: WorkerState) -> String {
    var path = ""
    if case .document(let document, _, _) = schedule.presses[id]?.source {
      path = document
    } else if case .image(let image, _, _) = worker.task {
      path = image
    }
    return path.split(separator: "/").last.map(String.init) ?? ""
  }
}

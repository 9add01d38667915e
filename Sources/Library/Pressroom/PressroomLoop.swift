internal import CSpawn
internal import Dispatch
internal import Glibc
internal import PressProtocol
internal import Telemetry

/// The pressroom's thread: joins the schedule, the processes and the tickets.
final class PressroomLoop {
  struct Options: Sendable {
    var press: String
    var arguments: [String]
    /// In here no symbolic link is followed.
    var ownFolder: String?
    var limits: ScheduleLimits
    var log: Log
  }

  /// A press that the schedule knows.
  struct WorkerState {
    let process: PressProcess
    /// What it was sent; `nil` while it opens its document or has nothing to do.
    var task: PressTask?
    var isOpening = false
    /// Whether it is being ended, or has ended and was not reaped.
    var isLeaving = false
    /// Whether the schedule wanted it to end.
    var isDismissed = false
    /// How much time the encoder may take, for an image whose file is still being read.
    var effort = Effort.onDemand
    /// What an extraction has brought so far.
    var extraction: Extraction?
    /// The bytes of the document.
    var fileBytes = 0
    /// Why it is ended, if it went beyond a bound.
    var verdict: PressFault?
    /// Why it is ended, for the log.
    var cause: String?

    var isPaused: Bool { extraction?.isPaused == true }
  }

  let options: Options
  let inbox: PressroomInbox
  private let files = DispatchQueue(label: "pressroom files", attributes: .concurrent)
  var schedule: PressSchedule<PressReply>
  var workers: [UInt64: WorkerState] = [:]
  /// The tickets that wait, by the numbers of their waiters.
  private var tickets: [UInt64: PrintTicket] = [:]
  /// How long to sleep before looking again whether a press that was ended is gone; seconds.
  private var reapingPause = 0.001

  init(_ options: Options, inbox: PressroomInbox) {
    self.options = options
    self.inbox = inbox
    schedule = PressSchedule(limits: options.limits)
  }

  /// The time of the schedule: seconds of the monotonic clock.
  var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Runs until somebody has it stop and every press is gone.
  func run() {
    // A press that is gone shows by EPIPE. The mask is this thread's alone; presses get none.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    while true {
      for message in inbox.take() { handle(message) }
      schedule.advance(to: now)
      carryOut()
      reap()
      if schedule.isStopped, workers.isEmpty { break }
      poll()
    }
    // What was posted meanwhile is answered as everything is after a stop.
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
    case .taken(let waiter): assetWasTaken(by: waiter)
    case .release(let source): schedule.release(source)
    case .stop: schedule.stop()
    }
    carryOut()
  }

  /// Carries out what the schedule has decided, and what it decides on hearing how that went.
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

  /// Hands an image to the ticket that has the archive taken apart.
  func deliver(_ asset: Asset, of extraction: UInt64) {
    tickets[extraction]?.parts?.put(.asset(asset))
  }

  private func assetWasTaken(by waiter: UInt64) {
    guard let id = workers.first(where: { $0.value.task == .extract(waiter) })?.key,
      let worker = workers[id]
    else { return }
    workers[id]?.extraction?.wasTaken()
    guard worker.isPaused, workers[id]?.isPaused == false else { return }
    schedule.resumed(id, at: now)
    // More may have come whole before it was paused.
    readReplies(id)
  }

  /// Reads an image file, which may take its time, and has it brought here.
  func load(_ path: String, for press: UInt64) {
    let isOwn = options.ownFolder.map { path.hasPrefix($0 + "/") } ?? false
    let limit = options.limits.press.entryBytes
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
        hear(owner.press)
      } else {
        ready.insert(owner.press)
      }
    }
    for press in ready.sorted() { attend(to: press) }
    carryOut()
  }

  /// How long there is nothing to do but for what comes, in whole milliseconds; -1: forever.
  private func timeout() -> Int32 {
    let now = now
    var seconds = schedule.nextDue(after: now).map { $0 - now } ?? .infinity
    if workers.values.contains(where: \.isLeaving) {
      seconds = min(seconds, reapingPause)
      reapingPause = min(0.064, reapingPause * 2)
    } else {
      reapingPause = 0.001
    }
    // Rounded up: waking too early would only mean waking again.
    return seconds.isFinite ? Int32((min(seconds, 3600) * 1000).rounded(.up)) : -1
  }
}

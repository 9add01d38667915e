internal import PressProtocol

// Reports of presses.
extension PressSchedule {
  /// Handles a press that has opened its document.
  mutating func opened(_ id: PressID, at time: Double) {
    guard let press = presses[id], press.phase == .opening else { return }
    presses[id]?.phase = .ready
    presses[id]?.since = time
    presses[id]?.deadline = .infinity
    if let job = press.job {
      // A more urgent job may have been requested in the meantime.
      presses[id]?.job = nil
      if jobs[job]?.waiters.isEmpty == true {
        finish(job, .failure(.closing))
      } else {
        putBack(job)
      }
    }
    assign(at: time)
  }

  /// Handles a press that cannot open its document.
  ///
  /// All waiters get the reason, because no other press could open it either.
  mutating func refused(_ id: PressID, fault: PressFault, at time: Double) {
    guard let press = presses[id], press.phase == .opening else { return }
    if let job = press.job { finish(job, .failure(fault)) }
    for priority in queues.indices {
      let hopeless = queues[priority].filter { jobs[$0]?.work.source == press.source }
      guard !hopeless.isEmpty else { continue }
      queues[priority].removeAll { jobs[$0]?.work.source == press.source }
      for job in hopeless { finish(job, .failure(fault)) }
    }
    end(id)
    assign(at: time)
  }

  /// Handles the answer or the fault of a press.
  mutating func answered(_ id: PressID, _ answer: Result<Answer, PressFault>, at time: Double) {
    guard let press = presses[id], press.phase == .ready, let job = press.job else { return }
    if jobs[job]?.priority == .visible { presses[id]?.shown = time }
    finish(job, answer)
    rest(id, at: time)
    assign(at: time)
  }

  /// Handles a part of a long answer, which restarts the time limit.
  mutating func sentPart(_ id: PressID, at time: Double) {
    guard let press = presses[id], press.phase == .ready, let job = press.job else { return }
    jobs[job]?.hasBegun = true
    presses[id]?.deadline = time + limits.seconds(for: jobs[job]?.work.task ?? .facts)
  }

  /// Stops the clock of a press whose replies are not being read.
  mutating func paused(_ id: PressID) {
    guard presses[id]?.phase == .ready else { return }
    presses[id]?.deadline = .infinity
  }

  /// Restarts the clock of a press whose replies are read again.
  mutating func resumed(_ id: PressID, at time: Double) { sentPart(id, at: time) }

  /// Handles the end of a press, which frees its slot.
  ///
  /// The fault describes the end if nobody requested it.
  mutating func exited(_ id: PressID, fault: PressFault, at time: Double) {
    guard let press = presses.removeValue(forKey: id) else { return }
    if press.phase != .ending, let job = press.job {
      jobs[job]?.deaths += 1
      jobs[job]?.press = nil
      if mayTryAgain(job, after: fault) { putBack(job) } else { finish(job, .failure(fault)) }
    }
    assign(at: time)
  }

  /// Returns whether a job may run again after its press has ended.
  ///
  /// A job that exceeded its time limit would exceed it again. A job that crashed may have failed
  /// because of earlier pages.
  private func mayTryAgain(_ id: JobID, after fault: PressFault) -> Bool {
    guard let job = jobs[id], job.deaths < 2, !job.hasBegun, !job.waiters.isEmpty else {
      return false
    }
    if case .tookTooLong = fault { return false }
    return true
  }

  /// Returns a job to its queue as the next one to run.
  mutating func putBack(_ id: JobID) {
    guard let job = jobs[id] else { return }
    jobs[id]?.press = nil
    jobs[id]?.isOverdue = false
    let queue = queues[job.priority.rawValue]
    queues[job.priority.rawValue].insert(id, at: job.priority == .background ? 0 : queue.count)
  }

  /// Assigns a job to a press that is ready and idle.
  mutating func begin(_ id: JobID, on press: PressID, at time: Double) {
    guard let job = jobs[id] else { return rest(press, at: time) }
    jobs[id]?.press = press
    presses[press]?.isFresh = false
    presses[press]?.job = id
    presses[press]?.since = time
    presses[press]?.deadline = time + limits.seconds(for: job.work.task)
    effects.append(.send(job.work.task, job.priority, to: press))
  }

  private mutating func rest(_ id: PressID, at time: Double) {
    presses[id]?.job = nil
    presses[id]?.since = time
    presses[id]?.deadline = .infinity
  }

  // MARK: Assignment of jobs, and the effects of time

  /// Performs due actions: kills presses that took too long, ends idle ones, and lets jobs that
  /// waited long enough go first.
  mutating func advance(to time: Double) {
    for id in presses.keys.sorted() {
      guard let press = presses[id] else { continue }
      if press.deadline <= time {
        if let job = press.job {
          let page = press.phase == .opening ? nil : jobs[job]?.work.task.pageNumber
          finish(job, .failure(.tookTooLong(page: page)))
        }
        presses[id]?.isOverdue = true
        end(id)
      } else if press.isIdle, press.since + limits.idle <= time {
        end(id)
      }
    }
    assign(at: time)
  }

  /// Returns when ``advance(to:)`` is due next if nothing else happens before.
  func nextDue(after time: Double) -> Double? {
    var due = presses.values.map { press in
      press.isIdle ? press.since + limits.idle : press.deadline
    }
    for (priority, queue) in queues.enumerated() where !queue.isEmpty {
      let times = queue.compactMap { jobs[$0]?.since }
      due += times.map { $0 + limits.starvation }
      if priority == PrintPriority.visible.rawValue {
        due += times.map { $0 + limits.patience }
      } else if priority == PrintPriority.background.rawValue {
        due += times.map { $0 + limits.retention }
        due += presses.values.filter(\.isIdle).map { $0.shown + limits.retention }
      }
    }
    return due.filter { $0 > time && $0.isFinite }.min()
  }

  /// Assigns waiting jobs to presses while presses are available.
  mutating func assign(at time: Double) {
    guard !isStopped else { return }
    var outlook = Outlook(slotsComing: presses.values.count { $0.phase == .ending })
    assignOverdue(at: time, &outlook)
    if hasHope(outlook) {
      for id in jobsInTurn() where hasHope(outlook) {
        if assign(id, at: time, &outlook) == .queueIsFull { break }
      }
    }
    interrupt(at: time)
  }

  /// The state of one round of assignment.
  private struct Outlook {
    /// The number of slots that will soon be free and are not promised to a job.
    var slotsComing: Int
  }

  private enum Assignment {
    case placed
    /// A slot will be free for it.
    case promised
    case notNow
    /// No job of this priority can get a press now.
    case queueIsFull
  }

  private func hasHope(_ outlook: Outlook) -> Bool {
    presses.count < limits.slots || outlook.slotsComing > 0
      || presses.values.contains(where: \.isIdle)
  }

  private mutating func assignOverdue(at time: Double, _ outlook: inout Outlook) {
    let runs = presses.values.contains { $0.job.flatMap { jobs[$0] }?.isOverdue == true }
    guard !runs else { return }
    for id in overdueJobs(at: time) {
      switch assign(id, at: time, &outlook) {
      case .placed:
        jobs[id]?.isOverdue = true
        return
      case .promised: return
      case .notNow, .queueIsFull: continue
      }
    }
  }

  private mutating func assign(_ id: JobID, at time: Double, _ outlook: inout Outlook) -> Assignment
  {
    guard let job = jobs[id] else { return .notNow }
    if job.priority == .background, busyCount(.background) >= limits.slots - 1 {
      return .queueIsFull
    }
    if let press = idlePress(for: job) {
      leaveQueue(id)
      begin(id, on: press, at: time)
      return .placed
    }
    if presses.count < limits.slots {
      leaveQueue(id)
      spawn(for: id, at: time)
      return .placed
    }
    if outlook.slotsComing > 0 {
      outlook.slotsComing -= 1
      return .promised
    }
    guard let victim = pressToEnd(for: job, at: time) else { return .notNow }
    end(victim)
    return .promised
  }

  private mutating func leaveQueue(_ id: JobID) {
    noteTurn(of: id)
    guard let queue = jobs[id]?.priority.rawValue,
      let index = queues[queue].firstIndex(of: id)
    else { return }
    queues[queue].remove(at: index)
  }

  private mutating func spawn(for id: JobID, at time: Double) {
    guard let job = jobs[id] else { return }
    let press = newID()
    effects.append(.spawn(press, job.work.source))
    presses[press] = PressState(source: job.work.source, phase: .ready, since: time)
    if job.work.source == .images { return begin(id, on: press, at: time) }
    presses[press]?.phase = .opening
    presses[press]?.deadline = time + limits.openingSeconds
    presses[press]?.job = id
    jobs[id]?.press = press
  }

  private func busyCount(_ priority: PrintPriority) -> Int {
    presses.values.count { press in press.job.flatMap { jobs[$0]?.priority } == priority }
  }

  /// Returns the idle press that was used last, so that the others can end.
  ///
  /// A second try gets a new press.
  private func idlePress(for job: Job) -> PressID? {
    presses.filter { _, press in
      press.isIdle && press.source == job.work.source && (job.deaths == 0 || press.isFresh)
    }
    .max { ($0.value.since, $0.key) < ($1.value.since, $1.key) }?.key
  }

  /// Returns the press that has been idle longest.
  ///
  /// A background job spares presses that have just rendered a visible page until it has waited as
  /// long itself, because the next leaf is likely to be turned soon.
  private func pressToEnd(for job: Job, at time: Double) -> PressID? {
    let isPatient = job.priority == .background && job.since + limits.retention > time
    return presses.filter { $0.value.isIdle }
      .filter { !isPatient || $0.value.shown + limits.retention <= time }
      .min { ($0.value.since, $0.key) < ($1.value.since, $1.key) }?.key
  }

  /// Interrupts less important work for visible pages that waited long enough and have no slot
  /// coming.
  private mutating func interrupt(at time: Double) {
    let waiting = queues[PrintPriority.visible.rawValue]
    let impatient = waiting.filter { id in (jobs[id]?.since ?? time) + limits.patience <= time }
    var coming = Array(impatient.prefix(presses.values.count { $0.phase == .ending }))
    for id in impatient.dropFirst(coming.count) {
      guard let page = jobs[id], let press = lesserPress(for: page, coming: coming),
        let job = presses[press]?.job
      else { continue }
      putBack(job)
      end(press)
      coming.append(id)
    }
  }

  /// Returns the press with the least important repeatable work that a visible page may interrupt;
  /// among equals, the one that began last.
  ///
  /// A job that was taken ahead of its turn is spared, because it would be taken ahead again at
  /// once.
  private func lesserPress(for page: Job, coming: [JobID]) -> PressID? {
    func rank(_ id: PressID, _ press: PressState) -> (Int, Double, PressID) {
      (press.job.flatMap { jobs[$0]?.priority.rawValue } ?? 0, press.since, id)
    }
    return presses.filter { _, press in
      guard let job = press.job.flatMap({ jobs[$0] }) else { return false }
      return job.priority > .visible && !job.isOverdue && !job.work.task.isExtraction
        && mayInterrupt(job, for: page, coming: coming)
    }
    .max { rank($0.key, $0.value) < rank($1.key, $1.value) }?.key
  }
}

internal import PressProtocol

// Which job goes where, and what happens as time goes by.
extension PressSchedule {
  /// Does what has become due: kills presses that took too long, ends idle ones, and lets jobs
  /// that waited long enough have their way.
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

  /// When ``advance(to:)`` has something to do next, if nothing else happens before.
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
        due += times.map { $0 + limits.keep }
        due += presses.values.filter(\.isIdle).map { $0.shown + limits.keep }
      }
    }
    return due.filter { $0 > time && $0.isFinite }.min()
  }

  /// Gives waiting jobs to presses for as long as there are any to be had.
  mutating func assign(at time: Double) {
    guard !isStopped else { return }
    var outlook = Outlook(slotsComing: presses.values.count { $0.phase == .ending })
    assignOverdue(at: time, &outlook)
    if hasHope(outlook) {
      for id in jobsInTurn() where hasHope(outlook) {
        if place(id, at: time, &outlook) == .queueIsFull { break }
      }
    }
    interrupt(at: time)
  }

  /// What is known during one round of assigning.
  private struct Outlook {
    /// Slots that will be free soon and were not promised to a job yet.
    var slotsComing: Int
  }

  private enum Placement {
    case placed
    /// A slot is coming free for it.
    case promised
    case notNow
    /// No job of this priority may have a press now.
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
      switch place(id, at: time, &outlook) {
      case .placed:
        jobs[id]?.isOverdue = true
        return
      case .promised: return
      case .notNow, .queueIsFull: continue
      }
    }
  }

  private mutating func place(_ id: JobID, at time: Double, _ outlook: inout Outlook) -> Placement {
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

  /// The one that was used last, so that the others can end.
  ///
  /// A second try is in a fresh press.
  private func idlePress(for job: Job) -> PressID? {
    presses.filter { _, press in
      press.isIdle && press.source == job.work.source && (job.deaths == 0 || press.isFresh)
    }
    .max { ($0.value.since, $0.key) < ($1.value.since, $1.key) }?.key
  }

  /// The press that is idle longest.
  ///
  /// The background leaves the presses alone that printed a visible page just now, until it has
  /// waited as long itself: the next leaf is likely to be turned soon.
  private func pressToEnd(for job: Job, at time: Double) -> PressID? {
    let isPatient = job.priority == .background && job.since + limits.keep > time
    return presses.filter { $0.value.isIdle }
      .filter { !isPatient || $0.value.shown + limits.keep <= time }
      .min { ($0.value.since, $0.key) < ($1.value.since, $1.key) }?.key
  }

  /// Ends lesser work for visible pages that have waited long enough and have no slot coming.
  private mutating func interrupt(at time: Double) {
    let waiting = queues[PrintPriority.visible.rawValue]
    let impatient = waiting.count { id in (jobs[id]?.since ?? time) + limits.patience <= time }
    var missing = impatient - presses.values.count { $0.phase == .ending }
    while missing > 0, let id = lesserPress(), let job = presses[id]?.job {
      putBack(job)
      end(id)
      missing -= 1
    }
  }

  /// The press with the least work that can be done again; of equals the one that began last.
  ///
  /// What was taken ahead of its turn is left alone: it would have to be taken so again at once.
  private func lesserPress() -> PressID? {
    func rank(_ id: PressID, _ press: PressState) -> (Int, Double, PressID) {
      (press.job.flatMap { jobs[$0]?.priority.rawValue } ?? 0, press.since, id)
    }
    return presses.filter { _, press in
      guard let job = press.job.flatMap({ jobs[$0] }) else { return false }
      return job.priority > .visible && !job.isOverdue && !job.work.task.isExtraction
    }
    .max { rank($0.key, $0.value) < rank($1.key, $1.value) }?.key
  }
}

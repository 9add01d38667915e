internal import PressProtocol

// Reports of presses.
extension PressSchedule {
  /// Handles a press that has opened its document.
  mutating func opened(_ id: PressID, facts: Answer, at time: Double) {
    guard let press = presses[id], press.phase == .opening else { return }
    presses[id]?.phase = .ready
    presses[id]?.facts = facts
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
  mutating func resumed(_ id: PressID, at time: Double) {
    sentPart(id, at: time)
  }

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
    if job.work.task == .facts, let facts = presses[press]?.facts {
      finish(id, .success(facts))
      return rest(press, at: time)
    }
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
}

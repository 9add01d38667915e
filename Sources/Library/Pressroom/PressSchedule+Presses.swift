internal import PressProtocol

// What presses report.
extension PressSchedule {
  /// A press has opened its document.
  mutating func opened(_ id: PressID, facts: Answer, at time: Double) {
    guard let press = presses[id], press.phase == .opening else { return }
    presses[id]?.phase = .ready
    presses[id]?.facts = facts
    presses[id]?.since = time
    presses[id]?.deadline = .infinity
    if let job = press.job {
      // Meanwhile somebody may have asked for something better.
      presses[id]?.job = nil
      if jobs[job]?.waiters.isEmpty == true {
        finish(job, .failure(.closing))
      } else {
        putBack(job)
      }
    }
    assign(at: time)
  }

  /// A press cannot open its document, and no other could: all who wait for it hear why.
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

  /// A press has met the request it was sent, or has said why not.
  mutating func answered(_ id: PressID, _ answer: Result<Answer, PressFault>, at time: Double) {
    guard let press = presses[id], press.phase == .ready, let job = press.job else { return }
    if jobs[job]?.priority == .visible { presses[id]?.shown = time }
    finish(job, answer)
    rest(id, at: time)
    assign(at: time)
  }

  /// A press has sent a part of a long answer: it may take as long again.
  mutating func sentPart(_ id: PressID, at time: Double) {
    guard let press = presses[id], press.phase == .ready, let job = press.job else { return }
    jobs[job]?.hasBegun = true
    presses[id]?.deadline = time + limits.seconds(for: jobs[job]?.work.task ?? .facts)
  }

  /// Nothing is read from a press until it is resumed, so that it is not to blame for the time.
  mutating func paused(_ id: PressID) {
    guard presses[id]?.phase == .ready else { return }
    presses[id]?.deadline = .infinity
  }

  /// A press is read from again.
  mutating func resumed(_ id: PressID, at time: Double) {
    sentPart(id, at: time)
  }

  /// A press is gone and its slot free.
  ///
  /// The fault is what its end stands for, if nobody had asked for it.
  mutating func exited(_ id: PressID, fault: PressFault, at time: Double) {
    guard let press = presses.removeValue(forKey: id) else { return }
    if press.phase != .ending, let job = press.job {
      jobs[job]?.deaths += 1
      jobs[job]?.press = nil
      if mayTryAgain(job, after: fault) { putBack(job) } else { finish(job, .failure(fault)) }
    }
    assign(at: time)
  }

  /// What used up its time would use it up again; what crashed may have been a victim of pages
  /// before it.
  private func mayTryAgain(_ id: JobID, after fault: PressFault) -> Bool {
    guard let job = jobs[id], job.deaths < 2, !job.hasBegun, !job.waiters.isEmpty else {
      return false
    }
    if case .tookTooLong = fault { return false }
    return true
  }

  /// Puts a job back into its queue, to be the next one out.
  mutating func putBack(_ id: JobID) {
    guard let job = jobs[id] else { return }
    jobs[id]?.press = nil
    jobs[id]?.isOverdue = false
    let queue = queues[job.priority.rawValue]
    queues[job.priority.rawValue].insert(id, at: job.priority == .background ? 0 : queue.count)
  }

  /// Hands a job to a press that is ready and has none.
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

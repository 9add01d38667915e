internal import PressProtocol

/// The place of a request in the schedule.
struct Waiter: Sendable {
  typealias ID = UInt64

  let id: ID
  let requester: Requester
  let priority: PrintPriority
}

/// Decides which press does what and when: a value with no clock, process or thread of its own.
///
/// Jobs come in by ``ask(_:for:at:)``; what presses do is told by
/// ``opened(_:facts:at:)`` and its neighbours. What must be carried out is taken from
/// ``nextEffect()`` after each call, in order. Times are seconds of one monotonic clock and never
/// go back.
///
/// - A job goes to an idle press of its source, else to a new one in a free slot, else the press
///   that is idle longest is ended for it.
/// - Visible pages come first and the background last. Within each, and among all that is between,
///   requesters take turns, so that one request of a requester does not wait for many of another.
///   Of the requests of one requester the most urgent comes first, and of those the newest: a
///   reader that leafs on no longer wants the pages before. Nothing waits forever: see
///   ``ScheduleLimits/starvation``.
/// - The background never has all slots, and a visible page that finds every slot taken interrupts
///   lesser work after ``ScheduleLimits/patience``: what somebody looks at always gets a press.
/// - A press that ends under a job costs the job one of its two tries.
struct PressSchedule<Answer: Sendable>: Sendable {
  typealias PressID = UInt64
  typealias JobID = UInt64

  /// What must be carried out.
  enum Effect: Sendable {
    /// Start a press and, for a document, ask it to open that.
    case spawn(PressID, PressSource)
    /// Hand a request to a press that has none under way.
    case send(PressTask, PrintPriority, to: PressID)
    /// End a press; ``PressSchedule/exited(_:fault:at:)`` follows when it is gone.
    case kill(PressID)
    /// Answer a waiter; comes once for each that did not cancel.
    case answer(Waiter.ID, Result<Answer, PressFault>)
  }

  struct Job: Sendable {
    let work: PressWork
    var priority: PrintPriority
    /// When it got its priority.
    var since: Double
    var waiters: [Waiter]
    /// How many presses have ended under it.
    var deaths = 0
    /// Whether part of the answer went out, so that it cannot be asked for again.
    var hasBegun = false
    /// The press that works on it; `nil` while it waits.
    var press: PressID?
    /// Whether it was taken ahead of its turn.
    var isOverdue = false
  }

  struct PressState: Sendable {
    enum Phase: Sendable {
      case opening
      /// Open, with a job or idle.
      case ready
      /// Being ended. Its slot is taken until it is gone.
      case ending
    }

    let source: PressSource
    var phase: Phase
    var job: JobID?
    var facts: Answer?
    /// Whether it was never asked for anything but to open its document.
    var isFresh = true
    /// When it began what it does, or when it became idle.
    var since: Double
    /// When it is killed for taking too long.
    var deadline = Double.infinity
    /// Whether it is ended for taking too long.
    var isOverdue = false
    /// When it last printed a visible page.
    var shown = -Double.infinity

    var isIdle: Bool { phase == .ready && job == nil }
  }

  let limits: ScheduleLimits
  private(set) var isStopped = false
  // Members of these are changed by the extensions in the neighbouring files, by nobody else.
  var jobs: [JobID: Job] = [:]
  var presses: [PressID: PressState] = [:]
  /// The jobs that wait, by priority, the one that was asked for last at the end.
  var queues: [[JobID]] = PrintPriority.allCases.map { _ in [] }
  var effects: [Effect] = []
  private var effectsTaken = 0
  private var jobOfWork: [PressWork: JobID] = [:]
  private var jobOfWaiter: [Waiter.ID: JobID] = [:]
  private var lastID: UInt64 = 0
  /// When requesters had their last turns, by a count of all turns; others had none lately.
  var turns: [Requester: UInt64] = [:]
  var lastTurn: UInt64 = 0

  init(limits: ScheduleLimits) {
    precondition(limits.slots >= 2 && limits.queue >= 1)
    self.limits = limits
  }

  /// Takes the next thing that must be carried out.
  mutating func nextEffect() -> Effect? {
    guard effectsTaken < effects.count else {
      effects.removeAll(keepingCapacity: true)
      effectsTaken = 0
      return nil
    }
    defer { effectsTaken += 1 }
    return effects[effectsTaken]
  }

  /// Asks for work; requests for the same work share its answer.
  ///
  /// The number of the waiter must not have been used before.
  mutating func ask(_ work: PressWork, for waiter: Waiter, at time: Double) {
    guard !isStopped else { return effects.append(.answer(waiter.id, .failure(.closing))) }
    let priority = waiter.priority
    if let id = jobOfWork[work] {
      jobs[id]?.waiters.append(waiter)
      jobOfWaiter[waiter.id] = id
      renew(id, priority: priority, at: time)
    } else {
      let id = newID()
      jobs[id] = Job(work: work, priority: priority, since: time, waiters: [waiter])
      jobOfWork[work] = id
      jobOfWaiter[waiter.id] = id
      queues[priority.rawValue].append(id)
      dropExcess()
    }
    assign(at: time)
  }

  /// Cancels a request, which is not answered any more.
  ///
  /// A job that others wait for is as urgent as the most urgent of them. Without any, a waiting job
  /// leaves the queue and an extraction ends; a page that is being printed is finished, because its
  /// press would have to be opened anew otherwise.
  mutating func cancel(_ waiter: Waiter.ID, at time: Double) {
    guard let id = jobOfWaiter.removeValue(forKey: waiter), var job = jobs[id] else { return }
    job.waiters.removeAll { $0.id == waiter }
    jobs[id] = job
    guard job.waiters.isEmpty else {
      let priority = job.waiters.map(\.priority).min() ?? job.priority
      if priority > job.priority { move(id, to: priority) }
      return
    }
    if let press = job.press {
      guard job.work.task.isExtraction else { return }
      forget(id)
      end(press)
    } else {
      queues[job.priority.rawValue].removeAll { $0 == id }
      forget(id)
    }
    assign(at: time)
  }

  /// Ends the presses of a source that have nothing to do.
  mutating func release(_ source: PressSource) {
    for (id, press) in presses where press.source == source && press.isIdle { end(id) }
  }

  /// Answers all jobs with a fault and ends all presses; from now on nothing is begun.
  mutating func stop() {
    isStopped = true
    for id in jobs.keys.sorted() { finish(id, .failure(.closing)) }
    queues = queues.map { _ in [] }
    for (id, press) in presses where press.phase != .ending { end(id) }
  }

  /// Answers all waiters of a job and forgets it.
  ///
  /// It must not be in a queue any more.
  mutating func finish(_ id: JobID, _ answer: Result<Answer, PressFault>) {
    guard let job = jobs[id] else { return }
    for waiter in job.waiters {
      jobOfWaiter[waiter.id] = nil
      effects.append(.answer(waiter.id, answer))
    }
    forget(id)
  }

  /// Begins to end a press; the job it has is forgotten by it, not by the schedule.
  mutating func end(_ id: PressID) {
    guard presses[id]?.phase != .ending else { return }
    presses[id]?.phase = .ending
    presses[id]?.job = nil
    presses[id]?.deadline = .infinity
    effects.append(.kill(id))
  }

  mutating func newID() -> UInt64 {
    lastID += 1
    return lastID
  }

  private mutating func forget(_ id: JobID) {
    guard let job = jobs.removeValue(forKey: id) else { return }
    jobOfWork[job.work] = nil
  }

  /// Somebody else wants a job: it is as urgent as who wants it most says, and the newest again.
  private mutating func renew(_ id: JobID, priority: PrintPriority, at time: Double) {
    guard let job = jobs[id] else { return }
    if priority < job.priority { jobs[id]?.since = time }
    // The background is done in the order in which it was asked for.
    if priority < job.priority || job.priority < .background {
      move(id, to: min(priority, job.priority))
    }
  }

  /// Makes a job the newest of a priority.
  private mutating func move(_ id: JobID, to priority: PrintPriority) {
    guard let job = jobs[id] else { return }
    jobs[id]?.priority = priority
    guard job.press == nil else { return }
    queues[job.priority.rawValue].removeAll { $0 == id }
    queues[priority.rawValue].append(id)
  }

  /// Keeps the queue bounded: the address that has the most jobs in it loses one, there the member
  /// that has the most; thumbnails first, the oldest first: who scrolled on misses them least.
  ///
  /// An import comes last but for what somebody looks at.
  private mutating func dropExcess() {
    guard queues.reduce(0, { $0 + $1.count }) > limits.queue else { return }
    let waiting = queues.joined().compactMap { jobs[$0]?.waiters.first?.requester }
    let addresses = Self.mostFrequent(waiting.map(\.neighbours))
    let requesters = Self.mostFrequent(waiting.filter { addresses.contains($0.neighbours) })
    let order: [PrintPriority] = [.unseen, .thumbnail, .next, .sharp, .background, .visible]
    for priority in order {
      let index = queues[priority.rawValue].firstIndex { id in
        jobs[id]?.waiters.first.map { requesters.contains($0.requester) } ?? true
      }
      guard let index else { continue }
      return finish(queues[priority.rawValue].remove(at: index), .failure(.busy))
    }
  }

  private static func mostFrequent(_ requesters: [Requester]) -> Set<Requester> {
    let counts = requesters.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    let most = counts.values.max()
    return Set(counts.filter { $0.value == most }.keys)
  }
}

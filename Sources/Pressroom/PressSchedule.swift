internal import PressProtocol

/// The entry of a request in the schedule.
struct Waiter: Sendable {
  typealias ID = UInt64

  let id: ID
  let requester: Requester
  let priority: PrintPriority
}

/// Decides which press does what and when; a value without a clock, process or thread.
///
/// ``ask(_:for:at:)`` adds jobs. ``opened(_:at:)`` and similar methods report what presses
/// do. After each call, take the effects to carry out from ``nextEffect()``, in order. Times are
/// seconds of one monotonic clock.
///
/// - A job goes to an idle press of its source. If there is none, it gets a new press in a free
///   slot. If no slot is free, the press that has been idle longest is ended for it.
/// - Requesters take turns, so that a request does not wait for many of another requester, whatever
///   urgency these claim. Among the requests of one requester the most urgent comes first, then the
///   newest, because a reader who turns on no longer needs earlier pages. The background comes
///   last. No request waits forever; see ``ScheduleLimits/starvation``.
/// - The background never gets all slots. A visible page that finds every slot taken interrupts
///   less important work after ``ScheduleLimits/patience``: that of the background, of its own
///   requester, or of one that has more presses. A page that a reader looks at therefore always
///   gets a press, and nobody gets more than an equal share by claiming to look at pages.
/// - A press that ends during a job costs the job one of its two tries.
struct PressSchedule<Answer: Sendable>: Sendable {
  typealias PressID = UInt64
  typealias JobID = UInt64

  /// An action to carry out.
  enum Effect: Sendable {
    /// Start a press and, if its source is a document, request that it open the document.
    case spawn(PressID, PressSource)
    /// Send a request to a press that is idle.
    case send(PressTask, PrintPriority, to: PressID)
    /// Kill a press; ``PressSchedule/exited(_:fault:at:)`` follows when it has ended.
    case kill(PressID)
    /// Answer a waiter; occurs once for each waiter that did not cancel.
    case answer(Waiter.ID, Result<Answer, PressFault>)
  }

  struct Job: Sendable {
    let work: PressWork
    var priority: PrintPriority
    /// When it got its priority.
    var since: Double
    var waiters: [Waiter]
    /// The number of presses that ended during the job.
    var deaths = 0
    /// Whether part of the answer was delivered, so that the job cannot be repeated.
    var hasBegun = false
    /// The press that works on the job; `nil` while it waits.
    var press: PressID?
    /// Whether the job was taken ahead of its turn.
    var isOverdue = false
  }

  struct PressState: Sendable {
    enum Phase: Sendable {
      case opening
      /// Open, either idle or with a job.
      case ready
      /// Being killed; its slot is taken until it has ended.
      case ending
    }

    let source: PressSource
    var phase: Phase
    var job: JobID?
    /// Whether it has done nothing except open its document.
    var isFresh = true
    /// When it began its job, or when it became idle.
    var since: Double
    /// When it will be killed for taking too long.
    var deadline = Double.infinity
    /// Whether it is being killed for taking too long.
    var isOverdue = false
    /// When it last rendered a visible page.
    var shown = -Double.infinity

    var isIdle: Bool { phase == .ready && job == nil }
  }

  let limits: ScheduleLimits
  private(set) var isStopped = false
  // Only the extensions in the files named PressSchedule+... change these members.
  var jobs: [JobID: Job] = [:]
  var presses: [PressID: PressState] = [:]
  /// The waiting jobs by priority, with the newest request at the end.
  var queues: [[JobID]] = PrintPriority.allCases.map { _ in [] }
  var effects: [Effect] = []
  private var effectsTaken = 0
  private var jobOfWork: [PressWork: JobID] = [:]
  private var jobOfWaiter: [Waiter.ID: JobID] = [:]
  private var lastID: UInt64 = 0
  /// The number of the last turn of each requester, by a count of all turns; absent if it was long
  /// ago.
  var turns: [Requester: UInt64] = [:]
  var lastTurn: UInt64 = 0

  init(limits: ScheduleLimits) {
    precondition(limits.slots >= 2 && limits.queue >= 1)
    self.limits = limits
  }

  /// Removes the next action to carry out.
  mutating func nextEffect() -> Effect? {
    guard effectsTaken < effects.count else {
      effects.removeAll(keepingCapacity: true)
      effectsTaken = 0
      return nil
    }
    defer { effectsTaken += 1 }
    return effects[effectsTaken]
  }

  /// Requests work; requests for the same work share its answer.
  ///
  /// The number of the waiter must be unused.
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

  /// Cancels a request, which then gets no answer.
  ///
  /// A job keeps the priority of its most urgent remaining waiter. Without any waiter, a waiting
  /// job leaves the queue and an extraction ends. A page that is being rendered is finished,
  /// because otherwise its press would have to open the document again.
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

  /// Ends the idle presses of a source.
  mutating func release(_ source: PressSource) {
    for (id, press) in presses where press.source == source && press.isIdle { end(id) }
  }

  /// Answers all jobs with a fault and ends all presses; no job begins after this.
  mutating func stop() {
    isStopped = true
    for id in jobs.keys.sorted() { finish(id, .failure(.closing)) }
    queues = queues.map { _ in [] }
    for (id, press) in presses where press.phase != .ending { end(id) }
  }

  /// Answers all waiters of a job and removes it.
  ///
  /// The job must not be in a queue.
  mutating func finish(_ id: JobID, _ answer: Result<Answer, PressFault>) {
    guard let job = jobs[id] else { return }
    for waiter in job.waiters {
      jobOfWaiter[waiter.id] = nil
      effects.append(.answer(waiter.id, answer))
    }
    forget(id)
  }

  /// Begins to end a press; the schedule keeps the job that the press had.
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

  /// Raises a job to the priority of its most urgent waiter and makes it the newest again.
  private mutating func renew(_ id: JobID, priority: PrintPriority, at time: Double) {
    guard let job = jobs[id] else { return }
    if priority < job.priority { jobs[id]?.since = time }
    // Background jobs run in the order of their requests.
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

  /// Keeps the queue bounded: the address with the most jobs loses one, and within it the member
  /// with the most.
  ///
  /// Thumbnails are dropped first, oldest first, because a reader who has scrolled on misses them
  /// least. Imports come last, except for pages that a reader looks at.
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

  // MARK: Turns of requesters

  /// Returns the waiting jobs in the order in which they get presses.
  ///
  /// - Complexity: O(n log n) in the waiting jobs, whose number is bounded.
  func jobsInTurn() -> [JobID] {
    let urgent: [PrintPriority] = [.visible, .sharp, .next, .thumbnail, .unseen]
    return fairly(urgent.flatMap { queues[$0.rawValue].reversed() })
      + queues[PrintPriority.background.rawValue]
  }

  /// Returns the oldest job of each requester if it is overdue, sorted by the last turns of the
  /// requesters.
  func overdueJobs(at time: Double) -> [JobID] {
    var oldest: [Requester: (id: JobID, since: Double)] = [:]
    for id in queues.joined() {
      guard let job = jobs[id], job.since + limits.starvation <= time else { continue }
      for requester in Set(job.waiters.map(\.requester)) {
        if let other = oldest[requester], other.since <= job.since { continue }
        oldest[requester] = (id, job.since)
      }
    }
    let candidates = oldest.map { requester, job in
      (turns[requester.neighbours] ?? 0, turns[requester] ?? 0, job.since, job.id)
    }
    return candidates.sorted(by: <).map(\.3)
  }

  /// Records that the requesters of a job have had a turn.
  mutating func noteTurn(of id: JobID) {
    guard let job = jobs[id] else { return }
    lastTurn += 1
    for waiter in job.waiters {
      turns[waiter.requester] = lastTurn
      turns[waiter.requester.neighbours] = lastTurn
    }
    guard turns.count > Self.turnsMax else { return }
    let kept = lastTurn - UInt64(Self.turnsMax) / 2
    turns = turns.filter { $0.value >= kept }
  }

  /// The maximum number of remembered requesters.
  private static var turnsMax: Int { 2048 }

  /// Whether a visible page may take the press of less important work of others: those that have
  /// more presses, counted by address, or at one address by member.
  /// - Parameters:
  ///   - work: The less important work.
  ///   - page: The visible page.
  ///   - coming: The pages that get the next presses.
  /// - Returns: Whether it may.
  func mayInterrupt(_ work: Job, for page: Job, coming: some Sequence<JobID>) -> Bool {
    let (others, own) = (work.waiters.map(\.requester), page.waiters.map(\.requester))
    guard work.priority < .background, Set(own).isDisjoint(with: others) else { return true }
    let busy = (presses.values.compactMap(\.job) + coming).map { id in
      Set((jobs[id]?.waiters ?? []).map(\.requester))
    }
    return own.contains { one in
      others.allSatisfy { other in
        one.neighbours == other.neighbours
          ? busy.count { $0.contains(other) } > busy.count { $0.contains(one) }
          : busy.count { $0.contains { $0.neighbours == other.neighbours } }
            > busy.count { $0.contains { $0.neighbours == one.neighbours } }
      }
    }
  }

  /// Orders jobs so that each address, and within an address each member, gets one job before any
  /// gets a second.
  ///
  /// The requester whose last turn is longest ago begins.
  private func fairly(_ ids: [JobID]) -> [JobID] {
    fairly(fairly(ids, among: \.self), among: \.neighbours)
  }

  private func fairly(_ ids: [JobID], among parties: (Requester) -> Requester) -> [JobID] {
    guard ids.count > 1 else { return ids }
    var counts: [Requester: Int] = [:]
    let ranked = ids.enumerated().map { place, id in
      var best = (rank: Int.max, turn: UInt64.max)
      for requester in Set((jobs[id]?.waiters ?? []).map { parties($0.requester) }) {
        let rank = counts[requester, default: 0]
        let other = (rank: rank, turn: turns[requester] ?? 0)
        if other < best { best = other }
        counts[requester] = rank + 1
      }
      return (rank: best.rank, turn: best.turn, place: place, id: id)
    }
    return ranked.sorted { ($0.rank, $0.turn, $0.place) < ($1.rank, $1.turn, $1.place) }.map(\.id)
  }
}

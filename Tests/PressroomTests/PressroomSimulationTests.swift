import PressProtocol
import TestVectors
import Testing

@testable import Pressroom

/// Presses that are slow, crash, hang and fail; waiters that arrive and cancel.
@Suite("Press schedule, simulated")
struct PressroomSimulationTests {
  @Test("whatever happens, each waiter is answered once, and everything comes to rest")
  func settles() {
    for seed in seeds(0..<150) {
      var world = World(seed: seed)
      for _ in 0..<400 { world.step() }
      world.finish()
      #expect(Set(world.faults) == [], "SEED=\(seed)")
      guard world.faults.isEmpty else { return }
    }
  }
}

/// A schedule with random events.
private struct World {
  private var schedule: PressSchedule<String>
  private var random: SplitMix64
  private var time = 0.0
  /// The violations that were observed.
  private(set) var faults: [String] = []

  private enum Doing: Equatable { case opening, idle, working(PressTask), leaving }
  private var presses: [UInt64: Doing] = [:]
  private var waiting: Set<UInt64> = []
  private var left: Set<UInt64> = []
  private var lastWaiter: UInt64 = 0
  private var isMild = false

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    var limits = ScheduleLimits()
    limits.slots = Int.random(in: 2...4, using: &random)
    limits.queue = Int.random(in: 5...60, using: &random)
    schedule = PressSchedule(limits: limits)
  }

  mutating func step() {
    time += Double.random(in: 0...0.4, using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<8: ask()
    case 8, 9: cancel()
    case 10: die()
    case 11: time += [0.6, 5, 16, 61, 400].randomElement(using: &random) ?? 0
    default: press()
    }
    schedule.advance(to: time)
    carryOut()
    check()
  }

  /// Stops all further requests and lets presses only succeed.
  mutating func finish() {
    isMild = true
    var rounds = 0
    while !schedule.jobs.isEmpty, rounds < 5000 {
      rounds += 1
      time += 0.1
      press()
      schedule.advance(to: time)
      carryOut()
      check()
    }
    if !waiting.isEmpty { faults.append("never answered: \(waiting.sorted())") }
    while !presses.isEmpty, rounds < 6000 {
      rounds += 1
      for (press, doing) in presses where doing == .leaving { exit(press) }
      carryOut()
      guard let due = schedule.nextDue(after: time) else { continue }
      time = due
      schedule.advance(to: time)
      carryOut()
    }
    if !presses.isEmpty || !schedule.presses.isEmpty { faults.append("presses stayed") }
  }

  private mutating func ask() {
    lastWaiter += 1
    waiting.insert(lastWaiter)
    let book = Int.random(in: 0..<6, using: &random)
    let page = Int.random(in: 0..<8, using: &random)
    let document = PressSource.document(path: "\(book)", password: "")
    let work =
      switch Int.random(in: 0..<12, using: &random) {
      case 0: PressWork(source: document, task: .facts)
      case 1: PressWork(source: document, task: .outline)
      case 2: PressWork(source: document, task: .extract(lastWaiter, .standard))
      case 3, 4: PressWork(source: .images, task: .image(path: "\(page)", page: page, height: 9))
      default: PressWork(source: document, task: .render(page: page, height: 9))
      }
    let chosen = PrintPriority.allCases.randomElement(using: &random) ?? .visible
    let priority = work.task.isExtraction ? .background : chosen
    let requester = Requester("\(Int.random(in: 0..<5, using: &random))")
    let waiter = Waiter(id: lastWaiter, requester: requester, priority: priority)
    schedule.ask(work, for: waiter, at: time)
  }

  private mutating func cancel() {
    guard let waiter = waiting.sorted().randomElement(using: &random) else { return }
    waiting.remove(waiter)
    left.insert(waiter)
    schedule.cancel(waiter, at: time)
  }

  /// Advances one of the presses.
  private mutating func press() {
    guard let press = presses.keys.sorted().randomElement(using: &random) else { return }
    let luck = isMild ? 9 : Int.random(in: 0..<10, using: &random)
    switch presses[press] {
    case .leaving: exit(press)
    case .opening where luck == 0:
      schedule.refused(press, fault: .encrypted, at: time)
    case .opening:
      presses[press] = .idle
      schedule.opened(press, at: time)
    case .working(let task) where task.isExtraction && luck < 6:
      schedule.sentPart(press, at: time)
    case .working(let task):
      presses[press] = .idle
      let answer: Result<String, PressFault> =
        luck == 0 ? .failure(.pageDamaged(0)) : .success("\(task)")
      schedule.answered(press, answer, at: time)
    case .idle, nil: break
    }
  }

  private mutating func die() {
    guard let press = presses.keys.sorted().randomElement(using: &random) else { return }
    exit(press)
  }

  private mutating func exit(_ press: UInt64) {
    presses[press] = nil
    let fault: PressFault =
      isMild || Bool.random(using: &random) ? .stopped(page: 1) : .tookTooLong(page: 1)
    schedule.exited(press, fault: fault, at: time)
  }

  private mutating func carryOut() {
    while let effect = schedule.nextEffect() {
      switch effect {
      case .spawn(let press, let source):
        presses[press] = source == .images ? .idle : .opening
        if presses.count > schedule.limits.slots { faults.append("too many presses") }
        checkNoVisibleWaits("spawn", press)
      case .send(let task, _, let press):
        if presses[press] != .idle {
          faults.append("sent to a press that is \(presses[press], default: "gone")")
        }
        presses[press] = .working(task)
        checkNoVisibleWaits("send", press)
      case .kill(let press): if presses[press] != nil { presses[press] = .leaving }
      case .answer(let waiter, _):
        if waiting.remove(waiter) == nil {
          faults.append(left.contains(waiter) ? "answered one who left" : "answered twice")
        }
      }
    }
  }

  /// Checks that lesser work begins only if its requesters do not all wait for visible pages that
  /// could have had the press.
  ///
  /// A page whose document is being opened elsewhere has a press already; one that waits for a slot
  /// was promised one.
  private mutating func checkNoVisibleWaits(_ what: String, _ press: UInt64) {
    guard let job = schedule.presses[press]?.job.flatMap({ schedule.jobs[$0] }),
      job.priority > .visible, !job.isOverdue, !job.waiters.isEmpty
    else { return }
    let coming = presses.values.count { $0 == .leaving }
    let visible = schedule.queues[PrintPriority.visible.rawValue].compactMap { schedule.jobs[$0] }
    let waits = job.waiters.map(\.requester).map { requester in
      visible.count { $0.waiters.contains { $0.requester == requester } }
    }
    if waits.min() ?? 0 > coming { faults.append("\(what) before a visible page") }
  }

  private mutating func check() {
    let queued = schedule.queues.flatMap { $0 }
    if Set(queued).count != queued.count { faults.append("a job waits twice") }
    if Set(schedule.jobsInTurn()) != Set(queued) { faults.append("a job has no turn") }
    for (priority, queue) in zip(PrintPriority.allCases, schedule.queues) {
      for id in queue where schedule.jobs[id]?.priority != priority {
        faults.append("a job waits in another's queue")
      }
    }
    let background = schedule.presses.values.count { press in
      press.job.flatMap { schedule.jobs[$0]?.priority } == .background
    }
    if background >= schedule.limits.slots { faults.append("the background has every press") }
    if schedule.queues.reduce(0, { $0 + $1.count }) > schedule.limits.queue + schedule.limits.slots
    {
      faults.append("the queue is not bounded")
    }
  }
}

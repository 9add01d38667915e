import PressProtocol
import Testing

@testable import Pressroom

@Suite("Press schedule")
struct PressroomScheduleTests {
  @Test("a job is sent to a press that opened its document and is answered once")
  func simple() {
    let shop = Shop()
    shop.ask("a", 3, .visible, as: 1)
    #expect(shop.take() == ["spawn 1 a"])
    shop.opens(1)
    #expect(shop.take() == ["send a3 to 1"])
    shop.answers(1)
    #expect(shop.take() == ["answer 1 a3"])
    #expect(shop.schedule.jobs.isEmpty)
  }

  @Test("images need no opening")
  func images() {
    let shop = Shop()
    shop.ask("", 0, .visible, as: 1)
    #expect(shop.take() == ["spawn 1 images", "send image0 to 1"])
  }

  @Test("equal jobs are done once, and every waiter is answered")
  func coalescing() {
    let shop = Shop()
    shop.ask("a", 3, .thumbnail, as: 1)
    shop.ask("a", 3, .thumbnail, as: 2)
    #expect(shop.take() == ["spawn 1 a"])
    shop.opens(1)
    shop.ask("a", 3, .visible, as: 3)
    shop.answers(1)
    #expect(shop.take() == ["send a3 to 1", "answer 1 a3", "answer 2 a3", "answer 3 a3"])
  }

  @Test("visible pages come before next ones, then thumbnails, then the background")
  func priorities() {
    let shop = Shop()
    shop.busy(with: ["x", "y"])
    let order: [PrintPriority] = [.background, .thumbnail, .next, .visible, .visible]
    for (page, priority) in order.enumerated() {
      shop.ask("x", page, priority, as: UInt64(10 + page))
    }
    for _ in 0..<6 { shop.answers(1) }
    #expect(
      shop.take() == [
        "answer 1 x99", "send x4 to 1", "answer 14 x4", "send x3 to 1", "answer 13 x3",
        "send x2 to 1", "answer 12 x2", "send x1 to 1", "answer 11 x1", "send x0 to 1",
        "answer 10 x0",
      ]
    )
  }

  @Test("a more urgent request for a waiting job moves it up")
  func raising() {
    let shop = Shop()
    shop.busy(with: ["x", "y"])
    shop.ask("x", 0, .thumbnail, as: 10)
    shop.ask("x", 1, .thumbnail, as: 11)
    shop.ask("x", 1, .visible, as: 12)
    shop.answers(1)
    #expect(shop.take() == ["answer 1 x99", "send x1 to 1"])
  }

  @Test("a job leaves the queue with its last waiter, which is not answered")
  func cancelling() {
    let shop = Shop()
    shop.busy(with: ["x", "y"])
    shop.ask("x", 0, .visible, as: 10)
    shop.ask("x", 0, .visible, as: 11)
    shop.ask("x", 1, .visible, as: 12)
    shop.schedule.cancel(10, at: shop.time)
    #expect(shop.schedule.jobs.count == 4)
    shop.schedule.cancel(11, at: shop.time)
    #expect(shop.schedule.jobs.count == 3)
    shop.answers(1)
    #expect(shop.take() == ["answer 1 x99", "send x1 to 1"])
    // A job in progress is finished without a waiter.
    shop.schedule.cancel(12, at: shop.time)
    shop.answers(1)
    #expect(shop.take() == [])
    #expect(shop.schedule.jobs.count == 1)
  }

  @Test("the press that has been idle longest is ended for another document")
  func leastRecentlyUsed() {
    let shop = Shop()
    shop.busy(with: ["x", "y"])
    shop.answers(1)
    shop.time += 1
    shop.answers(2)
    _ = shop.take()
    shop.ask("z", 0, .visible, as: 10)
    #expect(shop.take() == ["kill 1"])
    shop.exits(1)
    #expect(shop.take() == ["spawn 3 z"])
  }

  @Test("the book that a reader looks at keeps its press from the background for a while")
  func keeping() {
    let shop = Shop()
    shop.busy(with: ["x", "y"])
    shop.answers(1)
    _ = shop.take()
    shop.ask("z", 0, .background, as: 10)
    #expect(shop.take() == [])
    let due = shop.schedule.nextDue(after: shop.time)
    #expect(due == 2)
    shop.time = 2
    shop.schedule.advance(to: shop.time)
    #expect(shop.take() == ["kill 1"])
  }

  @Test("a press that has been idle for a minute is ended")
  func idle() {
    let shop = Shop()
    shop.busy(with: ["x", "y"])
    shop.answers(1)
    _ = shop.take()
    shop.time = 59.9
    shop.schedule.paused(shop.number(2))
    shop.schedule.advance(to: shop.time)
    #expect(shop.take() == [])
    #expect(shop.schedule.nextDue(after: shop.time) == 60)
    shop.time = 60
    shop.schedule.advance(to: shop.time)
    #expect(shop.take() == ["kill 1"])
  }

  @Test("a request that takes too long kills its press, is answered and is not retried")
  func deadlines() {
    let shop = Shop()
    shop.busy(with: ["x", "y"])
    _ = shop.take()
    #expect(shop.schedule.nextDue(after: shop.time) == 15)
    shop.time = 15
    shop.schedule.advance(to: shop.time)
    #expect(
      shop.take() == [
        "answer 1 \(PressFault.tookTooLong(page: 99))", "kill 1",
        "answer 2 \(PressFault.tookTooLong(page: 99))", "kill 2",
      ]
    )
  }

  @Test("a crash of a press uses up one of its job's two attempts, and the second uses a new press")
  func deaths() {
    let shop = Shop()
    shop.busy(with: ["x", "x"])
    shop.answers(2)
    _ = shop.take()
    shop.exits(1)
    // The idle press of the same document is not new; a slot is free.
    #expect(shop.take() == ["spawn 3 x"])
    shop.opens(3)
    shop.exits(3)
    #expect(shop.take() == ["send x99 to 3", "answer 1 \(PressFault.stopped(page: nil))"])
  }

  @Test("a job that used up its CPU time is not retried")
  func spent() {
    let shop = Shop()
    shop.busy(with: ["x", "y"])
    _ = shop.take()
    shop.schedule.exited(shop.number(1), fault: .tookTooLong(page: 99), at: shop.time)
    #expect(shop.take() == ["answer 1 \(PressFault.tookTooLong(page: 99))"])
  }

  @Test("all waiters for a document that cannot be opened get the reason")
  func refusals() {
    let shop = Shop()
    for page in 0..<4 { shop.ask("a", page, .visible, as: UInt64(page)) }
    _ = shop.take()
    shop.schedule.refused(shop.number(1), fault: .encrypted, at: shop.time)
    let fault = "\(PressFault.encrypted)"
    #expect(
      shop.take() == ["answer 0 \(fault)", "answer 2 \(fault)", "answer 3 \(fault)", "kill 1"]
    )
    shop.schedule.refused(shop.number(2), fault: .encrypted, at: shop.time)
    #expect(shop.take() == ["answer 1 \(fault)", "kill 2"])
    #expect(shop.schedule.jobs.isEmpty)
  }

  @Test("the background never occupies all presses")
  func reserve() {
    let shop = Shop()
    for page in 0..<3 { shop.ask("a", page, .background, as: UInt64(page)) }
    #expect(shop.take() == ["spawn 1 a"])
    shop.ask("b", 0, .visible, as: 9)
    #expect(shop.take() == ["spawn 2 b"])
  }

  @Test("a visible page that waits half a second interrupts lesser work, which is not lost")
  func interruption() {
    let shop = Shop()
    shop.busy(with: ["x", "y"], priority: .thumbnail)
    _ = shop.take()
    shop.ask("z", 0, .visible, as: 10)
    #expect(shop.take() == [])
    #expect(shop.schedule.nextDue(after: shop.time) == 0.5)
    shop.time = 0.5
    shop.schedule.advance(to: shop.time)
    #expect(shop.take() == ["kill 2"])
    shop.exits(2)
    #expect(shop.take() == ["spawn 3 z"])
    shop.answers(1)
    shop.opens(3)
    shop.answers(3)
    // The thumbnail of y gets its turn again.
    #expect(
      shop.take() == ["answer 1 x99", "kill 1", "send z0 to 3", "answer 10 z0"]
    )
    shop.exits(1)
    #expect(shop.take() == ["spawn 4 y"])
  }

  @Test("a job that has waited for twenty seconds goes ahead of its turn, one at a time")
  func starvation() {
    let shop = Shop()
    shop.ask("a", 0, .background, as: 1)
    shop.opens(1)
    shop.ask("a", 1, .background, as: 2)
    _ = shop.take()
    var ahead = 0
    while shop.schedule.jobs.values.contains(where: { $0.waiters.map(\.id) == [2] }), ahead < 100 {
      shop.time += 1
      for page in 0..<3 {
        let number = 1000 + 3 * ahead + page
        shop.ask("a", number, .next, as: UInt64(number))
      }
      for press in shop.schedule.presses.keys.sorted() {
        shop.schedule.opened(press, at: shop.time)
        shop.schedule.answered(press, .success(""), at: shop.time)
      }
      ahead += 1
    }
    #expect((20...23).contains(ahead))
  }

  @Test("when there are too many jobs, the oldest thumbnail is dropped and its waiter is informed")
  func bounded() {
    var limits = ScheduleLimits()
    limits.queue = 3
    let shop = Shop(limits: limits)
    shop.busy(with: ["x", "y"])
    _ = shop.take()
    shop.ask("x", 0, .visible, as: 10)
    shop.ask("x", 1, .thumbnail, as: 11)
    shop.ask("x", 2, .thumbnail, as: 12)
    shop.ask("x", 3, .background, as: 13)
    #expect(shop.take() == ["answer 11 \(PressFault.busy)"])
  }

  @Test("an extraction may last as long as parts arrive, and ends with its waiter")
  func extraction() {
    let shop = Shop()
    let work = PressWork(source: .document(path: "a", password: ""), task: .extract(1, .standard))
    shop.schedule.ask(work, for: Waiter(id: 1, requester: .library, priority: .background), at: 0)
    shop.opens(1)
    _ = shop.take()
    for _ in 0..<5 {
      shop.time += 300
      shop.schedule.advance(to: shop.time)
      shop.schedule.sentPart(shop.number(1), at: shop.time)
    }
    #expect(shop.take() == [])
    shop.schedule.paused(shop.number(1))
    shop.time += 10_000
    shop.schedule.advance(to: shop.time)
    #expect(shop.take() == [])
    shop.schedule.cancel(1, at: shop.time)
    #expect(shop.take() == ["kill 1"])
  }

  @Test("after a stop every request is answered and no job starts")
  func stopping() {
    let shop = Shop()
    shop.busy(with: ["x", "y"])
    shop.ask("x", 5, .visible, as: 3)
    _ = shop.take()
    shop.schedule.stop()
    let fault = "\(PressFault.closing)"
    let effects = shop.take()
    #expect(
      Set(effects) == [
        "answer 1 \(fault)", "answer 2 \(fault)", "answer 3 \(fault)", "kill 1", "kill 2",
      ]
    )
    shop.exits(1)
    shop.exits(2)
    shop.ask("x", 0, .visible, as: 4)
    #expect(shop.take() == ["answer 4 \(fault)"])
  }
}

/// A schedule with shortcuts for tests.
///
/// Presses are numbered in the order of their start.
final class Shop {
  var schedule: PressSchedule<String>
  var time = 0.0
  /// The schedule's own numbers, by the numbers of the test minus 1.
  private var numbers: [UInt64] = []
  private var sources: [PressSource] = []

  init(limits: ScheduleLimits = ScheduleLimits()) { schedule = PressSchedule(limits: limits) }

  func ask(
    _ book: String,
    _ page: Int,
    _ priority: PrintPriority,
    as waiter: UInt64,
    for requester: Requester = .library
  ) {
    let work =
      book.isEmpty
      ? PressWork(source: .images, task: .image(path: "image\(page)", page: page, height: 9))
      : PressWork(source: .document(path: book, password: ""), task: .render(page: page, height: 9))
    let waiter = Waiter(id: waiter, requester: requester, priority: priority)
    schedule.ask(work, for: waiter, at: time)
  }

  /// Keeps presses busy with page 99 of these books, requested by 1, 2, and so on.
  func busy(with books: [String], priority: PrintPriority = .visible) {
    for (index, book) in books.enumerated() {
      ask(book, index > 0 && books[0] == book ? 98 : 99, priority, as: UInt64(index + 1))
    }
    _ = take()
    for press in 1...UInt64(books.count) { opens(press) }
    _ = take()
  }

  func opens(_ press: UInt64) {
    settle()
    schedule.opened(number(press), at: time)
  }

  func answers(_ press: UInt64) {
    let id = number(press)
    guard let job = schedule.presses[id]?.job, let work = schedule.jobs[job]?.work else { return }
    schedule.answered(id, .success(Self.name(work)), at: time)
  }

  func exits(_ press: UInt64) {
    schedule.exited(number(press), fault: .stopped(page: nil), at: time)
  }

  private var log: [String] = []

  private func settle() {
    while let effect = schedule.nextEffect() { log.append(word(effect)) }
  }

  /// The effects since the last call.
  func take() -> [String] {
    settle()
    defer { log = [] }
    return log
  }

  func number(_ press: UInt64) -> UInt64 {
    numbers.indices.contains(Int(press) - 1) ? numbers[Int(press) - 1] : press
  }

  private func word(_ effect: PressSchedule<String>.Effect) -> String {
    func ours(_ press: UInt64) -> Int { (numbers.firstIndex(of: press) ?? -1) + 1 }
    switch effect {
    case .spawn(let press, let source):
      numbers.append(press)
      sources.append(source)
      if case .document(let path, _, _) = source { return "spawn \(numbers.count) \(path)" }
      return "spawn \(numbers.count) images"
    case .send(let task, _, let press):
      let source = sources[ours(press) - 1]
      return "send \(Self.name(PressWork(source: source, task: task))) to \(ours(press))"
    case .kill(let press): return "kill \(ours(press))"
    case .answer(let waiter, .success(let answer)): return "answer \(waiter) \(answer)"
    case .answer(let waiter, .failure(let fault)): return "answer \(waiter) \(fault)"
    }
  }

  static func name(_ work: PressWork) -> String {
    switch (work.source, work.task) {
    case (.document(let path, _, _), let task): "\(path)\(task.pageNumber ?? -1)"
    case (.images, .image(let path, _, _)): path
    default: "?"
    }
  }
}

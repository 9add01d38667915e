import PressProtocol
import TestVectors
import Testing

@testable import Pressroom

@Suite("Press schedule, fairness")
struct PressroomFairnessTests {
  private let ann = Requester("ann")
  private let bob = Requester("bob")

  /// Completes jobs on the only press with this book until no job waits; returns the order of
  /// pages.
  private func drain(_ shop: Shop, atMost count: Int = 1000) -> [String] {
    var order: [String] = []
    for _ in 0..<count {
      shop.answers(1)
      let sent = shop.take().filter { $0.hasPrefix("send") }
      if sent.isEmpty { break }
      order += sent.map { String($0.dropFirst(5).prefix { $0 != " " }) }
    }
    return order
  }

  @Test("hundreds of large pictures of one requester delay another by at most one of them")
  func flood() {
    for priority in [PrintPriority.visible, .sharp, .next, .thumbnail, .unseen] {
      let shop = Shop()
      shop.busy(with: ["x", "y"])
      for page in 0..<450 { shop.ask("x", page, priority, as: UInt64(100 + page), for: ann) }
      shop.ask("x", 1000, .next, as: 10, for: bob)
      shop.ask("x", 1001, .unseen, as: 11, for: bob)
      shop.ask("x", 1002, .visible, as: 12, for: bob)
      let order = drain(shop, atMost: 6)
      #expect(order.prefix(2).contains("x1002"), "\(priority)")
      #expect(order.prefix(4).contains("x1000"), "\(priority)")
      #expect(order.prefix(6).contains("x1001"), "\(priority)")
    }
  }

  @Test("among one requester's jobs the most urgent comes first, and among those the newest")
  func order() {
    let shop = Shop()
    shop.busy(with: ["x", "y"])
    for (page, priority) in [
      PrintPriority.unseen, .thumbnail, .next, .sharp, .next, .thumbnail, .visible,
    ].enumerated() {
      shop.ask("x", page, priority, as: UInt64(100 + page), for: ann)
    }
    #expect(drain(shop) == ["x6", "x3", "x4", "x2", "x5", "x1", "x0"])
  }

  @Test("requesters take turns, in any order and with any number of jobs")
  func turns() {
    let shop = Shop()
    shop.busy(with: ["x", "y"])
    for page in 0..<6 { shop.ask("x", page, .thumbnail, as: UInt64(100 + page), for: ann) }
    for page in 10..<13 { shop.ask("x", page, .thumbnail, as: UInt64(100 + page), for: bob) }
    let order = drain(shop).map { Int($0.dropFirst()) ?? 0 }
    #expect(order.filter { $0 < 10 } == [5, 4, 3, 2, 1, 0])
    #expect(order.filter { $0 >= 10 } == [12, 11, 10])
    #expect(Set(order.prefix(6)) == [5, 4, 3, 12, 11, 10])
  }

  @Test(
    "a job that is requested again is the newest, and loses that request's urgency with its waiter"
  )
  func renewing() {
    let shop = Shop()
    shop.busy(with: ["x", "y"])
    for page in 0..<3 { shop.ask("x", page, .next, as: UInt64(100 + page), for: ann) }
    shop.ask("x", 0, .next, as: 200, for: ann)
    shop.ask("x", 1, .visible, as: 201, for: bob)
    shop.schedule.cancel(201, at: shop.time)
    #expect(shop.schedule.queues[PrintPriority.visible.rawValue].isEmpty)
    #expect(drain(shop) == ["x1", "x0", "x2"])
  }

  @Test("an address with many members gets no more turns than another")
  func manyMembers() {
    let shop = Shop()
    shop.busy(with: ["x", "y"])
    for page in 0..<60 {
      let member = Requester("ann", member: "\(page % 20)")
      shop.ask("x", page, .thumbnail, as: UInt64(100 + page), for: member)
    }
    for page in 100..<105 { shop.ask("x", page, .thumbnail, as: UInt64(100 + page), for: bob) }
    let order = drain(shop).map { Int($0.dropFirst()) ?? 0 }
    #expect(order.prefix(10).count { $0 >= 100 } == 5)
  }

  @Test("members at one address take turns")
  func neighbours() {
    let shop = Shop()
    shop.busy(with: ["x", "y"])
    let (greedy, modest) = (Requester("ann", member: "1"), Requester("ann", member: "2"))
    for page in 0..<450 { shop.ask("x", page, .unseen, as: UInt64(100 + page), for: greedy) }
    shop.ask("x", 1000, .unseen, as: 10, for: modest)
    #expect(drain(shop, atMost: 3).contains("x1000"))
  }

  @Test("a claim to look at pages interrupts others only up to an equal share")
  func claims() {
    let eve = Requester("eve")
    for (others, greedy, killed) in [
      ([ann, ann], eve, ["kill 2"]), ([ann, bob], eve, ["kill 2"]), ([ann, bob], ann, ["kill 1"]),
      ([eve, eve], eve, ["kill 2", "kill 1"]),
    ] {
      let shop = Shop()
      for (index, book) in ["x", "y"].enumerated() {
        shop.ask(book, 0, .thumbnail, as: UInt64(index + 1), for: others[index])
        shop.opens(UInt64(index + 1))
        shop.time += 0.01
      }
      _ = shop.take()
      for page in 0..<2 { shop.ask("z", page, .visible, as: UInt64(10 + page), for: greedy) }
      shop.time += 1
      shop.schedule.advance(to: shop.time)
      #expect(shop.take() == killed)
    }
  }

  @Test("when there are too many jobs, the requester with the most loses one")
  func bounded() {
    var limits = ScheduleLimits()
    limits.queue = 10
    let shop = Shop(limits: limits)
    shop.busy(with: ["x", "y"])
    shop.ask("x", 500, .thumbnail, as: 10, for: bob)
    _ = shop.take()
    for page in 0..<40 { shop.ask("x", page, .unseen, as: UInt64(100 + page), for: ann) }
    let told = shop.take()
    #expect(told.count == 31 && told.allSatisfy { $0.hasSuffix("\(PressFault.busy)") })
    #expect(told.first == "answer 100 \(PressFault.busy)")
    #expect(shop.schedule.jobs.values.contains { $0.waiters.map(\.id) == [10] })
  }

  @Test("no requester waits for more than an equal share, however many requests there are")
  func shares() {
    for seed in UInt64(0)..<60 {
      var random = SplitMix64(seed: seed)
      let shop = Shop()
      shop.busy(with: ["x", "y"])
      let greedy = (0..<Int.random(in: 1...5, using: &random)).map { Requester("greedy \($0)") }
      var waiter: UInt64 = 1000
      for requester in greedy {
        for _ in 0..<Int.random(in: 20...200, using: &random) {
          let priority = [PrintPriority.visible, .sharp, .next, .thumbnail, .unseen].randomElement(
            using: &random
          )
          waiter += 1
          shop.ask("x", Int(waiter), priority ?? .next, as: waiter, for: requester)
        }
      }
      // Some requesters have been served for a while before the modest one arrives.
      _ = drain(shop, atMost: Int.random(in: 0...15, using: &random))
      for round in 0..<5 {
        let page = 100_000 + round
        shop.ask("x", page, .thumbnail, as: UInt64(page), for: bob)
        let order = drain(shop, atMost: greedy.count + 1)
        #expect(order.contains("x\(page)"), "seed \(seed)")
      }
    }
  }
}

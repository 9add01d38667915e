import Dispatch
import Foundation
import Synchronization
import Testing
import WebServer

/// Numbers sent from another thread.
final class Counts: Sendable {
  private let numbers = Mutex<[Int]>([])
  private let arrivals = DispatchSemaphore(value: 0)

  func add(_ number: Int) {
    numbers.withLock { $0.append(number) }
    arrivals.signal()
  }

  /// Returns the first numbers as soon as they have arrived.
  func wait(for count: Int) -> [Int] {
    for _ in 0..<count {
      guard arrivals.wait(timeout: .now() + 10) == .success else { break }
    }
    return numbers.withLock { $0 }
  }
}

/// Resumes a body repeatedly, from a separate thread.
final class Resumer: Sendable {
  private let isStopped = Atomic(false)

  init(server: TestServer, path: String) {
    Thread.detachNewThread { [self, mailbox = server.mailbox] in
      while !isStopped.load(ordering: .relaxed) {
        let turn = DispatchSemaphore(value: 0)
        mailbox.performInTest {
          $0.resumeBody(path)
          turn.signal()
        }
        // A stopped server drops the work.
        _ = turn.wait(timeout: .now() + 1)
      }
    }
  }

  func stop() { isStopped.store(true, ordering: .relaxed) }
}

@Suite("Work from other threads")
struct MailboxTests {
  @Test("all work is done, in order for each thread")
  func manyThreads() throws {
    let server = try TestServer()
    let threads = 8
    let each = 2000
    let counts = Counts()
    for thread in 0..<threads {
      Thread.detachNewThread { [mailbox = server.mailbox] in
        for turn in 0..<each { mailbox.perform { _ in counts.add(thread * each + turn) } }
      }
    }
    let done = counts.wait(for: threads * each)
    #expect(done.count == threads * each)
    for thread in 0..<threads {
      let own = done.filter { $0 / each == thread }
      #expect(own == Array(thread * each..<(thread + 1) * each))
    }
  }

  @Test("a response created on another thread reaches its request")
  func answers() throws {
    let server = try TestServer()
    let clients = (0..<8).map { _ in RawSocket(port: server.port) }
    for round in 0..<20 {
      for (index, client) in clients.enumerated() {
        client.writeHead("GET", "/later/\(round)/\(index)")
      }
      for _ in clients {
        guard case .asked(let path) = server.probe.next() else {
          Issue.record("A request was lost")
          return
        }
        Thread.detachNewThread { [mailbox = server.mailbox] in
          mailbox.performInTest { $0.answer(to: path) }
        }
      }
      for (index, client) in clients.enumerated() {
        #expect(client.readResponse()?.text == "to /later/\(round)/\(index)")
      }
    }
  }

  @Test("work that creates more work does not block the server")
  func chain() throws {
    let server = try TestServer()
    let counts = Counts()
    @Sendable func go(_ left: Int) {
      counts.add(left)
      if left > 0 { server.perform { _ in go(left - 1) } }
    }
    server.perform { _ in go(1000) }
    #expect(RawSocket(port: server.port).request("GET", "/healthz")?.text == "{}")
    #expect(counts.wait(for: 1001).last == 0)
  }

  @Test("work after the stop is dropped, with everything that it holds")
  func afterwards() throws {
    final class Held: Sendable {}
    let server = try TestServer()
    server.stop()
    #expect(server.ends(within: 5))
    weak var held: Held?
    do {
      let holder = Held()
      held = holder
      server.perform { _ in
        Issue.record("A stopped server works: \(holder)")
      }
    }
    #expect(held == nil)
  }
}

import Foundation
import Synchronization
import TestVectors
import Testing

@testable import WebServer

@Suite("The queue of downloads")
struct DownloadQueueTests {
  private func id(_ number: Int) -> RequestID { RequestID(slot: UInt32(number), generation: 0) }

  @Test("a turn is bounded, every download gets its share, and all of them end")
  func turns() {
    for seed in UInt64(0)..<50 {
      var random = SplitMix64(seed: seed)
      let count = Int.random(in: 1...300, using: &random)
      var left = (0..<count).map { _ in Int.random(in: 1...2_000_000, using: &random) }
      var queue = DownloadQueue()
      for number in 0..<count { queue.add(id(number)) }
      var last = Array(repeating: 0, count: count)
      var turn = 0
      while !queue.isEmpty {
        turn += 1
        queue.beginTurn()
        var (bytes, calls) = (0, 0)
        while let (response, share) = queue.next() {
          let number = Int(response.slot)
          let sent = min(left[number], Int.random(in: 0...share, using: &random))
          left[number] -= sent
          bytes += sent
          calls += 1
          queue.note(sent: sent)
          // Nobody waits longer than it takes to give each of the others a share.
          let wait = 1 + (count * DownloadQueue.share + DownloadQueue.turn) / DownloadQueue.turn
          #expect(turn - last[number] <= wait, "seed \(seed)")
          last[number] = turn
          if left[number] > 0 { queue.add(response) }
        }
        #expect(bytes <= DownloadQueue.turn, "seed \(seed)")
        #expect(calls <= DownloadQueue.turn / DownloadQueue.least, "seed \(seed)")
        guard turn < 100_000 else { break }
      }
      #expect(left.allSatisfy { $0 == 0 }, "seed \(seed)")
    }
  }

  @Test("downloads that can always continue get the same")
  func fairness() {
    var queue = DownloadQueue()
    var sent = Array(repeating: 0, count: 50)
    for number in sent.indices { queue.add(id(number)) }
    for _ in 0..<200 {
      queue.beginTurn()
      while let (response, share) = queue.next() {
        sent[Int(response.slot)] += share
        queue.note(sent: share)
        queue.add(response)
      }
      let (least, most) = (sent.min() ?? 0, sent.max() ?? 0)
      #expect(most - least <= DownloadQueue.share)
    }
    #expect(sent.reduce(0, +) == 200 * DownloadQueue.turn && queue.count == 50)
  }
}

@Suite("Downloads beside other work", .timeLimit(.minutes(10)))
struct DownloadTests {
  /// What was sent at each turn of the loop.
  private struct Notes {
    var sums: [Int] = []
    var isOver = false
  }

  /// Notes at each turn how many bytes of unfinished responses were sent.
  private static func note(_ server: WebServer, in notes: Box<Mutex<Notes>>) {
    let sum = server.exchanges.all.reduce(0) { $0 + ($1.transfer?.sent ?? 0) }
    let isOver = notes.value.withLock { notes in
      if notes.sums.last != sum { notes.sums.append(sum) }
      return notes.isOver
    }
    if !isOver { server.mailbox.perform { note($0, in: notes) } }
  }

  @Test("the loop looks at its sockets after each turn, however many downloads there are")
  func turns() throws {
    let server = try TestServer()
    let clients = (0..<12).map { _ in RawSocket(port: server.port) }
    let notes = Box(Mutex(Notes()))
    server.perform { application in
      if let server = application.server { Self.note(server, in: notes) }
    }
    for client in clients { client.writeHead("GET", "/large") }
    let done = DispatchSemaphore(value: 0)
    let body = [UInt8](repeating: 7, count: 3_000_000)
    let wrong = Box(Mutex(0))
    for client in clients.map({ Unowned(value: $0) }) {
      Thread.detachNewThread {
        if client.value.readResponse()?.body != body { wrong.value.withLock { $0 += 1 } }
        done.signal()
      }
    }
    // A WebSocket is answered all the time.
    let webSocket = RawSocket(port: server.port)
    #expect(webSocket.upgrade()?.status == 101)
    for number in UInt8(0)..<100 {
      webSocket.writeFrame(opcode: 2, [number])
      #expect(webSocket.readFrame() == .init(opcode: 2, payload: [number]))
    }
    for _ in clients { done.wait() }
    #expect(wrong.value.withLock { $0 } == 0)
    let noted = notes.value.withLock { notes in
      notes.isOver = true
      return notes.sums
    }
    #expect(noted.count > 20)
    for (before, after) in zip(noted, noted.dropFirst()) {
      #expect(after - before <= DownloadQueue.turn)
    }
  }

  @Test("downloads end while many WebSockets send as fast as they can")
  func webSockets() throws {
    let server = try TestServer {
      $0.limits.webSockets.receivedBytes = .init(perSecond: 1e9, burst: 1e9)
      $0.limits.webSockets.receivedBytesPerAddress = .init(perSecond: 1e9, burst: 1e9)
    }
    let isOver = Box(Mutex(false))
    let done = DispatchSemaphore(value: 0)
    for _ in 0..<4 {
      let port = server.port
      Thread.detachNewThread {
        let socket = RawSocket(port: port)
        _ = socket.upgrade()
        while !isOver.value.withLock({ $0 }) {
          for _ in 0..<50 { socket.writeFrame(opcode: 2, [1]) }
          for _ in 0..<50 { _ = socket.readFrame() }
        }
        done.signal()
      }
    }
    for _ in 0..<10 {
      let response = RawSocket(port: server.port).request("GET", "/large")
      #expect(response?.body.count == 3_000_000)
    }
    isOver.value.withLock { $0 = true }
    for _ in 0..<4 { done.wait() }
  }
}

/// Passes a value to one other thread.
struct Unowned<Value>: @unchecked Sendable {
  let value: Value
}

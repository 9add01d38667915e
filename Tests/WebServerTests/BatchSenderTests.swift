import Glibc
import Testing

@testable import WebServer

@Suite("Sending the same bytes to many sockets")
struct BatchSenderTests {
  private func send(_ bytes: [UInt8], to sockets: [Int32], with sender: BatchSender) -> [Int32] {
    // What an earlier sending left must not remain.
    var results: [Int32] = [7, 7, 7]
    bytes.withUnsafeBytes { sender.send($0, to: sockets, results: &results) }
    return results
  }

  /// Sends to sockets of all conditions, mixed, and checks each result and what has arrived.
  private func expectResults(with sender: BatchSender, count: Int = 600) {
    let pairs = (0..<count).map { _ in SocketPair() }
    for (index, pair) in pairs.enumerated() {
      if index % 5 == 1 { pair.fill() }
      if index % 5 == 3 { pair.breakUp() }
    }
    let sockets = pairs.enumerated().map { $0 % 5 == 4 ? -1 : $1.near }
    let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let results = send(bytes, to: sockets, with: sender)
    #expect(results.count == count)
    for (index, result) in results.enumerated() {
      switch index % 5 {
      case 1: #expect(result == -EAGAIN, "\(index)")
      case 3: #expect(result == -EPIPE, "\(index)")
      case 4: #expect(result == -EBADF, "\(index)")
      default:
        #expect(result == 300, "\(index)")
        #expect(pairs[index].received() == bytes, "\(index)")
      }
    }
  }

  @Test(
    "each socket has its own result, in order, with a ring and without",
    arguments: [true, false]
  )
  func results(usesRing: Bool) {
    let sender = BatchSender(usesRing: usesRing)
    expectResults(with: sender)
    // The ring is reused.
    expectResults(with: sender, count: 9)
    if !usesRing { #expect(!sender.hasRing) }
  }

  @Test("a socket accepts a part, and later the rest", arguments: [true, false])
  func parts(usesRing: Bool) {
    let sender = BatchSender(usesRing: usesRing)
    let pairs = (0..<8).map { _ in SocketPair() }
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 >> 3) }
    let results = send(bytes, to: pairs.map(\.near), with: sender)
    for (pair, result) in zip(pairs, results) {
      #expect(result > 0 && result < 1_000_000)
      var (arrived, sent) = (pair.received(), Int(result))
      #expect(arrived == Array(bytes.prefix(sent)))
      while sent < bytes.count {
        let more = bytes[sent...].withUnsafeBytes { BatchSender.send($0, to: pair.near) }
        guard more > 0 else { break }
        sent += Int(more)
        arrived += pair.received()
      }
      #expect(arrived == bytes)
    }
  }

  @Test("a ring that may not be opened is tried once, and each socket is sent to by itself")
  func forbidden() {
    var tries = 0
    let sender = BatchSender(usesRing: true) { _ in
      tries += 1
      return nil
    }
    for _ in 0..<3 { expectResults(with: sender, count: 20) }
    #expect(tries == 1 && !sender.hasRing)
  }

  @Test("a ring that fails is closed, and every socket still gets the bytes once")
  func failing() {
    // A ring of one entry cannot hold the sends of a batch.
    let sender = BatchSender(usesRing: true) { _ in BatchSender.openRing(depth: 1) }
    for _ in 0..<2 {
      expectResults(with: sender)
      #expect(!sender.hasRing)
    }
  }

  @Test("a ring is opened for several sockets only, and not if it is unwanted")
  func sparing() {
    var tries = 0
    func sender(usesRing: Bool) -> BatchSender {
      BatchSender(usesRing: usesRing) { _ in
        tries += 1
        return nil
      }
    }
    expectResults(with: sender(usesRing: true), count: 2)
    expectResults(with: sender(usesRing: false), count: 20)
    #expect(send([1], to: [], with: sender(usesRing: true)).isEmpty)
    #expect(tries == 0)
  }
}

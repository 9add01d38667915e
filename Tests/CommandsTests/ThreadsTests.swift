import Dispatch
import Fabric
import Foundation
import HeadlessReader
import Motion
import Synchronization
import Testing
import Wire

@testable import Commands
@testable import Gateway

/// Which service thread serves a member.
@Suite("The threads of members", .timeLimit(.minutes(10)))
struct ThreadsTests {
  private static let key = "the-key-of-the-library"

  /// Starts a server with four threads, on each of which a number of members of a room fit.
  private func serve(_ folder: SampleFolder, membersPerThread: Int) throws -> ServingThread {
    try ServingThread(folder) {
      $0.keys.library = Self.key
      $0.threads = 4
      $0.membersPerThread = membersPerThread
    }
  }

  /// Returns how many members each thread serves, beginning with the thread of a room.
  private func counts(_ server: ServingThread, from room: String) -> [Int] {
    let found = Box(Mutex([Int](repeating: 0, count: server.threads.count)))
    for (index, thread) in server.threads.threads.enumerated() {
      let done = DispatchSemaphore(value: 0)
      thread.performOnGateway { gateway in
        let count = gateway.gateway.slotsByMember.count
        found.value.withLock { $0[index] = count }
        done.signal()
      }
      done.wait()
    }
    let home = server.threads.index(ofRoom: room)
    let counts = found.value.withLock { $0 }
    return Array(counts[home...] + counts[..<home])
  }

  @Test("members are served by the thread of their room, whichever accepted them")
  func small() throws {
    let folder = try SampleFolder()
    let server = try serve(folder, membersPerThread: 256)
    let readers = try (0..<8).map { _ in try server.reader("SMALL") }
    #expect(counts(server, from: readers[0].room) == [8, 0, 0, 0])
    try readers[0].openFirstBook()
    let last = try #require(readers[0].latest)
    for reader in readers { try reader.waitForFrame { $0.frame.number == last.number } }
  }

  @Test("a large room takes further threads in turn, and all members see the same")
  func large() throws {
    let folder = try SampleFolder()
    let server = try serve(folder, membersPerThread: 2)
    var readers = try (0..<9).map { _ in try server.reader("LARGE") }
    let room = readers[0].room
    #expect(counts(server, from: room) == [3, 2, 2, 2])
    try readers[0].openFirstBook()
    let opened = try #require(readers[0].latest)
    for reader in readers { try reader.waitForFrame { $0.frame.number == opened.number } }
    // What those members send reaches the room, and their departure too.
    for reader in readers { try reader.exchangeClock() }
    for reader in readers.suffix(4) { reader.close() }
    readers.removeLast(4)
    let rest = readers[0]
    while rest.people.values.count(where: { !$0.state.contains(.isAway) }) > 5 {
      try rest.collect(for: 0.01)
    }
    #expect(counts(server, from: room).reduce(0, +) == 5)
    readers.append(try server.reader("LARGE"))
    #expect(counts(server, from: room).reduce(0, +) == 6)
  }

  @Test("messages over a quota are counted whichever thread drops them")
  func dropped() async throws {
    let folder = try SampleFolder()
    let server = try serve(folder, membersPerThread: 256)
    // The first thread has the admin endpoint; of twenty rooms, some are on others.
    let readers = try (0..<20).map { try server.reader("R\($0)") }
    let other = try #require(readers.first { server.threads.index(ofRoom: $0.room) != 0 })
    for _ in 0..<40 { other.send(.visibility(isVisible: true)) }
    try other.exchangeClock()
    let lines = try await server.get("/metrics", isForAdmin: true).body.split(separator: "\n")
    let line = lines.first { $0.hasPrefix(#"lectern_inputs_rejected_total{reason="rate"}"#) }
    let count = try #require(line?.split(separator: " ").last.flatMap { Int($0) })
    #expect(count > 0)
  }

  @Test("what a client sends in one piece with its hello is handled after it")
  func pieces() throws {
    let folder = try SampleFolder()
    let server = try serve(folder, membersPerThread: 256)
    let owner = try server.reader("PIECES")
    // The kernel chooses the thread of a connection: of ten, some are on another one.
    for _ in 0..<10 {
      let socket = RawClient(port: server.port)
      let hello = Hello(room: owner.room, key: Self.key, viewport: .plain)
      socket.send([.hello(hello), .clock(clientTime: 7), .clock(clientTime: 8)])
      var times: [Double] = []
      while times.count < 2, let bytes = socket.receive() {
        if case .clock(let clientTime, _)? = try? ServerMessage(decoding: bytes) {
          times.append(clientTime)
        }
      }
      #expect(times == [7, 8])
    }
  }
}

/// A WebSocket that sends several messages at once.
private final class RawClient {
  private let descriptor: Int32
  private var buffered: [UInt8] = []

  init(port: Int) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    write(
      Array(
        """
        GET /ws HTTP/1.1\r
        Host: 127.0.0.1\r
        Upgrade: websocket\r
        Connection: Upgrade\r
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
        Sec-WebSocket-Version: 13\r
        Sec-WebSocket-Protocol: lectern.v1\r
        \r

        """.utf8
      )
    )
    while !buffered.suffix(4).elementsEqual([13, 10, 13, 10]), let byte = read(1) {
      buffered += byte
    }
    buffered = []
  }

  deinit { close(descriptor) }

  /// Sends messages of less than 64 kB in one write.
  func send(_ messages: [ClientMessage]) {
    write(
      messages.flatMap { message in
        let bytes = message.encoded()
        let head: [UInt8] =
          bytes.count < 126
          ? [0x80 | UInt8(bytes.count)]
          : [0x80 | 126, UInt8(bytes.count >> 8), UInt8(bytes.count & 0xff)]
        return [0x82] + head + [0, 0, 0, 0] + bytes
      }
    )
  }

  /// Returns the payload of the next frame; nil if there is none.
  func receive() -> [UInt8]? {
    guard let head = read(2) else { return nil }
    var count = Int(head[1] & 0x7f)
    if count >= 126 {
      guard let length = read(count == 126 ? 2 : 8) else { return nil }
      count = length.reduce(0) { $0 << 8 | Int($1) }
    }
    return read(count)
  }

  private func write(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, 0) }
  }

  private func read(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let found = recv(descriptor, &bytes, count, Int32(MSG_WAITALL))
    return found == count ? bytes : nil
  }
}

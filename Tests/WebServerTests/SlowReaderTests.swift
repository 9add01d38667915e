import Testing

@testable import WebServer

/// Readers that accept parts of frames, or nothing, or never answer, over real sockets.
@Suite("Slow and silent readers")
struct SlowReaderTests {
  private static let large = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 >> 4) }

  private func opened(_ server: TestServer, receiveBuffer: Int32? = nil) throws -> RawSocket {
    let client = RawSocket(port: server.port, receiveBuffer: receiveBuffer)
    try #require(client.upgrade()?.status == 101)
    #expect(server.probe.next() == .opened)
    return client
  }

  @Test("a frame that a socket accepted in part arrives complete, and the next one after it")
  func partialWrite() throws {
    let server = try TestServer()
    let client = try opened(server, receiveBuffer: 4096)
    let isRefused = server.ask { server -> Bool in
      let connection = server.webSockets.table.connections[0]
      let isAccepted = Self.large.withUnsafeBytes { server.webSockets.send(connection, $0) }
      #expect(isAccepted)
      #expect(server.webSockets.table[connection]?.rest.isEmpty == false)
      return [UInt8(5)].withUnsafeBytes { !server.webSockets.send(connection, $0) }
    }
    #expect(isRefused == true)
    #expect(client.readFrame() == .init(opcode: 2, payload: Self.large))
    #expect(server.probe.next() == .writable)
    client.writeFrame(opcode: 2, [9])
    #expect(client.readFrame() == .init(opcode: 2, payload: [9]))
  }

  @Test("a close frame follows the rest of a frame")
  func closeAfterRest() throws {
    let server = try TestServer()
    let client = try opened(server, receiveBuffer: 4096)
    _ = server.ask { server in
      let connection = server.webSockets.table.connections[0]
      _ = Self.large.withUnsafeBytes { server.webSockets.send(connection, $0) }
      server.webSockets.close(connection, code: 4003, reason: "over")
    }
    #expect(client.readFrame() == .init(opcode: 2, payload: Self.large))
    #expect(client.readFrame()?.closeCode == 4003)
    client.writeFrame(opcode: 8, [0x0f, 0xa3])
    #expect(client.isHungUp())
    #expect(server.probe.next() == .closed)
  }

  @Test("one slow reader among many gets whole messages only, and the others get all of them")
  func broadcast() throws {
    for usesRing in [true, false] {
      let server = try TestServer { $0.usesRing = usesRing }
      let slow = try opened(server, receiveBuffer: 4096)
      let quick = try (0..<8).map { _ in try opened(server) }
      let messages = [[UInt8](repeating: 1, count: 100), [UInt8](repeating: 2, count: 1000)]
      let rounds = 100
      let accepted = server.ask { server -> [Int] in
        let all = server.webSockets.table.connections
        var accepted = all.map { _ in 0 }
        for _ in 0..<rounds {
          var refused: [Int] = []
          (messages[0] + messages[1])
            .withUnsafeBytes {
              server.webSockets.send($0, [0..<100, 100..<1100], to: all, refused: &refused)
            }
          for place in all.indices where !refused.contains(place) { accepted[place] += 1 }
        }
        return accepted
      }
      for (client, count) in zip([slow] + quick, try #require(accepted)) {
        #expect(count > 0)
        for _ in 0..<count {
          for message in messages {
            #expect(client.readFrame() == .init(opcode: 2, payload: message))
          }
        }
      }
    }
  }

  @Test("a silent reader whose socket is full is disconnected too")
  func fullAndSilent() throws {
    let server = try TestServer {
      $0.limits.webSockets.secondsUntilPing = 1
      $0.limits.webSockets.secondsUntilHangup = 2
    }
    let client = try opened(server, receiveBuffer: 4096)
    _ = server.ask { server in
      _ = Self.large.withUnsafeBytes {
        server.webSockets.send(server.webSockets.table.connections[0], $0)
      }
    }
    #expect(server.probe.next() == .closed)
    #expect(server.ask { $0.webSockets.table.count } == 0)
    client.hangUp()
  }

  @Test("a reader that does not answer a close frame is cut, even after the time for silence")
  func unansweredClose() throws {
    let server = try TestServer {
      $0.limits.webSockets.secondsUntilPing = 1
      $0.limits.webSockets.secondsUntilHangup = 1
    }
    let client = try opened(server)
    _ = server.ask {
      $0.webSockets.close($0.webSockets.table.connections[0], code: 4003, reason: "over")
    }
    #expect(client.readFrame()?.closeCode == 4003)
    // The client leaves the connection open.
    #expect(server.probe.next(timeout: 30) == .closed)
    #expect(client.isHungUp())
  }
}

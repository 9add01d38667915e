import Testing
import WebServer

/// Responses to clients that violate RFC 6455, over real sockets.
@Suite("The server's handling of a client's frames")
struct FrameTests {
  private func opened(_ server: TestServer) throws -> RawSocket {
    let client = RawSocket(port: server.port)
    try #require(client.upgrade()?.status == 101)
    return client
  }

  @Test("a frame without a mask closes the connection with 1002, even if more frames follow")
  func unmasked() throws {
    let server = try TestServer()
    for count in [1, 1000] {
      let client = try opened(server)
      let frame = FrameBytes(first: 0x82, payload: [1, 2, 3], mask: nil).bytes
      client.write((0..<count).flatMap { _ in frame })
      #expect(client.readFrame()?.closeCode == 1002)
      #expect(client.isHungUp())
    }
    let events = (0..<4).compactMap { _ in server.probe.next() }
    #expect(events.filter { $0 == .closed }.count == 2)
    #expect(server.counted("disconnects_total") == ["1002": 2])
  }

  @Test("a message that is too long closes the connection with 1009, which the client receives")
  func tooLong() throws {
    let server = try TestServer()
    for count in [513, 4096, 5000, 65_535, 300_000] {
      for _ in 0..<10 {
        let client = try opened(server)
        client.write(FrameBytes(first: 0x82, payload: [UInt8](repeating: 1, count: count)).bytes)
        #expect(client.readFrame()?.closeCode == 1009, "\(count)")
        #expect(client.isHungUp())
      }
    }
  }

  @Test("a fragmented message is accepted, with a ping between its fragments")
  func parts() throws {
    let server = try TestServer()
    let client = try opened(server)
    client.write(FrameBytes(first: 0x02, payload: [1, 2]).bytes)
    client.write(FrameBytes(first: 0x89, payload: [9, 9]).bytes)
    client.write(FrameBytes(first: 0x00).bytes + FrameBytes(first: 0x80, payload: [3]).bytes)
    #expect(client.readFrame() == .init(opcode: 10, payload: [9, 9]))
    #expect(client.readFrame() == .init(opcode: 2, payload: [1, 2, 3]))
  }

  @Test("a close frame is answered with its own code, an invalid one with 1002 or 1007")
  func goodbyes() throws {
    let server = try TestServer()
    for (payload, code) in [
      ([0x03, 0xe8], 1000), ([0x0f, 0xa5], 4005), ([], 0), ([0x03, 0xed], 1002), ([0x03], 1002),
      ([0x03, 0xe8, 0xff, 0xff], 1007),
    ] as [([UInt8], UInt16)] {
      let client = try opened(server)
      client.writeFrame(opcode: 8, payload)
      let frame = client.readFrame()
      #expect(frame?.opcode == 8)
      #expect(frame?.closeCode == code, "\(payload)")
      #expect(client.isHungUp())
    }
  }

  @Test("a version other than 13 is answered with 426, and an invalid key with 400")
  func handshakes() throws {
    let server = try TestServer()
    let old = try #require(RawSocket(port: server.port).upgrade(version: "8"))
    #expect(old.status == 426)
    #expect(old.fields["sec-websocket-version"] == "13")
    for key in ["", "short", "dGhlIHNhbXBsZSBub25jZQ", "!!!!IHNhbXBsZSBub25jZQ=="] {
      #expect(RawSocket(port: server.port).upgrade(key: key)?.status == 400, "\(key)")
    }
    #expect(server.counted("handshakes_rejected_total") == ["version": 1, "key": 4])
  }

  @Test("a few pings are answered; a flood of control frames closes the connection with 1008")
  func pings() throws {
    let server = try TestServer()
    let client = try opened(server)
    for number in UInt8(0)..<10 {
      client.writeFrame(opcode: 9, [number])
      #expect(client.readFrame() == .init(opcode: 10, payload: [number]))
    }
    for opcode: UInt8 in [9, 10] {
      let flood = try opened(server)
      flood.write((0..<5000).flatMap { _ in FrameBytes(first: 0x80 | opcode).bytes })
      var frame = flood.readFrame()
      while frame?.opcode == 10 { frame = flood.readFrame() }
      #expect(frame?.closeCode == 1008)
      #expect(flood.isHungUp())
    }
    let parts = try opened(server)
    parts.write(FrameBytes(first: 0x02).bytes)
    parts.write((0..<5000).flatMap { _ in FrameBytes(first: 0x00).bytes })
    #expect(parts.readFrame()?.closeCode == 1008)
  }

  @Test("a client that sends far more than a reader does is closed with 1008")
  func bytes() throws {
    let server = try TestServer {
      $0.limits.webSockets.receivedBytes = .init(perSecond: 100, burst: 9000)
    }
    let client = try opened(server)
    let message = FrameBytes(first: 0x82, payload: [UInt8](repeating: 1, count: 500)).bytes
    for _ in 0..<30 { client.write(message) }
    var frame = client.readFrame()
    while frame?.opcode == 2 { frame = client.readFrame() }
    #expect(frame?.closeCode == 1008)
  }

  @Test("on a reused connection, no input may precede the response to the handshake")
  func earlyOnUsedConnection() throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port)
    #expect(client.request("GET", "/healthz")?.status == 200)
    client.write(
      "GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        + "Sec-WebSocket-Protocol: lectern.v1\r\n\r\nxxxxxxxx"
    )
    #expect(client.readResponse()?.status == 101)
    #expect(client.readFrame()?.closeCode == 1002)
  }
}

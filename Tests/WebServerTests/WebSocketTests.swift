import HeadlessReader
import TestLogs
import Testing
import WebServer

@Suite("WebSockets")
struct WebSocketTests {
  @Test("messages of up to 512 bytes reach the application complete, and return")
  func echo() throws {
    let server = try TestServer()
    let connection = ClientConnection(to: .init(port: server.port))
    #expect(connection.receive(timeout: 10) == .opened)
    #expect(server.probe.next() == .opened)
    for count in [0, 1, 125, 126, 511, 512] {
      let message = [UInt8](repeating: UInt8(count & 0xff), count: count)
      connection.send(message)
      #expect(server.probe.next() == .received(message))
      guard case .message(let bytes, _) = connection.receive(timeout: 10) else {
        Issue.record("No echo of \(count) bytes")
        return
      }
      #expect(bytes == message)
    }
    connection.close()
    #expect(connection.receive(timeout: 10) == .closed(code: 1000, reason: ""))
    #expect(server.probe.next() == .closed)
  }

  @Test("many messages that arrive together are passed on one by one, wherever a read ends")
  func burst() throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port)
    #expect(client.upgrade()?.status == 101)
    #expect(server.probe.next() == .opened)
    let messages = (0..<100).map { [UInt8](repeating: UInt8($0), count: 1 + $0 * 37 % 125) }
    // Binary frames with masks of zeros, in one piece.
    client.write(messages.flatMap { [0x82, 0x80 | UInt8($0.count), 0, 0, 0, 0] + $0 })
    for message in messages { #expect(server.probe.next() == .received(message)) }
  }

  @Test("a WebSocket opens only for the subprotocol, at the path")
  func subprotocol() throws {
    let server = try TestServer()
    func status(path: String = "/ws", _ subprotocol: String?) -> Int? {
      RawSocket(port: server.port).upgrade(path: path, subprotocol: subprotocol)?.status
    }
    #expect(status(nil) == 400)
    #expect(status("other") == 400)
    #expect(status("lectern.v11") == 400)
    #expect(status(path: "/", "lectern.v1") == 404)
    #expect(status("lectern-http, lectern.v1") == 101)
    #expect(status("lectern.v1") == 101)
    #expect(server.probe.next() == .opened)
    #expect(RawSocket(port: server.port).request("GET", "/ws")?.status == 426)
  }

  @Test("a page of another origin cannot connect")
  func origins() throws {
    let server = try TestServer()
    func status(_ origin: String?) -> Int? {
      RawSocket(port: server.port).upgrade(origin: origin)?.status
    }
    #expect(status("http://127.0.0.1") == 101)
    #expect(status("https://127.0.0.1") == 101)
    #expect(status(nil) == 101)
    for wrong in [
      "http://evil.example", "http://127.0.0.1.evil.example", "null", "http://127.0.0.1:81",
      "ftp://127.0.0.1",
    ] {
      #expect(status(wrong) == 403, "\(wrong)")
    }
    let listed = try TestServer { $0.origins = .listed(["https://books.example"]) }
    let good = RawSocket(port: listed.port).upgrade(origin: "https://books.example")
    #expect(good?.status == 101)
    #expect(RawSocket(port: listed.port).upgrade(origin: "http://127.0.0.1")?.status == 403)
  }

  @Test("a rejected connection explains itself to the reader")
  func readerIsRefused() throws {
    let server = try TestServer()
    let connection = ClientConnection(to: .init(port: server.port, origin: "http://evil.example"))
    guard case .failed = connection.receive(timeout: 10) else {
      Issue.record("A page of another origin was let in")
      return
    }
    let right = ClientConnection(
      to: .init(port: server.port, origin: "http://127.0.0.1:\(server.port)")
    )
    #expect(right.receive(timeout: 10) == .opened)
  }

  @Test(
    "an upgrade to anything else is rejected",
    arguments: ["h2c", "H2C", "websocket, h2c", "TLS/1.0"]
  )
  func otherUpgrades(word: String) throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port)
    let response = client.request(
      "GET",
      "/ws",
      fields: [
        ("Upgrade", word), ("Connection", "Upgrade, HTTP2-Settings"),
        ("HTTP2-Settings", "AAMAAABkAAQAAP__"), ("Sec-WebSocket-Protocol", "lectern.v1"),
      ]
    )
    #expect((400..<500).contains(response?.status ?? 400))
    #expect(client.isHungUp())
    #expect(RawSocket(port: server.port).request("GET", "/")?.status == 200)
  }

  @Test("the preface of HTTP/2 is rejected")
  func preface() throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port)
    client.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
    if let response = client.readResponse() { #expect(response.status >= 400) }
    #expect(client.isHungUp())
  }

  @Test("a text message closes the connection with 1003, and an overlong message with 1009")
  func unwantedMessages() throws {
    let server = try TestServer()
    func closeCode(_ speak: (RawSocket) -> Void) -> UInt16? {
      let client = RawSocket(port: server.port)
      guard client.upgrade()?.status == 101 else { return nil }
      speak(client)
      guard let frame = client.readFrame(), frame.opcode == 8 else { return nil }
      return frame.closeCode
    }
    #expect(closeCode { $0.writeFrame(opcode: 1, Array("hello".utf8)) } == 1003)
    #expect(closeCode { $0.writeFrame(opcode: 2, [UInt8](repeating: 0, count: 513)) } == 1009)
    #expect(closeCode { $0.writeFrame(opcode: 2, [UInt8](repeating: 0, count: 60_000)) } == 1009)
    // The next connection may open before the last one is gone.
    let events = (0..<6).compactMap { _ in server.probe.next() }
    #expect(events.filter { $0 == .opened }.count == 3)
    #expect(events.filter { $0 == .closed }.count == 3)
  }

  @Test("the application closes with its own code and reason")
  func applicationCloses() throws {
    let server = try TestServer()
    let connection = ClientConnection(to: .init(port: server.port))
    #expect(connection.receive(timeout: 10) == .opened)
    connection.send(Array("go away".utf8))
    #expect(connection.receive(timeout: 10) == .closed(code: 4000, reason: "as you wish"))
  }

  @Test("a reader that accepts nothing is sent no more, delays nobody, and later gets everything")
  func stalledReader() throws {
    let server = try TestServer()
    let stalled = RawSocket(port: server.port, receiveBuffer: 4096)
    #expect(stalled.upgrade()?.status == 101)
    #expect(server.probe.next() == .opened)
    stalled.writeFrame(opcode: 2, Array("flood".utf8))
    #expect(server.probe.next() == .received(Array("flood".utf8)))
    guard case .refused(let accepted) = server.probe.next() else {
      Issue.record("Nothing was refused")
      return
    }
    #expect(accepted < 1000)

    let other = ClientConnection(to: .init(port: server.port))
    #expect(other.receive(timeout: 10) == .opened)
    #expect(server.probe.next() == .opened)
    other.send([42])
    #expect(server.probe.next() == .received([42]))
    guard case .message([42], _) = other.receive(timeout: 10) else {
      Issue.record("The stalled reader held up the other")
      return
    }

    for _ in 0..<accepted {
      let frame = stalled.readFrame()
      #expect(frame == .init(opcode: 2, payload: [UInt8](repeating: 1, count: 1000)))
    }
    #expect(server.probe.next() == .writable)
    stalled.writeFrame(opcode: 2, [9])
    #expect(stalled.readFrame() == .init(opcode: 2, payload: [9]))
  }

  @Test("a reader that accepts nothing and then disappears delays nobody")
  func stalledReaderGoes() throws {
    let server = try TestServer()
    var stalled: RawSocket? = RawSocket(port: server.port, receiveBuffer: 4096)
    #expect(stalled?.upgrade()?.status == 101)
    #expect(server.probe.next() == .opened)
    stalled?.writeFrame(opcode: 2, Array("flood".utf8))
    #expect(server.probe.next() == .received(Array("flood".utf8)))
    guard case .refused = server.probe.next() else {
      Issue.record("Nothing was refused")
      return
    }
    stalled = nil
    #expect(server.probe.next() == .closed)
    let other = ClientConnection(to: .init(port: server.port))
    #expect(other.receive(timeout: 10) == .opened)
    other.send([42])
    guard case .message([42], _) = other.receive(timeout: 10) else {
      Issue.record("Who is gone held up the other")
      return
    }
  }

  @Test("connections beyond the limit are closed, and a closed connection makes room again")
  func bounds() throws {
    let server = try TestServer { $0.limits.connections.perAddress = 2 }
    var first: RawSocket? = RawSocket(port: server.port)
    #expect(first?.upgrade()?.status == 101)
    #expect(server.probe.next() == .opened)
    let second = RawSocket(port: server.port)
    #expect(second.request("GET", "/")?.status == 200)
    #expect(RawSocket(port: server.port).upgrade() == nil)
    first = nil
    #expect(server.probe.next() == .closed)
    // The socket itself is freed right after the event, in the same turn of the server's loop.
    #expect(second.request("GET", "/")?.status == 200)
    #expect(RawSocket(port: server.port).upgrade()?.status == 101)
  }

  @Test("a message that arrives with the handshake is not lost")
  func earlyMessage() throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port)
    let handshake =
      "GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
      + "Sec-WebSocket-Protocol: lectern.v1\r\n\r\n"
    // A binary frame of one byte with a mask of zeros, in the same segment.
    client.write(Array(handshake.utf8) + [0x82, 0x81, 0, 0, 0, 0, 5])
    #expect(client.readResponse()?.status == 101)
    #expect(client.readFrame() == .init(opcode: 2, payload: [5]))
  }

  @Test("silent webSockets are pinged; those that answer stay, and others are disconnected")
  func silence() throws {
    let server = try TestServer {
      $0.limits.webSockets.secondsUntilPing = 1
      $0.limits.webSockets.secondsUntilHangup = 2
    }
    let alive = ClientConnection(to: .init(port: server.port))
    #expect(alive.receive(timeout: 10) == .opened)
    #expect(server.probe.next() == .opened)
    let dead = RawSocket(port: server.port)
    #expect(dead.upgrade()?.status == 101)
    #expect(server.probe.next() == .opened)
    #expect(dead.readFrame()?.opcode == 9)
    #expect(server.probe.next() == .closed)
    #expect(dead.isHungUp())
    alive.send([1])
    #expect(server.probe.next() == .received([1]))
  }

  @Test("a message too large to be sent closes its own connection only")
  func oversized() throws {
    let server = try TestServer()
    let (first, other) = (RawSocket(port: server.port), RawSocket(port: server.port))
    for client in [first, other] { #expect(client.upgrade()?.status == 101) }
    first.writeFrame(opcode: 2, Array("too large".utf8))
    #expect(first.readFrame()?.closeCode == WebServer.oversizedCode)
    other.writeFrame(opcode: 2, [7])
    #expect(other.readFrame()?.payload == [7])
    #expect(server.counted("messages_oversized_total") == ["": 1])
    #expect(server.captured.lines(of: "message.oversized").map { $0["level"] } == ["error"])
  }
}

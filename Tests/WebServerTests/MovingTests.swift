import Testing

@testable import WebServer

/// WebSockets that one server of a group gives up and another one serves.
@Suite("WebSockets that move between servers", .timeLimit(.minutes(10)))
struct MovingTests {
  private let servers: TestGroup

  init() throws {
    servers = try TestGroup { $0.limits.webSockets.secondsUntilPing = 2 }
  }

  /// Opens a WebSocket, and returns it with the probes of its server and of the other one.
  private func open(
    receiveBuffer: Int32? = nil
  ) throws -> (socket: RawSocket, from: Probe, to: Probe) {
    let socket = RawSocket(port: servers.port, receiveBuffer: receiveBuffer)
    #expect(socket.upgrade()?.status == 101)
    servers.onEach { _ in }
    let index = try #require(servers.probes.firstIndex { !$0.peers.isEmpty })
    #expect(servers.probes[index].next() == .opened)
    return (socket, servers.probes[index], servers.probes[1 - index])
  }

  private func frame(_ payload: String) -> [UInt8] {
    [0x82, 0x80 | UInt8(payload.utf8.count), 0, 0, 0, 0] + payload.utf8
  }

  @Test("what was sent behind a message moves with the connection, also a part of a frame")
  func unread() throws {
    let (socket, from, to) = try open()
    let last = frame("two")
    socket.write(frame("move") + frame("one") + last.prefix(5))
    #expect(socket.readFrame()?.payload == Array("one".utf8))
    socket.write(Array(last.dropFirst(5)))
    #expect(socket.readFrame()?.payload == Array("two".utf8))
    #expect(from.next() == .received(Array("move".utf8)))
    #expect(to.next() == .received(Array("one".utf8)))
    #expect(to.next() == .received(Array("two".utf8)))
    #expect(servers.lines("lectern_websockets_opened_total")[0].hasSuffix(" 1"))
    #expect(servers.group.census.totals == Census.Totals(connections: 1, webSockets: 1))
    socket.hangUp()
    #expect(to.next() == .closed)
    #expect(from.next(timeout: 0) == nil)
    #expect(servers.group.census.totals == Census.Totals())
  }

  @Test("a fragmented message is handled once the connection has moved")
  func fragments() throws {
    let (socket, _, to) = try open()
    let rest: [UInt8] = [0x80, 0x81, 0, 0, 0, 0, 2]
    socket.write(frame("move") + [0x02, 0x81, 0, 0, 0, 0, 1] + rest)
    #expect(socket.readFrame()?.payload == [1, 2])
    #expect(to.next() == .received([1, 2]))
  }

  @Test("the rest of a write moves, and the other server reports when there is room")
  func blocked() throws {
    let (socket, from, to) = try open(receiveBuffer: 4096)
    socket.write(frame("flood") + frame("move"))
    #expect(from.next() == .received(Array("flood".utf8)))
    guard case .refused(let count) = from.next() else {
      Issue.record("The connection accepted everything.")
      return
    }
    #expect(from.next() == .received(Array("move".utf8)))
    for _ in 0..<count { #expect(socket.readFrame()?.payload.count == 1000) }
    #expect(to.next() == .writable)
  }

  @Test("a silent connection is pinged by the server that serves it")
  func silence() throws {
    let (socket, _, to) = try open()
    socket.write(frame("move"))
    #expect(socket.readFrame()?.opcode == 9)
    socket.writeFrame(opcode: 2, [1])
    #expect(to.next() == .received([1]))
  }

  @Test("a connection that no server takes is closed and no longer counted")
  func dropped() throws {
    let (socket, from, _) = try open()
    socket.write(frame("drop"))
    #expect(socket.isHungUp())
    #expect(from.next() == .received(Array("drop".utf8)))
    servers.onEach { _ in }
    #expect(from.next(timeout: 0) == nil)
    #expect(servers.group.census.totals == Census.Totals())
  }

  @Test("a connection that is closing stays, so that its client gets the close frame")
  func closing() throws {
    let (socket, from, to) = try open()
    socket.write(frame("leave"))
    #expect(socket.readFrame()?.closeCode == 4000)
    socket.hangUp()
    #expect(from.next() == .received(Array("leave".utf8)))
    #expect(from.next() == .closed)
    #expect(to.next(timeout: 0) == nil)
  }

  @Test("a connection that arrives at a stopping server is told so")
  func stopping() throws {
    let (socket, _, _) = try open()
    servers.group.stop()
    socket.write(frame("move"))
    #expect(socket.readFrame()?.closeCode == 1001)
    socket.hangUp()
    #expect(servers.ends(within: 5))
    #expect(servers.group.census.totals == Census.Totals())
  }
}

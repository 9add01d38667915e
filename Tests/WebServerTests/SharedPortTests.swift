import Foundation
import Synchronization
import Testing

@testable import WebServer

/// Several servers on several threads that share a port and its limits.
@Suite("Servers that share a port", .timeLimit(.minutes(10)))
struct SharedPortTests {
  /// Opens WebSockets until every server has one, and returns them all.
  private func openAtEach(_ servers: TestGroup, atLeast count: Int) -> [RawSocket] {
    var sockets: [RawSocket] = []
    func isEachReached() -> Bool { servers.probes.allSatisfy { !$0.peers.isEmpty } }
    // The kernel's choice is a hash; 200 connections miss a server with a chance of 2 ** -199.
    while sockets.count < count || !isEachReached(), sockets.count < 200 {
      let socket = RawSocket(port: servers.port, from: "127.0.0.\(2 + sockets.count % 20)")
      #expect(socket.upgrade()?.status == 101)
      sockets.append(socket)
      servers.onEach { _ in }
    }
    #expect(isEachReached())
    return sockets
  }

  @Test("connections reach every server, and stopping closes all of them")
  func both() throws {
    let servers = try TestGroup(servers: 2)
    let sockets = openAtEach(servers, atLeast: 20)
    #expect(servers.probes.map(\.peers.count).reduce(0, +) == sockets.count)
    for (index, socket) in sockets.enumerated() {
      socket.writeFrame(opcode: 2, [UInt8(index)])
      #expect(socket.readFrame() == .init(opcode: 2, payload: [UInt8(index)]))
    }
    #expect(RawSocket(port: servers.port).request("GET", "/healthz")?.status == 200)
    #expect(
      servers.lines(#"lectern_connections{kind="websocket"}"#)[0].hasSuffix(" \(sockets.count)")
    )
    #expect(servers.lines("lectern_websockets_opened_total")[0].hasSuffix(" \(sockets.count)"))
    servers.group.stop()
    for socket in sockets { #expect(socket.readFrame()?.closeCode == 1001) }
    for socket in sockets { socket.hangUp() }
    #expect(servers.ends(within: 5))
    #expect(servers.group.census.totals == Census.Totals())
    for probe in servers.probes {
      var events: [Probe.Event] = []
      while let event = probe.next(timeout: 0) { events.append(event) }
      #expect(events.filter { $0 == .opened }.count == events.filter { $0 == .closed }.count)
      #expect(events.filter { $0 == .stopping }.count == 1)
    }
  }

  @Test("an address gets no more connections of two servers than of one")
  func perAddress() throws {
    let servers = try TestGroup {
      $0.limits.connections.perAddress = 5
      $0.limits.webSockets.handshakesPerAddress = .init(perSecond: 0.001, burst: 9)
    }
    func statuses(_ count: Int, _ source: String) -> (kept: [RawSocket], open: Int) {
      let sockets = (0..<count).map { _ in RawSocket(port: servers.port, from: source) }
      return (sockets, sockets.filter { $0.upgrade()?.status == 101 }.count)
    }
    let first = statuses(40, "127.0.0.2")
    #expect(first.open == 5)
    #expect(statuses(1, "127.0.0.3").open == 1)
    for socket in first.kept { socket.hangUp() }
    while servers.group.census.connections(of: "127.0.0.2").all > 0 { servers.onEach { _ in } }
    // The rate counts at both servers too: nine, of which five are used.
    var opened = 0
    for _ in 0..<20 { opened += statuses(1, "127.0.0.2").open }
    #expect(opened == 4)
    #expect(first.kept.count == 40)
  }

  @Test("all servers together have a limited number of connections")
  func total() throws {
    let servers = try TestGroup(servers: 3) { $0.limits.connections.total = 30 }
    let sockets = (0..<60).map { RawSocket(port: servers.port, from: "127.0.0.\(2 + $0 % 50)") }
    let opened = sockets.filter { $0.upgrade()?.status == 101 }.count
    #expect(opened >= 28 && opened <= 32)
    servers.onEach { _ in }
    #expect(servers.group.census.totals.webSockets == opened)
  }

  @Test("a port that is shared belongs to one group")
  func foreign() throws {
    let servers = try TestGroup()
    let port = servers.port
    for sharesPort in [true, false] {
      var options = ServerOptions(port: port)
      options.sharesPort = sharesPort
      let other = try ServerGroup(options: options)
      let reason = "address already in use"
      #expect(throws: ServerError.cannotListen(address: "127.0.0.1", port: port, reason: reason)) {
        try WebServer(in: other, application: TestApplication(probe: Probe()))
      }
    }
  }

  @Test("a group whose port is not shared has one server; one has the admin endpoint")
  func alone() throws {
    let group = try ServerGroup(options: ServerOptions())
    let first = try WebServer(in: group, application: TestApplication(probe: Probe()))
    #expect(throws: ServerError.cannotStart(reason: "a port that is not shared has one server")) {
      try WebServer(in: group, application: TestApplication(probe: Probe()))
    }
    #expect(first.port > 0)
    var options = ServerOptions(adminEndpoint: .init(address: "127.0.0.1", port: 0))
    options.sharesPort = true
    let shared = try ServerGroup(options: options)
    let servers = try (0..<2).map { _ in
      try WebServer(in: shared, application: TestApplication(probe: Probe()))
    }
    #expect(servers[0].adminPort != nil && servers[1].adminPort == nil)
    #expect(servers[0].port == servers[1].port)
  }

  @Test("many clients come and go at two servers, and both stop in the middle of it")
  func bustle() throws {
    let servers = try TestGroup { $0.limits.connections.total = 60 }
    let port = servers.port
    let isOver = Box(Mutex(false))
    let answered = Box(Mutex(0))
    let done = DispatchSemaphore(value: 0)
    for client in 0..<4 {
      Thread.detachNewThread {
        while !isOver.value.withLock({ $0 }) {
          let source = "127.0.0.\(2 + client)"
          let page = RawSocket(port: port, from: source)
          let isServed = page.request("GET", "/list")?.status == 200
          let socket = RawSocket(port: port, from: source)
          guard isServed, socket.upgrade()?.status == 101 else { continue }
          socket.writeFrame(opcode: 2, [UInt8(client)])
          if socket.readFrame() == .init(opcode: 2, payload: [UInt8(client)]) {
            answered.value.withLock { $0 += 1 }
          }
          socket.hangUp(reset: client % 2 == 0)
        }
        done.signal()
      }
    }
    while answered.value.withLock({ $0 }) < 200 {
      servers.group.measure()
      servers.onEach { _ in }
    }
    servers.group.stop()
    #expect(servers.ends(within: 5))
    isOver.value.withLock { $0 = true }
    for _ in 0..<4 { done.wait() }
    #expect(servers.group.census.totals == Census.Totals())
  }
}

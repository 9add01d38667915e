import HeadlessReader
import TestLogs
import Testing
import WebServer

@Suite("The life of a server")
struct LifeTests {
  @Test("stopping closes every WebSocket with 1001, and run() returns")
  func stop() throws {
    let server = try TestServer()
    let webSockets = (0..<5).map { _ in ClientConnection(to: .init(port: server.port)) }
    for webSocket in webSockets { #expect(webSocket.receive(timeout: 10) == .opened) }
    server.stop()
    for webSocket in webSockets {
      guard case .closed(1001, _) = webSocket.receive(timeout: 10) else {
        Issue.record("No goodbye with 1001")
        return
      }
    }
    #expect(server.ends(within: 5))
    let said = server.captured.lines(of: "server.stopping")
    #expect(said.count == 1 && said[0]["cause"] == "request" && said[0]["websockets"] == "5")
    #expect((0..<11).compactMap { _ in server.probe.next() }.filter { $0 == .closed }.count == 5)
  }

  @Test("a WebSocket that never answers delays the stop by about a second")
  func stopWithStalledMember() throws {
    let server = try TestServer()
    let stalled = RawSocket(port: server.port, receiveBuffer: 4096)
    #expect(stalled.upgrade()?.status == 101)
    stalled.writeFrame(opcode: 2, Array("flood".utf8))
    while let event = server.probe.next() {
      if case .refused = event { break }
    }
    let begin = WebServer.now()
    server.stop()
    #expect(server.ends(within: 5))
    #expect(WebServer.now() - begin < 2.5)
    #expect(server.probe.next() == .stopping)
    #expect(server.probe.next() == .closed)
  }

  @Test("a close frame leaves the connection open until it is answered")
  func goodbyeIsAnswered() throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port)
    #expect(client.upgrade()?.status == 101)
    #expect(server.probe.next() == .opened)
    client.writeFrame(opcode: 1, [65])
    #expect(client.readFrame()?.closeCode == 1003)
    // Input in the meantime is neither passed on nor counted.
    client.writeFrame(opcode: 2, [1])
    #expect(server.probe.next(timeout: 0.1) == nil)
    client.writeFrame(opcode: 8, [3, 0xeb])
    #expect(server.probe.next() == .closed)
    #expect(client.isHungUp())
  }

  @Test("an idle server stops immediately, and can be stopped before it runs")
  func stopIdle() throws {
    let server = try TestServer()
    server.stop()
    #expect(server.ends(within: 0.9))
    let early = try WebServer(
      options: ServerOptions(),
      application: TestApplication(probe: Probe())
    )
    early.stopper.stop()
    early.run()
  }

  @Test("the timer ticks once when armed, and never when disarmed")
  func timer() throws {
    let server = try TestServer()
    let connection = ClientConnection(to: .init(port: server.port))
    #expect(connection.receive(timeout: 10) == .opened)
    #expect(server.probe.next() == .opened)
    connection.send(Array("tick".utf8))
    #expect(server.probe.next() == .received(Array("tick".utf8)))
    #expect(server.probe.next() == .ticked)
    connection.send(Array("no tick".utf8))
    #expect(server.probe.next() == .received(Array("no tick".utf8)))
    #expect(server.probe.next(timeout: 0.2) == nil)
  }

  @Test("the error names a port in use and an invalid address")
  func listenFailures() throws {
    let server = try TestServer()
    let port = server.port
    #expect(
      throws: ServerError.cannotListen(
        address: "127.0.0.1",
        port: port,
        reason: "address already in use"
      )
    ) { try TestServer { $0.port = port } }
    #expect(
      throws: ServerError.cannotListen(
        address: "localhost",
        port: 0,
        reason: "not a numeric IPv4 or IPv6 address"
      )
    ) { try TestServer { $0.listenAddress = "localhost" } }
    #expect(
      throws: ServerError.cannotReadStaticRoot(
        path: "/nowhere",
        reason: "no such file or directory"
      )
    ) { try TestServer { $0.staticRoot = "/nowhere" } }
  }

  @Test("the server listens on IPv6, and webSockets can connect")
  func ipv6() throws {
    let server: TestServer
    do {
      server = try TestServer { $0.listenAddress = "::1" }
    } catch ServerError.cannotListen {
      return  // This machine has no IPv6.
    }
    let connection = ClientConnection(to: .init(host: "::1", port: server.port))
    #expect(connection.receive(timeout: 10) == .opened)
  }
}

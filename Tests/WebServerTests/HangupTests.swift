import Testing
import WebServer

/// Clients that hang up at inconvenient moments.
@Suite("Clients that hang up")
struct HangupTests {
  /// Checks that other clients are answered, the thread rests, and the server still stops.
  private func expectHealth(of server: TestServer) throws {
    #expect(RawSocket(port: server.port).request("GET", "/healthz")?.status == 200)
    // A spinning thread uses all of this time.
    #expect(try #require(server.processorTime(within: 0.4)) < 0.2)
    server.stop()
    #expect(server.ends(within: 5))
  }

  @Test("clients that hang up during a response disturb nobody", arguments: [true, false])
  func inAnAnswer(reset: Bool) throws {
    let server = try TestServer()
    let clients = (0..<4).map { _ in RawSocket(port: server.port, receiveBuffer: 2048) }
    for client in clients { client.writeHead("GET", "/large") }
    // When this request is answered, the server has begun to answer the earlier ones.
    #expect(RawSocket(port: server.port).request("GET", "/healthz")?.status == 200)
    for client in clients { client.hangUp(reset: reset) }
    try expectHealth(of: server)
  }

  @Test(
    "clients that hang up while the application handles their request disturb nobody",
    arguments: [true, false]
  )
  func whileAsked(reset: Bool) throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port)
    client.writeHead("GET", "/later/a")
    #expect(server.probe.next() == .asked("/later/a"))
    client.hangUp(reset: reset)
    #expect(server.probe.next() == .gone("/later/a"))
    try expectHealth(of: server)
  }

  @Test("clients that hang up during a body disturb nobody", arguments: [true, false])
  func inABody(reset: Bool) throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port)
    client.writeHead("POST", "/upload/a", fields: [("Content-Length", "1000")])
    client.write([1, 2, 3])
    #expect(server.probe.next() == .asked("/upload/a"))
    #expect(server.probe.next() == .bodyPart)
    client.hangUp(reset: reset)
    #expect(server.probe.next() == .gone("/upload/a"))
    try expectHealth(of: server)
  }

  @Test("WebSockets that hang up with unread messages disturb nobody", arguments: [true, false])
  func asMembers(reset: Bool) throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port, receiveBuffer: 2048)
    #expect(client.upgrade()?.status == 101)
    client.writeFrame(opcode: 2, Array("flood".utf8))
    while let event = server.probe.next() {
      if case .refused = event { break }
    }
    client.hangUp(reset: reset)
    while let event = server.probe.next(), event != .closed {}
    try expectHealth(of: server)
  }
}

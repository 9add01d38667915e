import Glibc
import Testing

@testable import WebServer

/// The resources that one address can use, and those left for others.
@Suite("Limits of one address")
struct LimitTests {
  private func isServed(_ server: TestServer, from source: String) -> Bool {
    RawSocket(port: server.port, from: source).request("GET", "/healthz")?.status == 200
  }

  @Test("silent connections of two addresses do not prevent a third from being served")
  func silence() throws {
    let server = try TestServer {
      $0.limits.connections.total = 16
      $0.limits.connections.perAddress = 12
    }
    let silent = (0..<40).map { RawSocket(port: server.port, from: "127.0.0.\(2 + $0 % 2)") }
    for client in silent.suffix(10) { client.write("GET / HT") }
    for _ in 0..<5 { #expect(isServed(server, from: "127.0.0.9")) }
    #expect(silent.count == 40)
  }

  @Test("idle pages of the source with the most connections make room for others")
  func idle() throws {
    let server = try TestServer {
      $0.limits.connections.total = 8
      $0.limits.connections.perAddress = 8
    }
    let idle = (0..<8).map { _ in RawSocket(port: server.port, from: "127.0.0.2") }
    for client in idle { #expect(client.request("GET", "/healthz")?.status == 200) }
    let other = RawSocket(port: server.port, from: "127.0.0.9")
    #expect(other.request("GET", "/healthz")?.status == 200)
    #expect(server.counted("connections_displaced_total") == ["": 1])
    // The source with the most connections displaces nobody.
    #expect(RawSocket(port: server.port, from: "127.0.0.2").request("GET", "/healthz") == nil)
    #expect(other.request("GET", "/healthz")?.status == 200)
  }

  @Test("a client that never ends its first request is disconnected in time, and others are served")
  func unfinishedHeads() throws {
    let server = try TestServer {
      $0.limits.requests.arrivalSeconds = 1
      $0.limits.connections.pendingPerAddress = 4
    }
    let slow = (0..<6).map { _ in RawSocket(port: server.port) }
    for client in slow { client.write("GET /healthz HTTP/1.1\r\nHost") }
    #expect(isServed(server, from: "127.0.0.1"))
    // The oldest connection made room for the newest one.
    #expect(slow[0].isHungUp())
    slow[5].write(": a\r\n\r\n")
    #expect(slow[5].readResponse()?.status == 200)
    #expect(slow[4].isHungUp())
  }

  @Test("the rate and the number of WebSockets of one address are limited")
  func handshakes() throws {
    let server = try TestServer {
      $0.limits.webSockets.handshakesPerAddress = .init(perSecond: 0.001, burst: 3)
    }
    func status(_ source: String) -> Int? {
      RawSocket(port: server.port, from: source).upgrade()?.status
    }
    #expect((0..<4).map { _ in status("127.0.0.2") } == [101, 101, 101, 429])
    #expect(status("127.0.0.3") == 101)
    #expect(server.counted("handshakes_rejected_total") == ["rate": 1])
  }

  @Test("behind a trusted proxy the limits apply to the clients that it names")
  func proxied() throws {
    let server = try TestServer {
      $0.proxies = .loopback
      $0.limits.connections.perAddress = 2
    }
    var kept: [RawSocket] = []
    func status(_ client: String) -> Int? {
      let socket = RawSocket(port: server.port)
      kept.append(socket)
      return socket.upgrade(forwarded: client)?.status
    }
    #expect((0..<3).map { _ in status("203.0.113.1") } == [101, 101, 429])
    #expect((0..<2).map { _ in status("203.0.113.2") } == [101, 101])
    let pages = kept[0...]
    #expect(server.counted("handshakes_rejected_total") == ["number": 1])
    #expect(pages.count == 5)
  }

  @Test("a body has a total time limit, however often a byte of it arrives")
  func slowBody() throws {
    let server = try TestServer {
      $0.limits.bodies.time = .init(seconds: 0.4, bytesPerSecond: 1e6)
    }
    let client = RawSocket(port: server.port)
    client.writeHead("POST", "/upload/slow", fields: [("Content-Length", "1000")])
    #expect(server.probe.next() == .asked("/upload/slow"))
    #expect(server.probe.next(timeout: 0) == nil)
    for _ in 0..<20 {
      client.write([1])
      usleep(30_000)
    }
    #expect(client.readResponse()?.status == 408)
    while let event = server.probe.next(), event != .gone("/upload/slow") {
      #expect(event == .bodyPart)
    }
  }

  @Test("a body that is paused by the server loses no time")
  func restingBody() throws {
    let server = try TestServer {
      $0.limits.bodies.time = .init(seconds: 0.4, bytesPerSecond: 1e9)
    }
    let client = RawSocket(port: server.port)
    client.writeHead("POST", "/upload/rest?paused", fields: [("Content-Length", "3")])
    #expect(server.probe.next() == .asked("/upload/rest"))
    client.write([1, 2, 3])
    #expect(server.probe.next(timeout: 0.8) == nil)
    server.perform { $0.resumeBody("/upload/rest") }
    #expect(client.readResponse()?.body == [1, 2, 3])
  }

  @Test("a response also has a total time limit")
  func slowAnswer() throws {
    let server = try TestServer {
      $0.limits.responses.time = .init(seconds: 0.3, bytesPerSecond: 1e9)
    }
    let client = RawSocket(port: server.port, receiveBuffer: 2048)
    client.writeHead("GET", "/large")
    #expect(isServed(server, from: "127.0.0.9"))
    var left = 1
    for _ in 0..<200 where left > 0 {
      usleep(20_000)
      left = server.ask { $0.exchanges.all.count } ?? 0
    }
    #expect(left == 0)
  }

  @Test("bodies are accepted while other clients send requests without waiting")
  func pipelining() throws {
    let server = try TestServer()
    let request = "GET /question HTTP/1.1\r\nHost: a\r\n\r\n"
    let flood = Array(String(repeating: request, count: 1000).utf8)
    let others = (0..<6).map { _ in RawSocket(port: server.port, receiveBuffer: 2048) }
    let client = RawSocket(port: server.port)
    for round in 0..<40 {
      for other in others { _ = other.writeWithoutWaiting(flood) }
      let body = [UInt8](repeating: UInt8(round), count: 2000)
      let response = client.request("POST", "/upload/\(round)", body: body)
      #expect(response?.status == 200)
      #expect(response?.body == body)
    }
  }

  @Test("long responses to one address leave connections for its pages")
  func longAnswers() throws {
    let server = try TestServer { $0.limits.responses.longPerAddress = 3 }
    let slow = (0..<3).map { _ in RawSocket(port: server.port, receiveBuffer: 2048) }
    for client in slow { client.writeHead("GET", "/large") }
    #expect(isServed(server, from: "127.0.0.1"))
    let refused = RawSocket(port: server.port).request("GET", "/large")
    #expect(refused?.status == 503 && refused?.fields["retry-after"] != nil)
    #expect(RawSocket(port: server.port, from: "127.0.0.2").request("GET", "/large")?.status == 200)
    slow[0].hangUp()
    while server.ask({ $0.exchanges.all.count }) == 3 {}
    #expect(RawSocket(port: server.port).request("GET", "/large")?.status == 200)
  }

  @Test("descriptors are divided so that each purpose has some")
  func descriptors() {
    for limit in [3, 16, 64, 256, 1024, 4096, .max] {
      let shares = FileDescriptors(connections: 2048, of: limit)
      #expect(shares.connections >= 1 && shares.connections <= 2048)
      #expect(limit < 64 || limit - shares.connections - shares.files >= 16, "\(limit)")
    }
    let few = FileDescriptors(connections: 2048, of: 256)
    #expect(few.connections >= 100 && few.files >= 20)
  }
}

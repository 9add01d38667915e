import TestLogs
import Testing

@testable import WebServer

@Suite("Peers and host names", .timeLimit(.minutes(10)))
struct HostTests {
  @Test(
    "a numeric address is parsed in every form that proxies write",
    arguments: [
      ("192.0.2.7", "192.0.2.7"), ("192.0.2.7:8080", "192.0.2.7"), (" 10.0.0.1", "10.0.0.1"),
      ("::ffff:192.0.2.7", "192.0.2.7"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
      ("[2001:db8::9]:443", "2001:db8::/64"), ("::1", "::1"), ("[::1]", "::1"),
      ("unknown", nil), ("", nil), ("10.0.0", nil), ("0x7f.1", nil), ("_hidden", nil),
    ]
  )
  func sources(text: String, source: String?) {
    #expect(PeerAddress(withPort: text)?.source == source)
  }

  @Test("loopback addresses are recognised")
  func loopback() {
    for own in ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"] {
      #expect(PeerAddress(own)?.isLoopback == true, "\(own)")
    }
    for other in ["128.0.0.1", "::2", "fe80::1", "10.0.0.1"] {
      #expect(PeerAddress(other)?.isLoopback == false, "\(other)")
    }
  }

  /// Sends a request with a host name and returns the status.
  private func status(_ server: TestServer, host: String, _ more: String = "") -> Int? {
    let client = RawSocket(port: server.port)
    client.write("GET /healthz HTTP/1.1\r\nHost: \(host)\r\n\(more)\r\n")
    return client.readResponse()?.status
  }

  @Test("only listed names are accepted, with any port; numeric addresses always are")
  func hosts() throws {
    let server = try TestServer { $0.hosts = ["books.example", "desk.local"] }
    for host in [
      "books.example", "BOOKS.example:8080", "desk.local.:1", "localhost:9", "127.0.0.1",
      "192.168.1.20:8080", "[::1]:8080", "[fe80::1]",
    ] {
      #expect(status(server, host: host) == 200, "\(host)")
    }
    for host in ["[::1].evil.example", "127.0.0.1:99999", "a b", "[::1", "::1", "a:80:80", "a@b"] {
      #expect(status(server, host: host) == 400, "\(host)")
    }
    for host in ["evil.example", "books.example.evil.example", "", "127.0.0.1.evil.example", ":80"]
    {
      #expect(status(server, host: host) == 421, "\(host)")
    }
    let upgrade =
      "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
      + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: lectern.v1\r\n"
    func open(_ host: String) -> Int? {
      let client = RawSocket(port: server.port)
      client.write("GET /ws HTTP/1.1\r\nHost: \(host)\r\n\(upgrade)\r\n")
      return client.readResponse()?.status
    }
    #expect(open("evil.example") == 421)
    #expect(open("desk.local:8080") == 101)
  }

  @Test("a page can come from the server's own host or from its public address")
  func origins() throws {
    let server = try TestServer { $0.origins = .sameHostOrListed(["https://books.example"]) }
    func status(_ origin: String) -> Int? {
      RawSocket(port: server.port).upgrade(origin: origin)?.status
    }
    #expect(status("https://books.example") == 101)
    #expect(status("http://127.0.0.1") == 101)
    for wrong in ["http://books.example", "https://books.example:81", "https://evil.example"] {
      #expect(status(wrong) == 403, "\(wrong)")
    }
  }

  @Test(
    "a page of the host that a trusted proxy reports may connect and change things, and no other"
  )
  func reportedHost() throws {
    func statuses(_ host: String, _ proxies: TrustedProxies) throws -> [Int?] {
      let server = try TestServer {
        ($0.proxies, $0.hosts) = (proxies, [])
      }
      let origin = "https://books.example"
      let fields = [("Origin", origin), ("X-Forwarded-Host", host)]
      return [
        RawSocket(port: server.port).upgrade(origin: origin, forwardedHost: host)?.status,
        RawSocket(port: server.port).request("DELETE", "/fields", fields: fields)?.status,
      ]
    }
    #expect(try statuses("books.example", .loopback).map { $0 == 403 } == [false, false])
    #expect(try statuses("other.example", .loopback) == [403, 403])
    #expect(try statuses("books.example", .none) == [403, 403])
  }

  private func peer(_ server: TestServer, forwarded: String?) -> String? {
    let fields = forwarded.map { [("X-Forwarded-For", $0)] } ?? []
    let text = RawSocket(port: server.port).request("GET", "/fields", fields: fields)?.text
    return text?.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2).first
      .map(String.init)
  }

  @Test("X-Forwarded-For counts only if proxies are trusted; if not, the log says so once")
  func forwarded() throws {
    let plain = try TestServer()
    for _ in 0..<3 { #expect(peer(plain, forwarded: "203.0.113.9") == "127.0.0.1") }
    #expect(plain.captured.lines(of: "proxy.ignored").map { $0["address"] } == ["127.0.0.1"])
    let trusting = try TestServer { $0.proxies = .loopback }
    #expect(peer(trusting, forwarded: nil) == "127.0.0.1")
    #expect(peer(trusting, forwarded: "203.0.113.9") == "203.0.113.9")
    #expect(peer(trusting, forwarded: "6.6.6.6, 2001:db8:0:1::5") == "2001:db8:0:1::/64")
    #expect(peer(trusting, forwarded: "6.6.6.6, nonsense") == "127.0.0.1")
    #expect(trusting.captured.lines(of: "proxy.ignored").isEmpty)
  }

  @Test("a WebSocket is reported with the address of its client")
  func webSocketPeer() throws {
    let server = try TestServer { $0.proxies = .loopback }
    let plain = RawSocket(port: server.port)
    #expect(plain.upgrade()?.status == 101)
    #expect(server.probe.next() == .opened)
    let through = RawSocket(port: server.port)
    #expect(through.upgrade(forwarded: "203.0.113.9")?.status == 101)
    #expect(server.probe.next() == .opened)
    #expect(server.probe.peers == ["127.0.0.1", "203.0.113.9"])
  }

  @Test("connections, rejections and close codes are counted by their reasons")
  func counts() throws {
    let server = try TestServer { $0.hosts = [] }
    for words in [
      { $0.upgrade(origin: "http://evil.example") }, { $0.upgrade(subprotocol: "chat") },
      { $0.upgrade(path: "/elsewhere") }, { $0.upgrade(to: "h2c") },
    ] as [(RawSocket) -> RawSocket.Response?] {
      #expect(words(RawSocket(port: server.port))?.status != 101)
    }
    let webSocket = RawSocket(port: server.port)
    #expect(webSocket.upgrade()?.status == 101)
    #expect(server.probe.next() == .opened)
    webSocket.writeFrame(opcode: 8, [0x0F, 0xA5])
    #expect(server.probe.next() == .closed)
    let lost = RawSocket(port: server.port)
    #expect(lost.upgrade()?.status == 101)
    lost.writeFrame(opcode: 2, Array("go away".utf8))
    #expect(lost.readFrame()?.closeCode == 4000)
    lost.writeFrame(opcode: 8, [0x03, 0xE8])
    while let event = server.probe.next(), event != .closed {}
    #expect(server.counted("connections_accepted_total") == ["": 6])
    #expect(server.counted("websockets_opened_total") == ["": 2])
    #expect(
      server.counted("handshakes_rejected_total")
        == ["origin": 1, "proto": 1, "path": 1, "upgrade": 1]
    )
    #expect(server.counted("disconnects_total") == ["4005": 1, "4000": 1])
  }
}

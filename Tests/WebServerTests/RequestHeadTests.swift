import TestVectors
import Testing

@testable import WebServer

@Suite("Heads of requests")
struct RequestHeadTests {
  private func head(_ text: String) throws(RequestHead.Fault) -> RequestHead {
    try RequestHead(Array(text.utf8))
  }

  /// The status that rejects a head with some lines after the first; nil if it is accepted.
  private func status(_ lines: String, first: String = "GET / HTTP/1.1\r\nHost: a\r\n") -> Int? {
    do throws(RequestHead.Fault) {
      _ = try head(first + lines + "\r\n")
      return nil
    } catch {
      return error.status
    }
  }

  @Test("a head ends with an empty line, and not before")
  func ends() {
    let head = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    for count in 0..<head.utf8.count {
      #expect(RequestHead.end(of: Array(head.utf8.prefix(count))) == nil)
    }
    #expect(RequestHead.end(of: Array((head + "rest").utf8)) == head.utf8.count)
    #expect(RequestHead.end(of: Array(("\r\n" + head).utf8)) == head.utf8.count + 2)
    #expect(RequestHead.end(of: Array("GET / HTTP/1.0\n\nx".utf8)) == 16)
  }

  @Test("the parts of a head are those that were sent, whatever their case and spaces")
  func parts() throws {
    let head = try head(
      "\r\nPATCH /a%20b?c=%26&d HTTP/1.1\r\nHOST: Books.example:81\r\nX-Part:\t two words \r\n"
        + "Accept: a\r\nEmpty:\r\naccept: b\r\nConnection: Keep-Alive, Upgrade\r\n\r\n"
    )
    #expect(head.method == "PATCH" && head.target == "/a%20b?c=%26&d" && head.isCurrent)
    #expect(head.host == "Books.example:81" && head["host"] == head.host)
    #expect(head["x-part"] == "two words" && head["accept"] == "a, b")
    #expect(head["empty"] == "" && head["none"] == nil)
    #expect(head.lists("upgrade", in: "connection") && !head.lists("keep", in: "connection"))
    #expect(head.keepsConnection)
  }

  @Test("a connection ends after a request of HTTP/1.0 or one that says so")
  func connections() throws {
    #expect(try !head("GET / HTTP/1.0\n\n").keepsConnection)
    #expect(try !head("GET / HTTP/1.1\r\nHost: a\r\nConnection: x, CLOSE\r\n\r\n").keepsConnection)
  }

  @Test("a target may name a host, which is then the host of the request")
  func absoluteTargets() throws {
    for (target, host, path) in [
      ("http://b.example/p?q", "b.example", "/p?q"), ("HTTPS://b:8080", "b:8080", "/"),
      ("http://[::1]?q", "[::1]", "/?q"), ("//c/d", "a", "//c/d"),
    ] {
      let head = try head("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(head.host == host && head.target == path)
    }
    for target in ["*", "a", "a:80", "http:/a/", "ftp://a/", "http://a b/", "http://u@a:x/", ""] {
      #expect(status("", first: "GET \(target) HTTP/1.1\r\nHost: a\r\n") == 400, "\(target)")
    }
  }

  @Test(
    "a line that could be read in two ways is rejected",
    arguments: [
      "X-Forwarded-For 1.2.3.4\r\n", ": empty\r\n", "Content-Length : 5\r\n", "no colon\r\n",
      " folded: 1\r\n", "A: 1\r\n\tfolded\r\n", "A: 1\rB: 2\r\n", "A: \u{0}\r\n", "A\u{7f}: 1\r\n",
      "Ä: 1\r\n", "A(b): 1\r\n", "Host: a\r\n", "A:\u{301} 1\r\n \r\n",
    ]
  )
  func ambiguous(lines: String) {
    #expect(status(lines) == 400)
  }

  @Test("a first line is a method, a target and a version")
  func firstLines() {
    for line in [
      "GET /", "GET  / HTTP/1.1", "GET /\tHTTP/1.1", "G(T / HTTP/1.1", "GET / http/1.1",
      " / HTTP/1.1",
      "GET /%zz HTTP/1.1", "GET /% HTTP/1.1", "GET /a b HTTP/1.1", "\u{16}\u{3}\u{1}",
    ] {
      #expect(status("Host: a\r\n", first: line + "\r\n") == 400, "\(line)")
    }
    for version in ["HTTP/2.0", "HTTP/0.9", "HTTP/1.2", "HTTP/1.10"] {
      #expect(status("Host: a\r\n", first: "GET / \(version)\r\n") == 505, "\(version)")
    }
    #expect(status("", first: "GET / HTTP/1.1\r\n") == 400)
    #expect(status("", first: "GET / HTTP/1.0\r\n") == nil)
  }

  @Test("a fault names what is wrong, shortened if it is long")
  func words() {
    #expect(
      throws: RequestHead.Fault(
        status: 400,
        words: "\"no colon\" is not a field such as \"Accept: text/html\"."
      )
    ) { try head("GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n") }
    do throws(RequestHead.Fault) {
      _ = try head("GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: "x", count: 5000))\r\n\r\n")
    } catch {
      #expect(error.words.count < 120)
    }
  }

  @Test("libwebsockets reads the target and nothing else that a client sent")
  func canonicalHead() throws {
    func canonical(_ fields: String) throws -> String {
      let head = try head("POST /a?b HTTP/1.1\r\nHost: evil\r\nX: a\r\n\(fields)\r\n")
      return String(decoding: head.canonical, as: UTF8.self)
    }
    let plain = "GET /a?b HTTP/1.1\r\nhost: lectern\r\n\r\n"
    #expect(try canonical("Content-Length: 5\r\n") == plain)
    let key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    let lines = try canonical("Upgrade: websocket\r\n" + key).split(separator: "\r\n").dropFirst(2)
    #expect(
      lines.map { $0.split(separator: ":")[0] } == [
        "upgrade", "connection", "sec-websocket-version", "sec-websocket-protocol",
        "sec-websocket-key",
      ]
    )
  }

  @Test("random heads are rejected or read, and what libwebsockets reads has no other lines")
  func random() throws {
    for seed in seeds(1...40) {
      var random = SplitMix64(seed: seed)
      let pieces = [
        "GET", " ", "/", "HTTP/1.1", "\r\n", "\n", "\r", "Host", ":", "a", "%", "\u{600}",
      ]
      for _ in 0..<500 {
        var text = Bool.random(using: &random) ? "GET / HTTP/1.1\r\nHost: a\r\n" : ""
        for _ in 0..<Int.random(in: 0...12, using: &random) {
          text += pieces.randomElement(using: &random) ?? ""
        }
        let bytes = Array(text.utf8)
        guard let end = RequestHead.end(of: bytes),
          let head = try? RequestHead(bytes.prefix(end))
        else { continue }
        let canonical = head.canonical
        #expect(canonical.count(where: { $0 == UInt8(ascii: "\n") }) == 3, "SEED=\(seed)")
        #expect(RequestHead.end(of: canonical) == canonical.count, "SEED=\(seed)")
      }
    }
  }
}

/// Fields that libwebsockets hid from the server: those after a field whose name is the beginning
/// of a known name, or after a line without a name or a colon.
@Suite("Fields that a client tries to hide")
struct HiddenFieldTests {
  private static let known = [
    "host", "connection", "upgrade", "origin", "sec-websocket-key", "http2-settings", "accept",
    "if-modified-since", "if-none-match", "accept-encoding", "pragma", "cache-control",
    "authorization", "cookie", "content-length", "content-type", "date", "range", "referer", "via",
    "x-forwarded-for", "transfer-encoding", "user-agent", "expect", "te", "x-auth-token",
  ]

  /// All proper beginnings of known names that no other test sends, such as `x` and `conte`.
  static let prefixes = Set(known.flatMap { name in (1..<name.count).map { name.prefix($0) } })
    .map(String.init).filter { !known.contains($0) }.sorted()

  private func status(
    _ server: TestServer,
    _ method: String,
    _ path: String,
    _ lines: String
  ) -> Int? {
    let client = RawSocket(port: server.port)
    client.write("\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(lines)\r\n")
    return client.readResponse()?.status
  }

  @Test("a foreign origin is seen after a field with any beginning of a known name")
  func origins() throws {
    let server = try TestServer()
    #expect(Self.prefixes.count > 100)
    for name in Self.prefixes {
      let lines = "\(name): a\r\nOrigin: http://evil.example\r\n"
      #expect(status(server, "DELETE", "/fields", lines) == 403, "\(name)")
    }
    let handshake =
      "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nX: a\r\n"
      + "Origin: http://evil.example\r\nSec-WebSocket-Protocol: lectern.v1\r\n"
      + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    #expect(status(server, "GET", "/ws", handshake) == 403)
  }

  @Test("a body is not taken for a request after such a field, on any request of a connection")
  func bodies() throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port)
    let smuggled = "DELETE /fields HTTP/1.1\r\nHost: a\r\n\r\n"
    for name in ["x", "con", "conte", "t", "h"] {
      client.write(
        "PUT /upload/\(name) HTTP/1.1\r\nHost: a\r\n\(name): a\r\n"
          + "Content-Length: \(smuggled.utf8.count)\r\n\r\n\(smuggled)"
      )
      #expect(client.readResponse()?.text == smuggled, "\(name)")
      #expect(client.request("GET", "/healthz")?.text == "{}")
      let chunked = "\(name): a\r\nTransfer-Encoding: chunked\r\n"
      #expect(status(server, "PUT", "/upload/x", chunked) == 411, "\(name)")
    }
  }

  @Test("the address that a proxy reports is seen after such a field, and cannot be disguised")
  func forwarded() throws {
    let server = try TestServer { $0.proxies = .loopback }
    for lines in ["X: a\r\n", "X-F: a\r\n", "X-Forwarded-For: 6.6.6.6\u{600}\r\n"] {
      let client = RawSocket(port: server.port)
      let field = "X-Forwarded-For: 6.6.6.6\u{600}, 203.0.113.9\r\n"
      client.write("GET /fields HTTP/1.1\r\nHost: a\r\n\(lines)\(field)\r\n")
      let peer = client.readResponse()?.text.split(separator: "\n").dropFirst(2).first
      #expect(peer == "203.0.113.9", "\(lines)")
    }
  }

  @Test("a line without a name, a colon or an end is rejected at once, also as the last one")
  func malformed() throws {
    let server = try TestServer()
    for line in [": a", "no colon", "Content-Length : 5", " folded", "A: 1\rB: 2", "x"] {
      #expect(status(server, "GET", "/healthz", line + "\r\n") == 400, "\(line)")
      #expect(status(server, "GET", "/healthz", line + "\r\nOrigin: a\r\n") == 400, "\(line)")
    }
    #expect(status(server, "GET", "/healthz", "x: 1\r\n") == 200)
  }

  @Test("a head that is too long, or that its client leaves incomplete, ends the connection")
  func ends() throws {
    let server = try TestServer()
    let long = "Cookie: \(String(repeating: "c", count: 9000))\r\n"
    #expect(status(server, "GET", "/healthz", long) == 431)
    for isReset in [false, true] {
      let client = RawSocket(port: server.port)
      client.write("GET / HT")
      while server.ask({ $0.connections.pending.count }) == 0 {}
      client.hangUp(reset: isReset)
      while server.ask({ $0.connections.pending.count }) != 0 {}
    }
  }

  @Test("a handshake needs HTTP/1.1 and the Connection field")
  func handshakes() throws {
    let server = try TestServer()
    let fields =
      "Host: a\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
      + "Sec-WebSocket-Protocol: lectern.v1\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    func status(_ version: String, _ more: String) -> Int? {
      let client = RawSocket(port: server.port)
      client.write("GET /ws HTTP/\(version)\r\n\(fields)\(more)\r\n")
      return client.readResponse()?.status
    }
    #expect(status("1.1", "Connection: keep-alive, Upgrade\r\n") == 101)
    #expect(status("1.0", "Connection: Upgrade\r\n") == 400)
    #expect(status("1.1", "") == 400)
    // A body would be taken for frames.
    #expect(status("1.1", "Connection: Upgrade\r\nContent-Length: 6\r\n") == 400)
  }
}

import Testing
import WebServer

@Suite("Request bodies")
struct BodyTests {
  /// Returns bytes without short repetitions.
  private static func bytes(_ count: Int) -> [UInt8] {
    var state: UInt32 = 1
    return (0..<count).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
  }

  /// Describes the difference between two bodies, because a failed comparison would print both.
  private static func difference(_ body: [UInt8], _ expected: [UInt8]) -> String? {
    guard body != expected else { return nil }
    let place = zip(body, expected).enumerated().first { $1.0 != $1.1 }?.offset
    let from = place.map { ", other from byte \($0) on" } ?? ""
    return "\(body.count) bytes instead of \(expected.count)\(from)"
  }

  @Test(
    "a body arrives as it was sent, in any parts",
    arguments: [1, 7, 1460, 65_537, 300_000]
  )
  func parts(size: Int) throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port)
    let body = Self.bytes(size < 100 ? 2000 : 1_000_000)
    client.writeHead("PATCH", "/upload/a", fields: [("Content-Length", "\(body.count)")])
    for start in stride(from: 0, to: body.count, by: size) {
      client.write(Array(body[start..<min(start + size, body.count)]))
    }
    let echo = try #require(client.readResponse()).body
    #expect(Self.difference(echo, body) == nil)
  }

  @Test(
    "a connection continues after a body, even an empty one",
    arguments: ["POST", "PUT", "PATCH"]
  )
  func keepsAlive(method: String) throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port)
    for count in [0, 5, 0, 200_000] {
      let body = Self.bytes(count)
      let response = try #require(client.request(method, "/upload/\(count)", body: body))
      #expect(response.status == 200)
      #expect(Self.difference(response.body, body) == nil)
    }
  }

  @Test("the application reads the usual fields and those that it requested")
  func fields() throws {
    let server = try TestServer { $0.requestFields = ["upload-offset", "x-part"] }
    let client = RawSocket(port: server.port)
    let response = client.request(
      "DELETE",
      "/fields",
      fields: [
        ("Origin", "http://127.0.0.1"), ("Authorization", "Bearer a b"),
        ("Content-Type", "text/plain"), ("Upload-Offset", "123 "), ("X-Other", "1"),
        ("UPLOAD-OFFSETS", "4"), ("x-part", "two"),
      ]
    )
    let lines = response?.text.split(separator: "\n").map(String.init)
    #expect(
      lines == [
        "DELETE", "0", "127.0.0.1", "authorization=Bearer a b", "content-type=text/plain",
        "origin=http://127.0.0.1", "upload-offset=123", "x-part=two",
      ]
    )
  }

  @Test("a page of another origin can read but cannot change anything")
  func origins() throws {
    let server = try TestServer()
    func status(_ method: String, _ origin: String?) -> Int? {
      let fields = origin.map { [("Origin", $0)] } ?? []
      let client = RawSocket(port: server.port)
      return client.request(method, "/fields", fields: fields, body: method == "GET" ? nil : [])?
        .status
    }
    for method in ["POST", "PUT", "PATCH", "DELETE"] {
      #expect(status(method, "http://evil.example") == 403)
      #expect(status(method, "null") == 403)
      #expect(status(method, "http://127.0.0.1") == 200)
      #expect(status(method, nil) == 200)
    }
    #expect(status("GET", "http://evil.example") == 200)
  }

  @Test("a body above the limit is rejected before it is read, and the client receives the reason")
  func tooLarge() throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port)
    client.writeHead("POST", "/upload/big", fields: [("Content-Length", "50000001")])
    client.write([UInt8](repeating: 1, count: 3_000_000))
    let response = try #require(client.readResponse())
    #expect(response.status == 413)
    #expect(
      response.text == "A body of 50000001 bytes is too large. Send at most 50000000 bytes.\n"
    )
    #expect(response.fields["connection"] == "close")
    #expect(server.probe.next() == .asked("/upload/big"))
    #expect(server.probe.next() == .gone("/upload/big"))
  }

  @Test(
    "a body without a length, with chunks or with an invalid length is rejected with an explanation"
  )
  func framing() throws {
    let server = try TestServer()
    func response(_ method: String, _ fields: [(String, String)]) -> RawSocket.Response? {
      let client = RawSocket(port: server.port)
      client.writeHead(method, "/upload/x", fields: fields)
      client.write("5\r\nhello\r\n0\r\n\r\n")
      let response = client.readResponse()
      if response != nil { #expect(response?.fields["connection"] == "close") }
      return response
    }
    for method in ["POST", "PUT", "PATCH", "DELETE", "GET"] {
      #expect(response(method, [("Transfer-Encoding", "chunked")])?.status == 411)
      #expect(
        response(method, [("Transfer-Encoding", "chunked"), ("Content-Length", "5")])?.status == 411
      )
      for strange in ["five", "-5", "5, 5", "0x5", "99999999999999999999"] {
        #expect(response(method, [("Content-Length", strange)])?.status == 400, "\(strange)")
      }
    }
    #expect(response("POST", [])?.status == 411)
    #expect(RawSocket(port: server.port).request("GET", "/healthz")?.status == 200)
  }

  @Test("a write without a body and without a length is answered, then the connection ends")
  func unannounced() throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port)
    let response = try #require(client.request("POST", "/fields"))
    #expect(response.status == 200)
    #expect(response.text.hasPrefix("POST\n-1\n"))
    #expect(response.fields["connection"] == "close")
    #expect(client.isHungUp())
  }

  @Test("an unwanted body is not passed on, and ends the connection after the response")
  func unwanted() throws {
    let server = try TestServer()
    for method in ["POST", "PUT", "GET"] {
      let client = RawSocket(port: server.port)
      let body = [UInt8](repeating: 65, count: 1_000_000)
      let response = try #require(client.request(method, "/healthz", body: body))
      #expect(response.text == "{}")
      #expect(response.fields["connection"] == "close")
      #expect(client.isHungUp())
    }
    let late = RawSocket(port: server.port)
    late.writeHead("POST", "/later/a", fields: [("Content-Length", "10")])
    #expect(server.probe.next() == .asked("/later/a"))
    server.answer("/later/a")
    #expect(late.readResponse()?.text == "to /later/a")
    #expect(late.isHungUp())
  }

  @Test("a client that expects \"100 Continue\" receives it, or the reason for the rejection")
  func expectation() throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port)
    let expect = ("Expect", "100-continue")
    for count in [3, 4] {
      client.writeHead("PUT", "/upload/e", fields: [("Content-Length", "\(count)"), expect])
      #expect(client.readResponse()?.status == 100)
      client.write([UInt8](repeating: 1, count: count))
      #expect(client.readResponse()?.body.count == count)
    }
    client.writeHead("PUT", "/upload/e", fields: [("Content-Length", "60000000"), expect])
    #expect(client.readResponse()?.status == 413)
    #expect(client.isHungUp())
  }

  @Test("a paused body waits at the client and later arrives complete")
  func backPressure() throws {
    // Created before the client connects, whose request has a time limit.
    let body = Self.bytes(16_000_000)
    let server = try TestServer()
    let client = RawSocket(port: server.port)
    client.writeHead("PUT", "/early/pause", fields: [("Content-Length", "\(body.count)")])
    var sent = client.writeWithoutWaiting(body)
    #expect(server.probe.next() == .asked("/early/pause"))
    #expect(server.probe.next() == .bodyPart)
    sent += client.writeWithoutWaiting(Array(body[sent...]))
    #expect(sent < body.count)
    // Each call to resume passes on one read.
    let counts = Counts()
    for _ in 0..<20 {
      server.perform {
        counts.add($0.receivedCount("/early/pause")); $0.resumeBody("/early/pause")
      }
    }
    server.perform { counts.add($0.receivedCount("/early/pause")) }
    #expect(counts.wait(for: 21).allSatisfy { $0 <= 131_072 * 21 })
    let rest = Array(body[sent...])
    let resumer = Resumer(server: server, path: "/early/pause")
    client.write(rest)
    let echo = try #require(client.readResponse()).body
    #expect(Self.difference(echo, body) == nil)
    resumer.stop()
  }

  @Test("a body can be paused before its first byte")
  func pausedFirst() throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port)
    client.writeHead("PUT", "/upload/p?paused", fields: [("Content-Length", "3")])
    #expect(server.probe.next() == .asked("/upload/p"))
    client.write([1, 2, 3])
    // Bytes that arrived together with the head are passed on nevertheless.
    server.perform { $0.resumeBody("/upload/p") }
    #expect(client.readResponse()?.body == [1, 2, 3])
  }

  @Test("a paused body that is never resumed is abandoned")
  func pausedForGood() throws {
    let server = try TestServer { $0.limits.requests.waitingSeconds = 0.05 }
    let client = RawSocket(port: server.port)
    client.writeHead("PUT", "/early/pause", fields: [("Content-Length", "1000000")])
    client.write([1])
    #expect(client.readResponse()?.status == 503)
    #expect(server.probe.next() == .asked("/early/pause"))
    #expect(server.probe.next() == .bodyPart)
    #expect(server.probe.next() == .gone("/early/pause"))
  }

  @Test("a response before the end of a body ends the connection")
  func early() throws {
    let server = try TestServer()
    for path in ["/early/answer", "/spoiled"] {
      let client = RawSocket(port: server.port)
      client.writeHead("PUT", path, fields: [("Content-Length", "2000000")])
      client.write([UInt8](repeating: 1, count: 1_500_000))
      let response = try #require(client.readResponse())
      #expect(response.text == (path == "/spoiled" ? "full" : "early"))
      #expect(response.fields["connection"] == "close")
    }
  }

  @Test("a client that hangs up in the middle of a body is reported as gone")
  func hangup() throws {
    let server = try TestServer()
    var client: RawSocket? = RawSocket(port: server.port)
    client?.writeHead("PUT", "/upload/h", fields: [("Content-Length", "2000")])
    client?.write([1, 2, 3])
    #expect(server.probe.next() == .asked("/upload/h"))
    #expect(server.probe.next() == .bodyPart)
    client = nil
    #expect(server.probe.next() == .gone("/upload/h"))
  }

  @Test("bytes beyond the announced length are the next request")
  func surplus() throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port)
    client.write(
      "PUT /upload/s HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
        + "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
    )
    #expect(client.readResponse()?.text == "abc")
    #expect(client.readResponse()?.text == "{}")
  }

  @Test("requests that arrive in one piece are answered in order, bodies included")
  func pipelinedBodies() throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port)
    let get = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
    func put(_ text: String) -> String {
      "PUT /upload/\(text) HTTP/1.1\r\nHost: a\r\nContent-Length: \(text.count)\r\n\r\n\(text)"
    }
    let soon = "GET /soon HTTP/1.1\r\nHost: a\r\n\r\n"
    client.write(get + put("one") + soon + put("three") + put("four") + get)
    let texts = (0..<6).map { _ in client.readResponse()?.text }
    #expect(texts == ["{}", "one", "soon", "three", "four", "{}"])
  }

  @Test(
    "a body without a valid length ends the connection, also behind other requests",
    arguments: [
      ("POST /upload/x HTTP/1.1\r\nHost: a\r\n\r\n", 411),
      ("PUT /upload/x HTTP/1.1\r\nHost: a\r\nContent-Length: 3x\r\n\r\nabc", 400),
      ("GET /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nabc", 411),
      ("OPTIONS /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", 405),
    ]
  )
  func pipelinedFraming(second: String, status: Int) throws {
    let server = try TestServer()
    for first in ["/healthz", "/large", "/nothing", "/soon"] {
      let client = RawSocket(port: server.port)
      let get = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
      client.write("GET \(first) HTTP/1.1\r\nHost: a\r\n\r\n" + second + get)
      #expect(client.readResponse() != nil)
      #expect(client.readResponse()?.status == status)
      #expect(client.isHungUp())
    }
  }

  @Test("many concurrent bodies and readers all arrive")
  func many() throws {
    // The responses wait for one another to be read, which takes long under a sanitizer.
    let server = try TestServer {
      $0.limits.bodies.time.seconds = 600
      $0.limits.responses.time.seconds = 600
    }
    let body = Self.bytes(50_000)
    let clients = (0..<30).map { _ in RawSocket(port: server.port) }
    for (index, client) in clients.enumerated() {
      let fields = [("Content-Length", "\(body.count)")]
      if index % 3 == 0 {
        client.writeHead("GET", "/large")
      } else {
        client.writeHead("PUT", "/upload/\(index)", fields: fields)
      }
    }
    for start in stride(from: 0, to: body.count, by: 10_000) {
      for (index, client) in clients.enumerated() where index % 3 > 0 {
        client.write(Array(body[start..<start + 10_000]))
      }
    }
    for (index, client) in clients.enumerated() {
      let answer = try #require(client.readResponse(), "answer \(index)").body
      if index % 3 == 0 {
        #expect(answer.count == 3_000_000)
      } else {
        #expect(Self.difference(answer, body) == nil)
      }
    }
  }
}

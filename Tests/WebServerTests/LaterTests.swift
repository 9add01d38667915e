import Testing
import WebServer

@Suite("Deferred responses")
struct LaterTests {
  @Test("each request gets its own response, in any order")
  func outOfOrder() throws {
    let server = try TestServer()
    let clients = (0..<6).map { _ in RawSocket(port: server.port) }
    for (index, client) in clients.enumerated() {
      client.writeHead("GET", "/later/\(index)")
      #expect(server.probe.next() == .asked("/later/\(index)"))
    }
    for index in [3, 0, 5, 1, 4, 2] {
      server.answer("/later/\(index)")
      #expect(clients[index].readResponse()?.text == "to /later/\(index)")
    }
    // The connections stay open.
    for client in clients { #expect(client.request("GET", "/healthz")?.text == "{}") }
  }

  @Test("pipelined requests on one connection are handled one after another")
  func inOrder() throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port)
    let paths = ["/later/a", "/healthz", "/later/b", "/later/c"]
    client.write(paths.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
    #expect(server.probe.next() == .asked("/later/a"))
    #expect(server.probe.next(timeout: 0.05) == nil)
    server.answer("/later/a")
    #expect(server.probe.next() == .asked("/later/b"))
    #expect(client.readResponse()?.text == "to /later/a")
    #expect(client.readResponse()?.text == "{}")
    server.answer("/later/b")
    #expect(server.probe.next() == .asked("/later/c"))
    server.answer("/later/c")
    #expect(client.readResponse()?.text == "to /later/b")
    #expect(client.readResponse()?.text == "to /later/c")
  }

  @Test("a request that follows while the response is sent waits for it")
  func followsTransfer() throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port, receiveBuffer: 4096)
    client.writeHead("GET", "/large")
    client.writeHead("GET", "/healthz")
    client.writeHead("GET", "/large")
    #expect(client.readResponse()?.body.count == 3_000_000)
    client.writeHead("GET", "/question?last")
    #expect(client.readResponse()?.text == "{}")
    #expect(client.readResponse()?.body.count == 3_000_000)
    #expect(client.readResponse()?.text == "last|127.0.0.1")
  }

  @Test("the application can respond while it handles the request")
  func atOnce() throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port)
    #expect(client.request("GET", "/soon")?.text == "soon")
    #expect(client.request("GET", "/healthz")?.text == "{}")
  }

  @Test("a HEAD request can also be answered later")
  func head() throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port)
    client.writeHead("HEAD", "/later/head")
    #expect(server.probe.next() == .asked("/later/head"))
    server.answer("/later/head")
    #expect(client.readResponse(hasBody: false)?.fields["content-length"] == "14")
    #expect(client.request("GET", "/healthz")?.text == "{}")
  }

  @Test("a client that hangs up while waiting is reported at once, and its response is ignored")
  func hangup() throws {
    let server = try TestServer { $0.limits.connections.perAddress = 3 }
    for round in 0..<10 {
      var client: RawSocket? = RawSocket(port: server.port)
      client?.writeHead("GET", "/later/\(round)")
      #expect(server.probe.next() == .asked("/later/\(round)"))
      client = nil
      #expect(server.probe.next() == .gone("/later/\(round)"))
      server.answer("/later/\(round)")
    }
    // The server keeps nothing of them.
    #expect(RawSocket(port: server.port).request("GET", "/healthz")?.text == "{}")
  }

  @Test("a client that waits too long gets 503 with an explanation")
  func timeout() throws {
    let server = try TestServer { $0.limits.requests.waitingSeconds = 0.05 }
    let client = RawSocket(port: server.port)
    let response = try #require(client.request("GET", "/later/never"))
    #expect(response.status == 503)
    #expect(response.text == "The response took too long. Try again.\n")
    #expect(server.probe.next() == .asked("/later/never"))
    #expect(server.probe.next() == .gone("/later/never"))
    server.answer("/later/never")
    #expect(client.request("GET", "/healthz")?.text == "{}")
  }

  @Test("the number of waiting requests is limited")
  func bound() throws {
    let server = try TestServer { $0.limits.requests.waiting = 2 }
    let clients = (0..<3).map { _ in RawSocket(port: server.port) }
    for (index, client) in clients.enumerated() {
      client.writeHead("GET", "/later/\(index)")
      #expect(server.probe.next() == .asked("/later/\(index)"))
    }
    #expect(server.probe.next() == .gone("/later/2"))
    #expect(clients[2].readResponse()?.status == 503)
    server.answer("/later/0")
    #expect(clients[0].readResponse()?.status == 200)
    clients[2].writeHead("GET", "/later/2")
    #expect(server.probe.next() == .asked("/later/2"))
    server.answer("/later/2")
    #expect(clients[2].readResponse()?.text == "to /later/2")
  }

  @Test("more requests can wait than can arrive at one time")
  func manyWait() throws {
    let server = try TestServer { $0.limits.requests.concurrentHeaders = 4 }
    let clients = (0..<40).map { _ in RawSocket(port: server.port) }
    for (index, client) in clients.enumerated() {
      client.writeHead("GET", "/later/\(index)")
      #expect(server.probe.next() == .asked("/later/\(index)"))
    }
    #expect(RawSocket(port: server.port).request("GET", "/healthz")?.text == "{}")
    for (index, client) in clients.enumerated() {
      server.answer("/later/\(index)")
      #expect(client.readResponse()?.text == "to /later/\(index)")
    }
  }

  @Test("stopping answers waiting requests with 503, and run() returns")
  func stop() throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port)
    client.writeHead("GET", "/later/stop")
    let sender = RawSocket(port: server.port)
    #expect(server.probe.next() == .asked("/later/stop"))
    sender.writeHead("PUT", "/upload/stop", fields: [("Content-Length", "1000")])
    #expect(server.probe.next() == .asked("/upload/stop"))
    server.stop()
    #expect(server.probe.next() == .stopping)
    #expect(client.readResponse()?.status == 503)
    #expect(sender.readResponse()?.status == 503)
    let gone = [server.probe.next(), server.probe.next()]
    #expect(gone.contains(.gone("/later/stop")) && gone.contains(.gone("/upload/stop")))
    #expect(server.ends(within: 5))
    #expect(client.isHungUp())
  }

  @Test("clients that never read their response do not prevent the server from stopping")
  func stopWithStalledReader() throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port, receiveBuffer: 4096)
    client.writeHead("GET", "/large")
    client.writeHead("GET", "/later/stop")
    server.stop()
    #expect(server.ends(within: 5))
  }
}

@Suite("Response heads")
struct HeadTests {
  @Test("304 depends on a tag of the application")
  func explicitTag() throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port)
    let first = try #require(client.request("GET", "/tagged"))
    #expect(first.status == 200)
    #expect(first.fields["etag"] == "\"book-1\"")
    func status(_ known: String) -> Int? {
      client.request("GET", "/tagged", fields: [("If-None-Match", known)])?.status
    }
    for known in ["\"book-1\"", "W/\"book-1\"", "\"a\", \"book-1\"", "*"] {
      #expect(status(known) == 304, "\(known)")
    }
    for other in ["\"book-2\"", "book-1", "\"a-book-1\""] { #expect(status(other) == 200) }
  }

  @Test("fields of the application are added and replace the server's own")
  func fields() throws {
    let server = try TestServer()
    let response = try #require(RawSocket(port: server.port).request("GET", "/tagged"))
    #expect(response.fields["x-page"] == "7")
    #expect(response.fields["x-content-type-options"] == "nosniff")
    #expect(
      response.fields["content-security-policy"]
        == "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"
    )
  }

  @Test(
    "a field with a line end or NUL is a programming error",
    arguments: ["a\r\nb: c", "a\u{0}"]
  )
  func injection(value: String) async {
    let value = value
    await #expect(processExitsWith: .failure) { [value] in _ = HTTPField("x-name", value) }
  }
}

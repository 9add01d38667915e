import Testing

@testable import WebServer

@Suite("Requests to become a WebSocket")
struct UpgradeRefusalTests {
  private static let fields = [
    "host": "127.0.0.1:8080", "origin": "http://127.0.0.1:8080", "upgrade": "WebSocket",
    "connection": "keep-alive, Upgrade", "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    "sec-websocket-protocol": "other, lectern.v1",
  ]

  /// Returns why a request is rejected: a good one with some fields changed, or without them (nil).
  private func cause(
    _ changes: [String: String?] = [:],
    first: String = "GET /ws HTTP/1.1",
    isForAdmin: Bool = false
  ) throws -> ServerMetrics.Rejection? {
    var fields = Self.fields
    for (name, value) in changes { fields[name] = value }
    let lines = fields.map { "\($0.key): \($0.value)\r\n" }.joined()
    let head = try RequestHead(Array("\(first)\r\n\(lines)\r\n".utf8))
    return head.upgradeRefusal(
      by: ServerOptions(hosts: []),
      pageHost: head.host,
      isForAdmin: isForAdmin
    )?.cause
  }

  @Test("a complete request is accepted, with or without an origin or a query")
  func complete() throws {
    #expect(try cause() == nil)
    #expect(try cause(["origin": nil]) == nil)
    #expect(try cause(first: "GET /ws?a HTTP/1.1") == nil)
  }

  @Test("each invalid request is rejected with its cause")
  func mistakes() throws {
    #expect(try cause(first: "GET / HTTP/1.1") == .path)
    #expect(try cause(first: "GET /ws/ HTTP/1.1") == .path)
    #expect(try cause(isForAdmin: true) == .path)
    #expect(try cause(first: "GET /ws HTTP/1.0") == .upgrade)
    #expect(try cause(first: "POST /ws HTTP/1.1") == .upgrade)
    #expect(try cause(["connection": "keep-alive"]) == .upgrade)
    #expect(try cause(["content-length": "5"]) == .upgrade)
    #expect(try cause(["upgrade": "websocket, h2c"]) == .upgrade)
    #expect(try cause(["sec-websocket-version": "8"]) == .version)
    #expect(try cause(["sec-websocket-key": "dGhlIHNhbXBsZSBub25jZ?=="]) == .key)
    #expect(try cause(["sec-websocket-key": nil]) == .key)
    #expect(try cause(["sec-websocket-protocol": "lectern.v2"]) == .proto)
    #expect(try cause(["host": "evil.example", "origin": nil]) == .host)
    #expect(try cause(["origin": "https://evil.example"]) == .origin)
  }

  @Test("a response to a wrong version names the right one, and a limit says when to come back")
  func fields() {
    func names(_ cause: ServerMetrics.Rejection) -> [String] {
      UpgradeRefusal(cause, 400, "").fields.map(\.name)
    }
    #expect(names(.version) == ["sec-websocket-version", "upgrade"])
    #expect(names(.rate) == ["retry-after"] && names(.number) == ["retry-after"])
    #expect(names(.key) == [])
  }
}

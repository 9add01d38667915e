import Testing

@testable import WebServer

@Suite("Requests to become a WebSocket")
struct UpgradeRequestTests {
  private func cause(
    _ options: ServerOptions = ServerOptions(hosts: []),
    _ change: (inout UpgradeRequest) -> Void = { _ in }
  ) -> ServerMetrics.Rejection? {
    var request = UpgradeRequest(
      path: "/ws",
      isComplete: true,
      upgrade: "WebSocket",
      isForAdmin: false,
      version: "13",
      key: "dGhlIHNhbXBsZSBub25jZQ==",
      protocols: "other, lectern.v1",
      host: "127.0.0.1:8080",
      origin: "http://127.0.0.1:8080"
    )
    change(&request)
    return request.refusal(by: options)?.cause
  }

  @Test("a complete request is accepted, with or without an origin")
  func complete() {
    #expect(cause() == nil)
    #expect(cause { $0.origin = nil } == nil)
  }

  @Test("each invalid request is rejected with its cause")
  func mistakes() {
    #expect(cause { $0.path = "/" } == .path)
    #expect(cause { $0.path = "/ws/" } == .path)
    #expect(cause { $0.isComplete = false } == .upgrade)
    #expect(cause { $0.upgrade = "websocket, h2c" } == .upgrade)
    #expect(cause { $0.isForAdmin = true } == .path)
    #expect(cause { $0.version = "8" } == .version)
    #expect(cause { $0.key = "dGhlIHNhbXBsZSBub25jZ?==" } == .key)
    #expect(cause { $0.key = nil } == .key)
    #expect(cause { $0.protocols = "lectern.v2" } == .proto)
    #expect(cause { $0.host = "evil.example" } == .host)
    #expect(cause { $0.origin = "https://evil.example" } == .origin)
  }

  @Test("a response to a wrong version names the right one, and a limit says when to come back")
  func fields() {
    func names(_ cause: ServerMetrics.Rejection) -> [String] {
      UpgradeRequest.Refusal(cause, 400, "").fields.map(\.name)
    }
    #expect(names(.version) == ["sec-websocket-version", "upgrade"])
    #expect(names(.rate) == ["retry-after"] && names(.number) == ["retry-after"])
    #expect(names(.key) == [])
  }
}

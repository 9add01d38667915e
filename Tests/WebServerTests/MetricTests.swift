import HeadlessReader
import Telemetry
import Testing

@testable import WebServer

@Suite("A server's metrics and log", .timeLimit(.minutes(10)))
struct MetricTests {
  @Test("a bounded number of close codes is distinguished, however many clients send")
  func codes() {
    let registry = MetricRegistry()
    let metrics = ServerMetrics(in: registry)
    for code in UInt16(1000)..<5000 { metrics.countClosing(code) }
    let lines = registry.text.split(separator: "\n").filter {
      $0.hasPrefix("lectern_disconnects_total{")
    }
    #expect(lines.count == 65)
    #expect(lines.contains(#"lectern_disconnects_total{code="1000"} 1"#))
    #expect(lines.contains(#"lectern_disconnects_total{code="other"} 3936"#))
  }

  @Test("open connections are counted by kind")
  func connections() throws {
    let server = try TestServer()
    let webSocket = RawSocket(port: server.port)
    #expect(webSocket.upgrade()?.status == 101)
    #expect(server.probe.next() == .opened)
    let page = RawSocket(port: server.port)
    #expect(page.request("GET", "/healthz")?.status == 200)
    #expect(server.counted("connections") == ["websocket": 1, "page": 1])
  }

  @Test("a message of libwebsockets contains no query, which may contain a pass")
  func queries() {
    #expect(
      LibwebsocketsLog.withoutQueries("bad uri /b/k3/p/1?pass=secret&v=2 (len 9)\n")
        == "bad uri /b/k3/p/1?... (len 9)"
    )
    #expect(LibwebsocketsLog.withoutQueries("plain  words\n\n") == "plain  words")
  }
}

import Foundation
import Testing
import WebServer

@Suite("Pages and files")
struct PageTests {
  @Test("the root is index.html, with its type and the security fields")
  func rootIsIndex() throws {
    let server = try TestServer()
    let response = try #require(RawSocket(port: server.port).request("GET", "/"))
    #expect(response.status == 200)
    #expect(response.text == "<!doctype html>")
    #expect(response.fields["content-type"] == "text/html; charset=utf-8")
    #expect(response.fields["cache-control"] == "no-cache")
    #expect(response.fields["x-content-type-options"] == "nosniff")
    #expect(response.fields["referrer-policy"] == "no-referrer")
    let policy = response.fields["content-security-policy"] ?? ""
    for part in [
      "default-src 'self'", "connect-src 'self' ws://127.0.0.1 wss://127.0.0.1", "base-uri 'none'",
      "form-action 'self'",
    ] {
      #expect(policy.split(separator: "; ").contains(part[...]), "\(part)")
    }
    #expect(response.fields["server"] == nil)
  }

  @Test(
    "the name of a file determines its type and caching",
    arguments: [
      ("a.css", "text/css; charset=utf-8", "no-cache"),
      ("a.mjs", "text/javascript; charset=utf-8", "no-cache"),
      ("a.json", "application/json", "no-cache"),
      ("a.txt", "text/plain; charset=utf-8", "no-cache"),
      ("a.svg", "image/svg+xml", "public, max-age=31536000, immutable"),
      ("a.png", "image/png", "public, max-age=31536000, immutable"),
      ("a.jpg", "image/jpeg", "public, max-age=31536000, immutable"),
      ("a.webp", "image/webp", "public, max-age=31536000, immutable"),
      ("a.woff2", "font/woff2", "public, max-age=31536000, immutable"),
    ]
  )
  func types(name: String, type: String, caching: String) throws {
    let server = try TestServer()
    try Data("x".utf8).write(to: server.root.appendingPathComponent(name))
    let response = try #require(RawSocket(port: server.port).request("GET", "/\(name)"))
    #expect(response.status == 200)
    #expect(response.fields["content-type"] == type)
    #expect(response.fields["cache-control"] == caching)
  }

  @Test("one connection answers many requests, and an unchanged file with 304 until it changes")
  func unchangedFile() throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port)
    let first = try #require(client.request("GET", "/js/main.js"))
    let tag = try #require(first.fields["etag"])
    let second = try #require(
      client.request("GET", "/js/main.js", fields: [("If-None-Match", tag)])
    )
    #expect(second.status == 304)
    #expect(second.body.isEmpty)
    #expect(second.fields["etag"] == tag)
    try Data("export default 1".utf8).write(to: server.root.appendingPathComponent("js/main.js"))
    let third = try #require(client.request("GET", "/js/main.js", fields: [("If-None-Match", tag)]))
    #expect(third.status == 200)
    #expect(third.text == "export default 1")
  }

  @Test("a HEAD request gives the fields of GET without a body, and the connection stays in step")
  func head() throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port)
    let head = try #require(client.request("HEAD", "/"))
    #expect(head.status == 200)
    #expect(head.fields["content-length"] == "15")
    #expect(client.request("GET", "/")?.text == "<!doctype html>")
  }

  @Test(
    "no path leads out of the directory",
    arguments: [
      "/../secret.txt", "/js/../../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt",
      "/%2e%2e%2fsecret.txt", "/js/..%2f..%2fsecret.txt", "/....//secret.txt", "//secret.txt",
      "/link.txt", "/linked/secret.txt", "/.hidden", "/js", "/js/", "/index.html%00.png",
    ]
  )
  func traversal(path: String) throws {
    let server = try TestServer()
    let outside = server.root.deletingLastPathComponent()
    let files = FileManager.default
    try files.createSymbolicLink(
      at: server.root.appendingPathComponent("link.txt"),
      withDestinationURL: outside.appendingPathComponent("secret.txt")
    )
    try files.createSymbolicLink(
      at: server.root.appendingPathComponent("linked"),
      withDestinationURL: outside
    )
    try Data("secret".utf8).write(to: server.root.appendingPathComponent(".hidden"))
    let response = RawSocket(port: server.port).request("GET", path)
    #expect(response?.status != 200)
    #expect(response?.text.contains("secret") != true)
  }

  @Test("a missing path gives 404, and an unsupported method 405")
  func refusals() throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port)
    let missing = try #require(client.request("GET", "/nothing.html"))
    #expect(missing.status == 404)
    #expect(missing.fields["content-type"] == "text/plain; charset=utf-8")
    #expect(missing.text == "Not found. Check the address.\n")
    let posted = try #require(client.request("POST", "/", body: []))
    #expect(posted.status == 405)
    #expect(posted.fields["allow"] == "GET, HEAD")
    let options = try #require(client.request("OPTIONS", "/"))
    #expect(options.status == 405)
    #expect(options.fields["allow"] == "GET, HEAD, POST, PUT, PATCH, DELETE")
    #expect(client.isHungUp())
  }

  @Test(
    "CONNECT and invalid input end the connection",
    arguments: ["CONNECT a:1 HTTP/1.1\r\n\r\n", "\u{16}\u{3}\u{1}\r\n\r\n"]
  )
  func noise(text: String) throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port)
    client.write(text)
    if let response = client.readResponse() { #expect(response.status >= 400) }
    #expect(client.isHungUp())
  }

  @Test("the application responds first, sees the query, and a large response arrives complete")
  func application() throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port)
    let health = try #require(client.request("GET", "/healthz"))
    #expect(health.text == "{}")
    #expect(health.fields["content-type"] == "application/json")
    #expect(health.fields["cache-control"] == "no-store")
    #expect(client.request("GET", "/question?a=b")?.text == "a=b|127.0.0.1")
    #expect(
      client.request("GET", "/question?q=%E8%A8%AD+1%26%2B2&book=c%3Dd&flag")?.text
        == "q=設 1&+2;book=c=d;flag|127.0.0.1"
    )
    let large = try #require(client.request("GET", "/large"))
    #expect(large.body == [UInt8](repeating: 7, count: 3_000_000))
    let tag = try #require(large.fields["etag"])
    #expect(client.request("GET", "/large", fields: [("If-None-Match", tag)])?.status == 304)
  }

  @Test("pipelined requests are answered in order")
  func pipelining() throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port)
    let paths = ["/", "/js/main.js", "/nothing", "/healthz"]
    client.write(paths.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
    let texts = paths.map { _ in client.readResponse()?.text }
    #expect(
      texts == ["<!doctype html>", "export {}", "Not found. Check the address.\n", "{}"]
    )
  }

  @Test(
    "a file with any date is served, and its tag distinguishes dates",
    arguments: [-1.0, -2_000_000_000, 0, 5_000_000_000, 12_000_000_000]
  )
  func dates(time: Double) throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port)
    let tag = client.request("GET", "/")?.fields["etag"]
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: time)],
      ofItemAtPath: server.root.appendingPathComponent("index.html").path
    )
    let response = try #require(client.request("GET", "/"))
    #expect(response.status == 200)
    #expect(response.fields["etag"] != tag)
  }
}

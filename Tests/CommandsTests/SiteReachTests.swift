import Foundation
import Testing
import WebServer

@testable import Commands
@testable import Server

@Suite("The addresses of a server, and logins in front of it", .timeLimit(.minutes(10)))
struct SiteReachTests {
  private let key = "the-key-of-the-library"
  private let folder: SampleFolder

  init() throws { folder = try SampleFolder() }

  @Test("the address to share states who can reach it")
  func address() throws {
    let server = try ServingThread(folder) { $0.keys.library = key }
    func answer(
      _ server: ServingThread,
      _ fields: [String: String] = [:]
    ) throws -> [String: String] {
      let body = Data(try server.ask("/api/address", fields: fields).body.utf8)
      return try JSONDecoder().decode([String: String].self, from: body)
    }
    let base = "http://127.0.0.1:\(server.port)"
    var own = ["base": base, "reach": "machine", "proxy": "missing", "client": "127.0.0.1"]
    #expect(try answer(server) == own)
    let report = ["x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https"]
    own["proxy"] = "ignored"
    #expect(try answer(server, report) == own)
    let known = try ServingThread(folder) { $0.network.publicURL = "https://books.example/" }
    #expect(try answer(known)["base"] == "https://books.example")
    #expect(try answer(known)["reach"] == "public")
    // Without an address of its own, a server shares the one that its proxy was asked for.
    let path = try #require(BasePath("/books"))
    let proxied = try ServingThread(folder) {
      $0.network.proxies = .loopback
      $0.network.basePath = path
    }
    #expect(
      try answer(proxied, report.merging(["x-forwarded-host": "nas.example"]) { $1 }) == [
        "base": "https://nas.example/books", "reach": "network", "proxy": "used",
        "client": "203.0.113.9",
      ]
    )
    let name = ["host": "books.example", "origin": "https://books.example"]
    #expect(try known.ask("/api/address", fields: name).status == 200)
    #expect(try known.ask("/api/address", fields: ["host": "evil.example"]).status == 421)
  }

  @Test("a server for its own machine refuses what a proxy passes on, and is open to all others")
  func ownMachine() throws {
    let server = try ServingThread(folder)
    #expect(try server.ask("/api/books").status == 200)
    let marks = ["x-forwarded-for", "forwarded", "x-forwarded-host", "x-forwarded-proto", "via"]
    for mark in marks {
      let reply = try server.ask("/api/books", fields: [mark: "x"])
      #expect(reply.status == 403 && reply.body.contains("--trust-proxy"), "\(mark)")
    }
    // With one of these, others may reach it, so it asks for the key.
    for change: @Sendable (inout ReadingServer.Options) -> Void in [
      { $0.network.hosts = ["books.example"] },
      { $0.network.basePath = BasePath("/books") ?? .none },
      { $0.network.publicURL = "https://books.example" }, { $0.network.proxies = .loopback },
    ] {
      let open = try ServingThread(folder) { change(&$0) }
      #expect(try open.ask("/api/books", fields: ["via": "x"]).status == 401)
    }
  }

  @Test("a reader who has logged in to the proxy gets the library's key, and nobody else")
  func login() throws {
    let server = try ServingThread(folder) {
      $0.network.proxies = .loopback
      $0.network.userHeader = "remote-user"
      $0.keys.library = key
    }
    let anna = ["remote-user": "anna"]
    let reply = try server.ask("/api/login", fields: anna)
    #expect(reply.body == #"{"key":"\#(key)","name":"anna"}"# + "\n")
    #expect(reply.field("cache-control")?.contains("no-store") == true)
    #expect(try server.ask("/api/login").status == 204)
    // No other way to write the path leads there, because the proxy may guard this one only.
    for path in ["/api/login/", "/api//login", "//api/login", "/api/%6cogin"] {
      #expect(try !server.ask(path, fields: anna).body.contains(key), "\(path)")
    }
    // A path that a proxy does not guard may carry the name of anybody.
    #expect(try server.ask("/api/books", fields: anna).status == 401)
    let without = try ServingThread(folder) {
      $0.network.proxies = .loopback
      $0.keys.library = key
    }
    #expect(try without.ask("/api/login", fields: anna).status == 204)
    #expect(try without.ask("/api/books", fields: anna).status == 401)
  }

  @Test("a server accepts its own names and the configured ones")
  func hosts() throws {
    let server = try ServingThread(folder) { $0.network.hosts = ["Shelf.example"] }
    for name in HostNames.own() + ["shelf.example:99", "localhost:1"] {
      #expect(try server.ask("/api/address", fields: ["host": name]).status == 200, "\(name)")
    }
    #expect(try server.ask("/api/address", fields: ["host": "rebound.example"]).status == 421)
  }

  @Test("QR codes are drawn only for this server's links", arguments: SiteRoute.allCases)
  func qrCode(_ route: SiteRoute) throws {
    let server = try route.client(folder) { $0.keys.library = key }
    func draw(_ text: String) throws -> Reply {
      try server.ask("/api/qr", .post, body: text, fields: ["content-type": "text/plain"])
    }
    let own = try #require(try server.ask("/api/address").body.firstMatch(of: /http[^"]+/))
    let link = "\(own.output)/r/ABCDEF#0123456789abcdefghijkl"
    let drawing = try draw(link)
    #expect(drawing.status == 200 && drawing.field("content-type") == "image/svg+xml")
    #expect(drawing.body == QRCode(link)?.svg)
    for text in ["http://evil.example/", "hello", "http://127.0.0.1:2/"] {
      #expect(try draw(text).status == 400, "\(text)")
    }
    #expect(try draw(link + String(repeating: "x", count: 512)).status == 413)
  }
}

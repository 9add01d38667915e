import Testing

@testable import WebServer

@Suite("Trusted proxies")
struct TrustedProxiesTests {
  private func contains(_ list: String..., address: String) throws -> Bool {
    let proxies = try #require(TrustedProxies(list))
    return proxies.contains(try #require(PeerAddress(address)))
  }

  @Test("are addresses, networks and words")
  func lists() throws {
    #expect(try contains("10.1.2.3", address: "10.1.2.3"))
    #expect(try !contains("10.1.2.3", address: "10.1.2.4"))
    #expect(try contains("172.16.0.0/12", address: "172.31.255.255"))
    #expect(try !contains("172.16.0.0/12", address: "172.32.0.0"))
    #expect(try contains("0.0.0.0/0", address: "203.0.113.9"))
    #expect(try !contains("0.0.0.0/0", address: "2001:db8::1"))
    #expect(try contains("2001:db8:8000::/33", address: "2001:db8:ffff::1"))
    #expect(try !contains("2001:db8:8000::/33", address: "2001:db8:7fff::1"))
    #expect(try contains("10.0.0.9", "fd00::/8", address: "fd12::1"))
    for address in ["10.0.0.1", "192.168.1.1", "172.17.0.1", "fd00::1"] {
      #expect(try contains("private", address: address))
    }
    #expect(try !contains("private", address: "127.0.0.1"))
    #expect(try contains("loopback", address: "::1") && contains("LOOPBACK", address: "127.9.9.9"))
    // An IPv4 address in IPv6 notation is the same address.
    #expect(try contains("10.0.0.0/8", address: "::ffff:10.0.0.1"))
  }

  @Test("are nothing else")
  func invalid() {
    for text in [
      "", "proxy", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "10.0.0/8",
      "::/129",
      "10.0.0.0/", "/8", "10.0.0.0/99999999999999999999",
    ] {
      #expect(TrustedProxies([text]) == nil, "\(text)")
    }
  }

  private func client(_ fields: String, from source: String = "10.0.0.2") throws -> String {
    let options = ServerOptions(proxies: try #require(TrustedProxies(["10.0.0.0/8", "fd00::5"])))
    let text = "GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n"
    return options.client(of: try RequestHead(Array(text.utf8)), from: options.source(of: source))
  }

  @Test("report the client, which is the last hop that is none of them")
  func clients() throws {
    #expect(try client("X-Forwarded-For: 6.6.6.6, 203.0.113.9, 10.0.0.3") == "203.0.113.9")
    #expect(try client("X-Forwarded-For: 203.0.113.9:1234") == "203.0.113.9")
    #expect(try client("X-Forwarded-For: 10.0.0.9, 10.0.0.3") == "10.0.0.9")
    #expect(try client("X-Forwarded-For: 203.0.113.9, unknown, 10.0.0.3") == "10.0.0.3")
    #expect(try client("X-Forwarded-For: ") == "10.0.0.2")
    #expect(try client("Via: 1.1 proxy") == "10.0.0.2")
    // One of two addresses of the same site is a proxy.
    #expect(try client("X-Forwarded-For: 203.0.113.9", from: "fd00::5") == "203.0.113.9")
    #expect(try client("X-Forwarded-For: 203.0.113.9", from: "fd00::6") == "fd00::/64")
    #expect(try client("X-Forwarded-For: 203.0.113.9", from: "11.0.0.1") == "11.0.0.1")
  }

  @Test("report the client in the standard's field as well")
  func standardField() throws {
    #expect(try client("Forwarded: for=192.0.2.60;proto=http;by=203.0.113.43") == "192.0.2.60")
    #expect(try client("Forwarded: For=\"[2001:db8:cafe::17]:4711\"") == "2001:db8:cafe::/64")
    #expect(
      try client("Forwarded: for=192.0.2.43, for=198.51.100.17;by=10.0.0.1") == "198.51.100.17"
    )
    #expect(try client("Forwarded: host=\"a,b;for=6.6.6.6\"; for=192.0.2.1") == "192.0.2.1")
    for field in [
      "for=_hidden", "for=unknown", "for", "=", "for=\"", ";;,,", "proto=https",
      "for=6.6.6.6;x=\", for=192.0.2.1",
    ] {
      #expect(try client("Forwarded: \(field)") == "10.0.0.2", "\(field)")
    }
  }

  @Test("of two fields that differ, the client may have written one, so neither counts")
  func bothFields() throws {
    let standard = "Forwarded: for=192.0.2.1\r\n"
    #expect(try client(standard + "X-Forwarded-For: 203.0.113.9") == "10.0.0.2")
    #expect(try client(standard + "X-Forwarded-For: 6.6.6.6, 192.0.2.1") == "192.0.2.1")
  }

  @Test("report the host that pages know, which names the server to nobody else")
  func hosts() throws {
    let options = ServerOptions(hosts: [], proxies: .loopback)
    func host(_ field: String, from source: String = "127.0.0.1") throws -> String {
      let text = "GET / HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\(field)\r\n\r\n"
      return options.pageHost(of: try RequestHead(Array(text.utf8)), from: source)
    }
    #expect(try host("X-Forwarded-Host: books.example") == "books.example")
    #expect(try host("X-Forwarded-Host: books.example", from: "10.0.0.1") == "127.0.0.1:1")
    #expect(try host("X-Forwarded-Host: a, b") == "127.0.0.1:1")
    #expect(try host("X: y") == "127.0.0.1:1")
  }

  @Test("report the page's origin and the user, which nobody else can")
  func origins() throws {
    var options = ServerOptions(proxies: try #require(TrustedProxies(["10.0.0.2"])))
    options.userField = "remote-user"
    func head(_ fields: String) throws -> RequestHead {
      try RequestHead(Array("GET / HTTP/1.1\r\nHost: inner:80\r\n\(fields)\r\n\r\n".utf8))
    }
    let whole = try head(
      "X-Forwarded-Proto: https, http\r\nX-Forwarded-Host: books.example\r\nRemote-User: anna\r\n"
        + "X-Forwarded-For: 203.0.113.9"
    )
    #expect(options.pageOrigin(of: whole, from: "10.0.0.2") == "https://books.example")
    #expect(options.user(of: whole, from: "10.0.0.2") == "anna")
    #expect(options.report(of: whole, from: "10.0.0.2") == .used)
    #expect(options.pageOrigin(of: whole, from: "10.0.0.3") == nil)
    #expect(options.user(of: whole, from: "10.0.0.3") == nil)
    #expect(options.report(of: whole, from: "10.0.0.3") == .ignored)
    let bare = try head("X-Forwarded-Proto: gopher\r\nRemote-User: ")
    #expect(options.pageOrigin(of: bare, from: "10.0.0.2") == nil)
    #expect(options.user(of: bare, from: "10.0.0.2") == nil)
    for name in ["{http.auth.user.id}", "$remote_user", "${user}"] {
      #expect(options.user(of: try head("Remote-User: \(name)"), from: "10.0.0.2") == nil)
    }
    #expect(options.report(of: bare, from: "10.0.0.3") == .missing)
    #expect(options.report(of: try head("Forwarded: for=1.2.3.4"), from: "10.0.0.3") == .ignored)
    options.userField = nil
    #expect(options.user(of: whole, from: "10.0.0.2") == nil)
  }

  @Test("a server for its own machine refuses what a proxy passes on, except at its admin endpoint")
  func forbidden() throws {
    let options = ServerOptions(proxies: .forbidden)
    func head(_ field: String) throws -> RequestHead {
      let handshake =
        "GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        + "Sec-WebSocket-Protocol: \(WebServer.subprotocol)\r\n"
      return try RequestHead(Array("\(handshake)\(field)\r\n\r\n".utf8))
    }
    let (direct, passed) = (try head("X: y"), try head("Via: 1.1 proxy"))
    #expect(options.misdirection(of: direct) == nil)
    #expect(options.misdirection(of: passed)?.status == 403)
    #expect(options.misdirection(of: passed, isForAdmin: true) == nil)
    #expect(ServerOptions().misdirection(of: passed) == nil)
    let refusals = [direct, passed].map {
      $0.upgradeRefusal(by: options, pageHost: "127.0.0.1", isForAdmin: false)?.status
    }
    #expect(refusals == [nil, 403])
  }

  @Test("a user is not named by a field that browsers send")
  func userFields() {
    for name in ["Remote-User", "X-Forwarded-User", "X-authentik-username"] {
      #expect(ServerOptions.isUserField(name), "\(name)")
    }
    for name in ["", "Cookie", "HOST", "Accept-Language", "Sec-Fetch-Site", "a b", "a:b"] {
      #expect(!ServerOptions.isUserField(name), "\(name)")
    }
  }
}

import Foundation
import HeadlessReader
import Scene
import Testing
import WebServer
import Wire

@testable import Commands
@testable import Server

private let routes = SiteRoute.allCases

@Suite("A server's answers over HTTP", .timeLimit(.minutes(10)))
struct SiteTests {
  private static let key = "the-key-of-the-library"
  private static let token = "the-token-of-the-admin"

  let folder: SampleFolder

  init() throws {
    folder = try SampleFolder(books: [[4, 2], [3]])
    let demo = URL(fileURLWithPath: folder.web + "/demo.html")
    try Data("<!doctype html><title>demo".utf8).write(to: demo)
  }

  private func locked() throws -> ServingThread {
    try ServingThread(folder) { $0.keys.library = Self.key }
  }

  private func locked(_ route: SiteRoute, token: String? = nil) throws -> any SiteClient {
    try route.client(folder) { ($0.keys.library, $0.keys.admin) = (Self.key, token) }
  }

  @Test("only its key opens the whole library", arguments: routes)
  func key(_ route: SiteRoute) throws {
    let server = try locked(route)
    for path in ["/api/books", "/api/search?q=x", "/api/uploads", "/api/recordings"] {
      let refused = try server.ask(path)
      #expect(refused.status == 401, "\(path)")
      #expect(refused.field("www-authenticate") == "Bearer")
      #expect(try server.ask(path, key: "another-key-of-a-library").status == 401, "\(path)")
      #expect(try server.ask(path, key: Self.key).status == 200, "\(path)")
    }
    for path in ["/r/ABC", "/api/address"] {
      #expect(try server.ask(path).status == 200, "\(path)")
    }
  }

  /// Returns the paths that show a book and nothing else.
  private func paths(of book: String) -> [String] {
    [
      "/api/books/\(book)", "/api/books/\(book)/outline", "/api/books/\(book)/pages",
      "/api/books/\(book)/pages/0/text", "/b/\(book)/p/0/screen", "/ledges/book/\(book).svg",
      "/api/search?q=x&book=\(book)",
    ]
  }

  private func statuses(
    _ server: any SiteClient,
    _ book: String,
    key: String? = nil,
    pass: String = ""
  ) throws -> Set<Int> {
    let pass = pass.isEmpty ? "" : "pass=\(pass)"
    return Set(
      try paths(of: book).map { path in
        let mark = pass.isEmpty ? "" : path.contains("?") ? "&" : "?"
        return try server.ask(path + mark + pass, key: key).status
      }
    )
  }

  @Test("the library's key opens a book, and so does the pass of a guest that is shown that book")
  func passes() throws {
    let server = try locked()
    let books = try server.books(key: Self.key)
    let (shown, other) = (books[0], books[1])
    let owner = try HeadlessReader(port: server.port, key: Self.key)
    owner.send(.go(book: shown, opens: true, page: nil))
    try owner.waitForFrame { $0.frame.isSettled && $0.frame.screen == .book }
    owner.send(.share)
    try owner.waitUntilSettled()
    let links = try #require(owner.links)
    let guest = try HeadlessReader(port: server.port, room: owner.room, key: links.follow)
    #expect(try statuses(server, shown) == [403])
    #expect(try statuses(server, shown, pass: "guessed") == [403])
    #expect(try statuses(server, shown, key: Self.key) == [200])
    #expect(try statuses(server, shown, pass: guest.pass) == [200])
    #expect(try statuses(server, other, pass: guest.pass) == [403])
    #expect(try statuses(server, other, pass: owner.pass) == [200])
    #expect(try statuses(server, other, pass: guest.pass.replacing(shown, with: other)) == [403])
    let image = "/b/\(shown)/p/0/screen"
    for (cookie, status) in [
      ("lectern-pass-x=\(guest.pass)", 200),
      ("a=b; lectern-pass-y=0; lectern-pass-x=\(guest.pass)", 200),
      ("other=\(guest.pass)", 403), ("lectern-pass-x", 403), ("lectern-pass-x=.", 403),
    ] {
      #expect(try server.ask(image, fields: ["cookie": cookie]).status == status, "\(cookie)")
    }
    owner.send(.showOut(guest.memberID))
    #expect(try guest.waitForClose().code == CloseCode.shownOut.rawValue)
    #expect(try statuses(server, shown, pass: guest.pass) == [403])
    let second = try HeadlessReader(port: server.port, room: owner.room, key: links.follow)
    #expect(try statuses(server, shown, pass: second.pass) == [200])
    owner.send(.endReading)
    #expect(try second.waitForClose().code == CloseCode.ended.rawValue)
    #expect(try statuses(server, shown, pass: second.pass) == [403])
    #expect(try statuses(server, shown, pass: owner.pass) == [200])
  }

  @Test("an open library opens all its books", arguments: routes)
  func openBooks(_ route: SiteRoute) throws {
    let server = try route.client(folder)
    let id = try server.books()[0]
    #expect(try statuses(server, id) == [200])
    #expect(try statuses(server, id, pass: "anything") == [200])
  }

  @Test("a request for a page is forgotten once it is answered")
  func awaitedPages() throws {
    let server = try ServingThread(folder)
    for id in try server.books() {
      for size in ["thumb", "screen", "zoom", "thumb"] {
        #expect(try server.ask("/b/\(id)/p/1/\(size)").status == 200)
      }
    }
    let metrics = try server.ask("/metrics", isForAdmin: true).body
    #expect(metrics.contains("lectern_pages_awaited 0\n"), "\(metrics)")
  }

  @Test("changing a book requires the library's key", arguments: routes)
  func changing(_ route: SiteRoute) throws {
    let server = try locked(route)
    let path = "/api/books/\(try server.books(key: Self.key)[0])"
    let edit = #"{"title":"Mine"}"#
    #expect(try server.ask(path, .patch, body: edit).status == 401)
    #expect(try server.ask(path, .patch, key: Self.key, body: edit).body.contains("Mine"))
    #expect(try server.ask("/ledges/book/nobody.svg", key: Self.key).status == 404)
  }

  @Test("a book tells its paper stock, and another one reaches the pages of rooms")
  func stock() throws {
    let server = try ServingThread(folder)
    let id = try server.books()[0]
    #expect(try server.ask("/api/books").body.matches(of: /"stock":"paper"/).count == 3)
    let reader = try server.reader("STOCK")
    reader.send(.go(book: id, opens: true, page: nil))
    try reader.waitForFrame { $0.frame.isSettled && $0.frame.screen == .book }
    func stocks() -> Set<PaperStock> {
      let pages = reader.elements.values.filter { $0.imageURL.hasPrefix("/b/\(id)/") }
      return Set(pages.filter { $0.kind == .page }.map(\.stock))
    }
    #expect(stocks() == [.paper])
    for stock in PaperStock.allCases.reversed() {
      let edit = #"{"stock":"\#(stock.name)"}"#
      let answer = try server.ask("/api/books/\(id)", .patch, body: edit)
      #expect(answer.status == 200 && answer.body.contains(#""stock":"\#(stock.name)""#))
      #expect(try server.ask("/api/books/\(id)").body == answer.body)
      let end = Date(timeIntervalSinceNow: 30)
      while stocks() != [stock], Date() < end { try reader.collect(for: 0.05) }
      #expect(stocks() == [stock])
    }
  }

  @Test("an invalid correction is rejected and says what to send", arguments: routes)
  func invalidCorrection(_ route: SiteRoute) throws {
    let server = try route.client(folder)
    let list = try server.ask("/api/books").body
    let path = "/api/books/\(try server.books()[0])"
    for body in [#"{"stock":"felt"}"#, #"{"stock":2}"#, #"{"direction":"up"}"#, "[]"] {
      let answer = try server.ask(path, .patch, body: body)
      #expect(answer.status == 400 && answer.body.contains("This is no correction."), "\(body)")
      #expect(answer.body.contains(#"\"stock\": \"paper\", \"card\" or \"board\""#))
    }
    #expect(try server.ask("/api/books").body == list)
  }

  @Test("the library's key opens a ledge, and so does a guest's pass while its shelf is shared")
  func ledge() throws {
    let server = try locked()
    let list = try server.ask("/api/books", key: Self.key).body
    let id = try #require(list.firstMatch(of: /"collection":"([^"]+)"/)?.output.1)
    let book = try server.books(key: Self.key)[0]
    let paths = ["/ledges/\(id).svg", "/ledges/\(id).json"]
    func statuses(_ query: String, key: String? = nil) throws -> Set<Int> {
      Set(try paths.map { try server.ask($0 + query, key: key).status })
    }
    #expect(try statuses("") == [403])
    #expect(try statuses("?k=guessed&pass=guessed") == [403])
    #expect(try statuses("", key: Self.key) == [200])
    let spines = try server.ask(paths[1], key: Self.key).body
    #expect(spines.contains(#""lean":"#) && spines.contains(#""book":"\#(book)""#))
    #expect(try server.ask("/ledges/nothing.json", key: Self.key).status == 404)
    let owner = try HeadlessReader(port: server.port, key: Self.key)
    #expect(try statuses("?pass=\(owner.pass)") == [200])
    owner.send(.go(book: book, opens: true, page: nil))
    try owner.waitForFrame { $0.frame.isSettled && $0.frame.screen == .book }
    owner.send(.share)
    owner.send(.settings(RoomSettings(policy: .hostLeads, sharesShelf: true)))
    try owner.waitUntilSettled()
    let links = try #require(owner.links)
    let guest = try HeadlessReader(port: server.port, room: owner.room, key: links.follow)
    guest.send(.key(.escape))
    try guest.waitForFrame { $0.frame.isSettled && $0.frame.screen != .book }
    #expect(try statuses("?pass=\(guest.pass)") == [200])
    owner.send(.showOut(guest.memberID))
    #expect(try guest.waitForClose().code == CloseCode.shownOut.rawValue)
    #expect(try statuses("?pass=\(guest.pass)") == [403])
  }

  @Test(
    "versioned images are cached permanently, and by shared caches only in an open library",
    arguments: routes
  )
  func caching(_ route: SiteRoute) throws {
    for (server, key, scope) in [
      (try route.client(folder), nil, "public"), (try locked(route), Self.key, "private"),
    ] {
      let list = try server.ask("/api/books", key: key).body
      let shelf = try #require(list.firstMatch(of: /"collection":"([^"]+)"/)?.output.1)
      let book = try server.books(key: key)[0]
      let image = "/b/\(book)/p/0/screen"
      // The first request renders the image, the second one finds it in the cache.
      for path in [image, image, "/ledges/\(shelf).svg", "/ledges/book/\(book).svg"] {
        let lasting = try server.ask(path + "?v=1", key: key)
        #expect(lasting.field("cache-control") == "\(scope), max-age=31536000, immutable")
        let checked = key == nil ? "no-cache" : "private, no-cache"
        #expect(try server.ask(path + "?x=1", key: key).field("cache-control") == checked)
      }
    }
  }

  @Test(
    "an address may send 21 wrong keys a minute, however many threads the server has",
    arguments: routes
  )
  func wrongKeys(_ route: SiteRoute) throws {
    let server = try route.client(folder) {
      $0.threads = 4
      $0.keys.library = Self.key
    }
    // The login of a proxy is no key, and takes none of them.
    for _ in 0..<30 {
      var request = HTTPRequest(path: "/api/books", fields: ["authorization": "Basic YTpi"])
      #expect(try server.send(request, body: "").status == 401)
      request.fields["lectern-key"] = Self.key
      #expect(try server.send(request, body: "").status == 200)
    }
    let statuses = try (0..<48).map { number in
      let wrong = "wrong-\(number)"
      guard number % 2 == 0 else { return try server.ask("/api/books", key: wrong).status }
      let request = HTTPRequest(path: "/api/books", fields: ["lectern-key": wrong])
      return try server.send(request, body: "").status
    }
    #expect(statuses == Array(repeating: 401, count: 21) + Array(repeating: 429, count: 27))
    // Readers behind the same proxy are not locked out by them.
    #expect(try server.ask("/api/books", key: Self.key).status == 200)
  }

  @Test("an admin's token is required to change the library, and also shows it", arguments: routes)
  func token(_ route: SiteRoute) throws {
    let token = Self.token
    let server = try locked(route, token: token)
    let file = #"{"name":"a.pdf","size":3}"#
    #expect(try server.ask("/api/uploads", .post, key: Self.key, body: file).status == 401)
    #expect(try server.ask("/api/uploads", .post, key: token, body: file).status == 201)
    #expect(try server.ask("/api/books", key: token).status == 200)
    #expect(try server.ask("/api/uploads", key: Self.key).body.contains(#""needsToken":true"#))
    #expect(try server.ask("/api/uploads", key: token).body.contains(#""needsToken":false"#))
  }

  @Test("only the library's key or the admin's token opens rooms")
  func rooms() throws {
    let server = try ServingThread(folder) {
      ($0.keys.library, $0.keys.admin) = (Self.key, Self.token)
    }
    for (key, isLetIn) in [("", false), ("wrong", false), (Self.key, true), (Self.token, true)] {
      let connection = ClientConnection(to: ClientConnection.Target(port: server.port))
      connection.send(ClientMessage.hello(Hello(key: key, viewport: .plain)).encoded())
      var isWelcome: Bool?
      while isWelcome == nil, let event = connection.receive(timeout: 10) {
        switch event {
        case .message(let bytes, _): isWelcome = bytes.first == 0x81
        case .closed, .failed: isWelcome = false
        case .opened: break
        }
      }
      #expect(isWelcome == isLetIn, "\(key)")
    }
  }

  @Test("every room has an address whose page is not cached, indexed or framed by other sites")
  func roomPages() throws {
    let server = try locked()
    let page = try server.ask("/r/ABCDEF")
    #expect(page.status == 200 && page.body == "<!doctype html>")
    #expect(page.field("cache-control") == "no-store")
    #expect(page.field("referrer-policy") == "no-referrer")
    #expect(page.field("x-robots-tag") == "noindex")
    #expect(page.field("content-security-policy")?.contains("frame-ancestors 'self'") == true)
    #expect(page.field("etag") == nil)
    let demo = try server.ask("/demo")
    #expect(demo.body == "<!doctype html><title>demo" && demo.field("x-robots-tag") == nil)
    #expect(try server.ask("/r/").status == 404)
  }

  @Test(
    "recordings are listed, and deleted only with the right to change the library",
    arguments: routes
  )
  func recordings(_ route: SiteRoute) throws {
    let server = try locked(route)
    #expect(try server.ask("/api/recordings", key: Self.key).body == "[]\n")
    #expect(try server.ask("/api/recordings/x", .delete).status == 401)
    #expect(try server.ask("/api/recordings/x", .delete, key: Self.key).status == 404)
  }

  @Test("metrics are available for Prometheus")
  func metrics() throws {
    let server = try ServingThread(folder)
    let reader = try server.reader("R")
    let text = try server.ask("/metrics", isForAdmin: true)
    #expect(text.field("content-type") == "text/plain; version=0.0.4; charset=utf-8")
    let lines = Set(text.body.split(separator: "\n"))
    #expect(
      lines.isSuperset(of: [
        #"lectern_connections{kind="websocket"} 1"#, "lectern_websockets_opened_total 1",
        "lectern_books 3", #"lectern_rooms{state="active"} 1"#, "lectern_members 1",
        #"lectern_news_sent_total{type="welcome"} 1"#,
      ])
    )
    let version = WireVersion.current
    #expect(text.body.contains(#"lectern_build_info{wire="\#(version)",libwebsockets="4."#))
    #expect(text.body.contains("process_resident_memory_bytes "))
    reader.close()
  }
}

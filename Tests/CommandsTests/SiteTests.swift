import Foundation
import HeadlessReader
import Testing
import Wire

@testable import Commands

@Suite("What is asked of a server over HTTP", .timeLimit(.minutes(2)))
struct SiteTests {
  static let key = "the-key-of-the-library"

  let folder: SampleFolder

  init() throws {
    folder = try SampleFolder(books: [[4, 2], [3]])
    let demo = URL(fileURLWithPath: folder.web + "/demo.html")
    try Data("<!doctype html><title>demo".utf8).write(to: demo)
  }

  /// An answer with its head.
  private struct Answer {
    var status: Int
    var head: String
    var body: String

    func field(_ name: String) -> String? {
      head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name + ":") }
        .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }
  }

  private func ask(
    _ server: ServingThread,
    _ path: String,
    _ words: [String] = [],
    key: String? = nil,
    port: Int? = nil
  ) throws -> Answer {
    let bearer = key.map { ["-H", "Authorization: Bearer \($0)"] } ?? []
    let (code, output) = try run(
      "/usr/bin/env",
      ["curl", "-s", "-i"] + words + bearer + ["http://127.0.0.1:\(port ?? server.port)\(path)"]
    )
    #expect(code == 0)
    // Through a pipe read as text the line ends stay as they are.
    let end = try #require(output.range(of: "\r\n\r\n"))
    let head = String(output[..<end.lowerBound])
    let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return Answer(status: status ?? 0, head: head, body: String(output[end.upperBound...]))
  }

  private func locked() throws -> ServingThread {
    try ServingThread(folder) { $0.libraryKey = Self.key }
  }

  @Test("the whole library is for who has its key, and for nobody else")
  func key() throws {
    let server = try locked()
    for path in ["/api/books", "/api/search?q=x", "/api/uploads", "/api/recordings"] {
      let refused = try ask(server, path)
      #expect(refused.status == 401, "\(path)")
      #expect(refused.field("www-authenticate") == "Bearer")
      #expect(try ask(server, path, key: "another-key-of-a-library").status == 401, "\(path)")
      #expect(try ask(server, path, key: Self.key).status == 200, "\(path)")
    }
    for path in ["/", "/api/address"] {
      #expect(try ask(server, path).status == 200, "\(path)")
    }
  }

  @Test("what is about one book is for whoever knows its id, but not to be changed")
  func oneBook() throws {
    let server = try locked()
    let list = try ask(server, "/api/books", key: Self.key).body
    let id = try #require(list.firstMatch(of: /"id":"([0-9a-z]{24})"/)?.output.1)
    for path in [
      "/api/books/\(id)", "/api/books/\(id)/outline", "/api/books/\(id)/pages/0/text",
      "/b/\(id)/p/0/screen", "/api/search?q=x&book=\(id)", "/ledges/book/\(id).svg",
    ] {
      #expect(try ask(server, path).status == 200, "\(path)")
    }
    let edit = ["-X", "PATCH", "-d", #"{"title":"Mine"}"#]
    #expect(try ask(server, "/api/books/\(id)", edit).status == 401)
    #expect(try ask(server, "/api/books/\(id)", edit, key: Self.key).body.contains("Mine"))
    #expect(try ask(server, "/ledges/book/nobody.svg").status == 404)
  }

  @Test("a ledge is for who has the key, or its whole address")
  func ledge() throws {
    let server = try locked()
    let list = try ask(server, "/api/books", key: Self.key).body
    let id = try #require(list.firstMatch(of: /"collection":"([^"]+)"/)?.output.1)
    #expect(try ask(server, "/ledges/\(id).svg").status == 401)
    #expect(try ask(server, "/ledges/\(id).svg?k=guessed").status == 401)
    #expect(try ask(server, "/ledges/\(id).svg", key: Self.key).status == 200)
    #expect(try ask(server, "/ledges/\(id).json").status == 401)
    #expect(try ask(server, "/ledges/\(id).json?k=guessed").status == 401)
    let spines = try ask(server, "/ledges/\(id).json", key: Self.key)
    #expect(spines.status == 200 && spines.body.contains(#""lean":"#))
    let book = try #require(list.firstMatch(of: /"id":"([0-9a-z]{24})"/)?.output.1)
    #expect(spines.body.contains(#""book":"\#(book)""#))
    #expect(try ask(server, "/ledges/nothing.json", key: Self.key).status == 404)
    let open = try ServingThread(folder)
    let reader = try open.reader("R")
    let ledges = reader.elements.values.map(\.imageURL).filter { $0.hasPrefix("/ledges/") }
    #expect(!ledges.isEmpty && ledges.allSatisfy { $0.contains("?k=") })
  }

  @Test("an admin's token is asked for what changes the library, and shows it, too")
  func token() throws {
    let token = "the-token-of-the-admin"
    let server = try ServingThread(folder) {
      $0.libraryKey = Self.key
      $0.adminToken = token
    }
    let file = ["-d", #"{"name":"a.pdf","size":3}"#]
    #expect(try ask(server, "/api/uploads", file, key: Self.key).status == 401)
    #expect(try ask(server, "/api/uploads", file, key: token).status == 201)
    #expect(try ask(server, "/api/books", key: token).status == 200)
    #expect(try ask(server, "/api/uploads", key: Self.key).body.contains(#""needsToken":true"#))
    #expect(try ask(server, "/api/uploads", key: token).body.contains(#""needsToken":false"#))
  }

  @Test("rooms open for who shows the library's key or the admin's token, and for nobody else")
  func rooms() throws {
    let token = "the-token-of-the-admin"
    let server = try ServingThread(folder) {
      $0.libraryKey = Self.key
      $0.adminToken = token
    }
    for (key, isLetIn) in [("", false), ("wrong", false), (Self.key, true), (token, true)] {
      let connection = Connection(to: Connection.Target(port: server.port))
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

  @Test("every room has an address, whose page nobody keeps, lists or frames elsewhere")
  func roomPages() throws {
    let server = try locked()
    let page = try ask(server, "/r/ABCDEF")
    #expect(page.status == 200 && page.body == "<!doctype html>")
    #expect(page.field("cache-control") == "no-store")
    #expect(page.field("referrer-policy") == "no-referrer")
    #expect(page.field("x-robots-tag") == "noindex")
    #expect(page.field("content-security-policy")?.contains("frame-ancestors 'self'") == true)
    #expect(page.field("etag") == nil)
    let demo = try ask(server, "/demo")
    #expect(demo.body == "<!doctype html><title>demo" && demo.field("x-robots-tag") == nil)
    #expect(try ask(server, "/r/").status == 404)
  }

  @Test("the address to hand out says who can reach it")
  func address() throws {
    let server = try ServingThread(folder)
    let own = #"{"base":"http://127.0.0.1:\#(server.port)","reach":"machine"}"#
    #expect(try ask(server, "/api/address").body == own + "\n")
    let known = try ServingThread(folder) { $0.publicURL = "https://books.example/" }
    #expect(
      try ask(known, "/api/address").body
        == #"{"base":"https://books.example","reach":"public"}"# + "\n"
    )
    let name = ["-H", "Host: books.example", "-H", "Origin: https://books.example"]
    #expect(try ask(known, "/api/address", name).status == 200)
    #expect(try ask(known, "/api/address", ["-H", "Host: evil.example"]).status == 421)
  }

  @Test("a server answers to its own names and to those it was given")
  func hosts() throws {
    let server = try ServingThread(folder) { $0.hosts = ["Shelf.example"] }
    for name in HostNames.own() + ["shelf.example:99", "localhost:1"] {
      #expect(try ask(server, "/api/address", ["-H", "Host: \(name)"]).status == 200, "\(name)")
    }
    #expect(try ask(server, "/api/address", ["-H", "Host: rebound.example"]).status == 421)
  }

  @Test("a QR code is drawn of this server's links and of nothing else")
  func qrCode() throws {
    let server = try locked()
    func draw(_ text: String) throws -> Answer {
      try ask(server, "/api/qr", ["-H", "Content-Type: text/plain", "--data-binary", text])
    }
    let link = "http://127.0.0.1:\(server.port)/r/ABCDEF#0123456789abcdefghijkl"
    let drawing = try draw(link)
    #expect(drawing.status == 200 && drawing.field("content-type") == "image/svg+xml")
    #expect(drawing.body == QRCode(link)?.svg)
    for text in ["http://evil.example/", "hello", "http://127.0.0.1:1/"] {
      #expect(try draw(text).status == 400, "\(text)")
    }
    #expect(try draw(link + String(repeating: "x", count: 512)).status == 413)
  }

  @Test("recordings are listed, and deleted by who may change the library")
  func recordings() throws {
    let server = try locked()
    #expect(try ask(server, "/api/recordings", key: Self.key).body == "[]\n")
    let delete = ["-X", "DELETE"]
    #expect(try ask(server, "/api/recordings/x", delete).status == 401)
    #expect(try ask(server, "/api/recordings/x", delete, key: Self.key).status == 404)
  }

  @Test("what is measured is there for Prometheus")
  func metrics() throws {
    let server = try ServingThread(folder)
    let reader = try server.reader("R")
    let text = try ask(server, "/metrics", port: server.adminPort)
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

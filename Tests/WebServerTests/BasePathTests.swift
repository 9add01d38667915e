import Foundation
import Testing

@testable import WebServer

@Suite("A path below which a proxy serves the library")
struct BasePathTests {
  @Test("has no slash at its end, and does not begin as the server's own paths do")
  func texts() {
    #expect(BasePath("/books")?.text == "/books" && BasePath("a/b-c/")?.text == "/a/b-c")
    #expect(BasePath("")?.text == "" && BasePath("/") == BasePath.none)
    for text in [
      "/api", "js/x", "/r", "/a//b", "/a/../b", "/.", "/a b", "/a?b", "/ä", "/a\"b", "/a%2fb",
      String(repeating: "a", count: 300),
    ] {
      #expect(BasePath(text) == nil, "\(text)")
    }
  }

  @Test("is removed from requests that have it, and others stay")
  func local() throws {
    let path = try #require(BasePath("/books"))
    #expect(path.local("/books/r/x") == "/r/x" && path.local("/books/") == "/")
    #expect(path.local("/r/x") == "/r/x" && path.local("/bookshelf/x") == "/bookshelf/x")
    #expect(path.isIncomplete("/books") && !path.isIncomplete("/books/"))
    #expect(BasePath.none.local("/x") == "/x" && !BasePath.none.isIncomplete(""))
  }

  @Test("is in the addresses of a page, whether the proxy removes it from requests or not")
  func pages() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let page =
      #"<link href="/a.css"><a href="https://b.example/">b</a><script src="/c.js"></script>"#
    try Data(page.utf8).write(to: folder.appending(path: "index.html"))
    try Data("let a = \"=/\"".utf8).write(to: folder.appending(path: "c.js"))
    let path = try #require(BasePath("/books"))
    let server = try TestServer {
      $0.staticRoot = folder.path
      $0.basePath = path
    }
    func text(_ path: String) -> String? {
      RawSocket(port: server.port).request("GET", path)?.text
    }
    let wanted = page.replacing("=\"/", with: "=\"/books/")
    #expect(text("/") == wanted && text("/books/") == wanted)
    #expect(text("/books/c.js") == "let a = \"=/\"" && text("/c.js") == text("/books/c.js"))
    let answer = RawSocket(port: server.port).request("GET", "/books")
    #expect(answer?.status == 308 && answer?.fields["location"] == "/books/")
    #expect(RawSocket(port: server.port).upgrade(path: "/books/ws")?.status == 101)
    #expect(RawSocket(port: server.port).upgrade(path: "/ws")?.status == 101)
    #expect(RawSocket(port: server.port).upgrade(path: "/other/ws")?.status == 404)
  }
}

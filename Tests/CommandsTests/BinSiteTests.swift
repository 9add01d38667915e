import Foundation
import HeadlessReader
import Scene
import Testing
import WebServer
import Wire

@testable import Commands
@testable import Server

@Suite("The bin over HTTP", .timeLimit(.minutes(10)))
struct BinSiteTests {
  private static let key = "the-key-of-the-library"

  @Test("a book is deleted and brought back by the library's key, and rooms that show it close it")
  func bin() throws {
    let folder = try SampleFolder(books: [[4, 2], [3]])
    let server = try ServingThread(folder) { $0.keys.library = Self.key }
    let id = try server.books(key: Self.key)[0]
    let reader = try HeadlessReader(port: server.port, key: Self.key)
    reader.send(.go(book: id, opens: true, page: nil))
    try reader.waitForFrame { $0.frame.isSettled && $0.frame.screen == .book }
    for (method, path) in [
      (.delete, "/api/books/\(id)"), (.post, "/api/books/\(id)/restore"), (.get, "/api/bin"),
      (.delete, "/api/bin"), (.delete, "/api/bin/\(id)"),
    ] as [(HTTPRequest.Method, String)] {
      #expect(try server.ask(path, method).status == 401, "\(path)")
    }
    #expect(try server.ask("/api/books/\(id)?file=delete", .delete, key: Self.key).status == 403)
    #expect(try server.ask("/api/books/\(id)?file=x", .delete, key: Self.key).status == 400)
    #expect(try server.ask("/api/books/nobody", .delete, key: Self.key).status == 404)
    let removed = try server.ask("/api/books/\(id)", .delete, key: Self.key)
    #expect(removed.status == 200 && removed.body.contains("\"deleted\":"))
    try reader.waitForFrame { $0.frame.isSettled && $0.frame.screen != .book }
    #expect(try !server.ask("/api/books", key: Self.key).body.contains(id))
    #expect(try server.ask("/api/bin", key: Self.key).body.contains(id))
    #expect(try server.ask("/b/\(id)/p/0/screen", key: Self.key).status == 422)
    let back = try server.ask("/api/books/\(id)/restore", .post, key: Self.key)
    #expect(back.status == 200 && !back.body.contains("\"deleted\":"))
    #expect(try server.ask("/api/books", key: Self.key).body.contains(id))
    #expect(try server.ask("/api/bin", key: Self.key).body == "[]\n")
    #expect(try server.ask("/api/bin/\(id)", .delete, key: Self.key).status == 404)
    // The file of a watched folder keeps its book hidden in the bin.
    #expect(try server.ask("/api/books/\(id)", .delete, key: Self.key).status == 200)
    #expect(try server.ask("/api/bin", .delete, key: Self.key).body == "{\"erased\":0}\n")
    #expect(try server.ask("/api/bin", key: Self.key).body.contains(id))
  }
}

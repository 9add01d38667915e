import Testing
import WebServer

@testable import Commands
@testable import Server

@Suite("Routes")
struct RouteTests {
  @Test(
    "a path names what is requested",
    arguments: [
      (HTTPRequest.Method.get, "/ledges/c1.svg", Route.ledge(collection: "c1")),
      (.get, "/ledges/c1.json", .spines(collection: "c1")),
      (.post, "/api/things/c1.json", .unknown),
      (.head, "/b/k7/p/12/zoom", .image(book: "k7", page: 12, size: "zoom")),
      (.get, "/api/books", .books), (.get, "/api/books/k7", .book("k7")),
      (.patch, "/api/books/k7", .edit("k7")), (.get, "/api/books/k7/outline", .outline("k7")),
      (.get, "/api/books/k7/pages/3/text", .text(book: "k7", page: 3)),
      (.get, "/api/books/k7/pages/x/text", .unknown), (.get, "/api/search", .search),
      (.post, "/api/books/k7/unlock", .unlock("k7")), (.post, "/api/books/k7/retry", .retry("k7")),
      (.post, "/api/uploads", .newUpload), (.get, "/api/uploads", .uploads),
      (.patch, "/api/uploads/u", .uploadPart("u")), (.delete, "/api/uploads/u", .cancelUpload("u")),
      (.delete, "/api/books/k7", .remove("k7")), (.post, "/api/books/k7/restore", .restore("k7")),
      (.get, "/api/bin", .bin), (.delete, "/api/bin", .emptyBin),
      (.get, "/api/bin/k7", .otherMethod(allowed: [.delete])),
      (.delete, "/api/bin/k7", .erase("k7")), (.get, "/api/nothing", .unknown),
      (.get, "/ledges/book/k7.svg", .bookLedge("k7")), (.get, "/r/ROOM", .room("ROOM")),
      (.get, "/r/ROOM/k7", .room("ROOM")), (.get, "/r/ROOM/k7/9", .room("ROOM")),
      (.head, "/r/ROOM/", .room("ROOM")),
      (.get, "/demo", .demo), (.get, "/api/address", .address),
      (.post, "/api/qr", .qrCode), (.get, "/api/qr", .otherMethod(allowed: [.post])),
      (.put, "/api/books/k7", .otherMethod(allowed: [.get, .head, .patch, .delete])),
      (.post, "/api/books", .otherMethod(allowed: [.get, .head])),
      (.get, "/api/recordings", .recordings), (.delete, "/api/recordings/x", .deleteRecording("x")),
    ]
  )
  func paths(method: HTTPRequest.Method, path: String, route: Route) {
    #expect(Route(method, path: path) == route)
  }

  @Test(
    "paths outside the library belong to the static files",
    arguments: [
      "/", "/index.html", "/js/main.js", "/b/k7/p/-1/screen", "/b/k7/p/٣/screen", "/r", "/r/a/b/c",
      "/r/a/b/-1", "/r/a/b/1/2",
    ]
  )
  func otherPaths(path: String) {
    #expect(Route(.get, path: path) == nil)
  }

  @Test("a field of a query is split at its first equals sign")
  func queryFields() {
    let query = Query(["q=two words!", "limit=5", "flag", "q2=a=b"])
    #expect(query["q"] == "two words!" && query["limit"] == "5")
    #expect(query["flag"] == "" && query["q2"] == "a=b" && query["none"] == nil)
  }
}

import Testing
import WebServer

@testable import Commands

@Suite struct `Addresses` {
  @Test(arguments: [
    (HTTPRequest.Method.get, "/ledges/c1.svg", Route.ledge(collection: "c1")),
    (.head, "/b/k7/p/12/zoom", .image(book: "k7", page: 12, size: "zoom")),
    (.get, "/api/books", .books), (.get, "/api/books/k7", .book("k7")),
    (.patch, "/api/books/k7", .edit("k7")), (.get, "/api/books/k7/outline", .outline("k7")),
    (.get, "/api/books/k7/pages/3/text", .text(book: "k7", page: 3)),
    (.get, "/api/books/k7/pages/x/text", .unknown), (.get, "/api/search", .search),
    (.post, "/api/books/k7/unlock", .unlock("k7")), (.post, "/api/books/k7/retry", .retry("k7")),
    (.post, "/api/uploads", .newUpload), (.get, "/api/uploads", .uploads),
    (.patch, "/api/uploads/u", .uploadPart("u")), (.delete, "/api/uploads/u", .cancelUpload("u")),
    (.delete, "/api/books/k7", .unknown), (.get, "/api/nothing", .unknown),
  ])
  func `name what is asked for`(method: HTTPRequest.Method, path: String, route: Route) {
    #expect(Route(method, path: path) == route)
  }

  @Test(arguments: ["/", "/index.html", "/js/main.js", "/b/k7/p/-1/screen", "/b/k7/p/٣/screen"])
  func `that are none of the library's are left to the files`(path: String) {
    #expect(Route(.get, path: path) == nil)
  }

  @Test func `a query's fields are told apart at their first sign of equality`() {
    let query = Query(["q=two words!", "limit=5", "flag", "q2=a=b"])
    #expect(query["q"] == "two words!" && query["limit"] == "5")
    #expect(query["flag"] == "" && query["q2"] == "a=b" && query["none"] == nil)
  }
}

@Suite struct `Who may change the library` {
  private func status(_ access: Access, _ authorization: String) -> Int? {
    access.refusal(
      of: HTTPRequest(method: .patch, path: "/", fields: ["authorization": authorization])
    )?.status
  }

  @Test func `anybody on this machine`() {
    #expect(status(Access(token: nil, isLoopback: true), "") == nil)
  }

  @Test func `nobody from elsewhere without a token set`() {
    #expect(status(Access(token: nil, isLoopback: false), "Bearer ") == 403)
  }

  @Test(arguments: [
    ("Bearer secret", nil as Int?), ("Bearer secre", 401), ("secret", 401), ("", 401),
  ])
  func `who shows the token`(authorization: String, expected: Int?) {
    #expect(status(Access(token: "secret", isLoopback: false), authorization) == expected)
  }
}

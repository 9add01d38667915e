internal import Foundation
internal import Library
internal import WebServer

// The library as JSON.
extension Site {
  /// The most hits that one search answers.
  static let hitsMax = 200

  func read(_ route: Route, _ request: HTTPRequest, _ id: RequestID) -> HTTPAnswer {
    let library = library
    let query = Query(request.query)
    later(id) {
      switch route {
      case .books: .json(library.books().map(BookJSON.init))
      case .book(let book): Self.found(library.book(book).map(BookJSON.init), book)
      case .outline(let book):
        Self.found(library.book(book).map { _ in library.outline(of: book).map(EntryJSON.init) }, book)
      case .text(let book, let page):
        Self.found(library.page(page, of: book).map { PageJSON(page: page, $0) }, "\(book), page \(page)")
      case .search: Self.search(query, in: library)
      case .retry(let book): Self.retry(book, in: library)
      default: .problem(404, "There is nothing at this address.")
      }
    }
    return .later
  }

  private static func found(_ value: (some Encodable)?, _ what: String) -> HTTPResponse {
    value.map { .json($0) } ?? .problem(404, "There is no book \(what) in this library.")
  }

  private static func search(_ query: Query, in library: Library) -> HTTPResponse {
    guard let words = query["q"], !words.isEmpty else {
      return .problem(400, "Say what to search for: /api/search?q=words")
    }
    let limit = query["limit"].flatMap { Int($0) } ?? 50
    guard (1...hitsMax).contains(limit) else {
      return .problem(400, "limit is \(query["limit"] ?? ""), but must be from 1 to \(hitsMax).")
    }
    let hits = library.search(words, book: query["book"], limit: limit)
    return .json(SearchJSON(query: words, hits: hits.map(HitJSON.init)))
  }

  private static func retry(_ book: String, in library: Library) -> HTTPResponse {
    do {
      return .json(BookJSON(try library.retry(book)))
    } catch { return .problem(error.status, error.message, canRetry: true) }
  }

  /// What somebody put right about a book.
  func edit(_ book: String, _ body: [UInt8], _ id: RequestID) {
    let library = library
    later(id) {
      do {
        let edit = try JSONDecoder().decode(EditJSON.self, from: Data(body))
        return .json(BookJSON(try library.edit(book, edit.correction)))
      } catch let fault as LibraryFault {
        return .problem(fault.status, fault.message)
      } catch {
        return .problem(
          400,
          "This is no correction; send {\"title\": ..., \"author\": ..., \"direction\": \"ltr\" or "
            + "\"rtl\", \"cover\": a page from 0}, each optional."
        )
      }
    }
  }

  func unlock(_ book: String, _ body: [UInt8], _ id: RequestID) {
    let library = library
    later(id) {
      guard let key = try? JSONDecoder().decode(KeyJSON.self, from: Data(body)) else {
        return .problem(400, "Send {\"password\": ...}.")
      }
      do {
        return .json(BookJSON(try library.unlock(book, password: key.password)))
      } catch { return .problem(error.status, error.message, canRetry: true) }
    }
  }
}

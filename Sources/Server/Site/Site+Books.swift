internal import Foundation
internal import Library
internal import Notices
internal import Scene
internal import WebServer

// The library as JSON.
extension Site {
  /// The maximum number of hits of one search.
  static let hitsMax = 200

  func read(_ route: Route, _ request: HTTPRequest, _ id: RequestID) -> HTTPAnswer {
    let library = library
    let query = Query(request.query)
    later(id) {
      do throws(LibraryFault) {
        switch route {
        case .books: return .json(library.books().map(BookJSON.init))
        case .imports: return .json(ImportsJSON(library))
        case .book(let book): return try Self.record(book, library)
        case .outline(let book):
          let labels = try library.bound(book).allLabels
          return .json(try library.outline(of: book).map { EntryJSON($0, labels) })
        case .pages(let book): return .json(PagesJSON(try library.bound(book)))
        case .text(let book, let page):
          let labels = try library.bound(book).allLabels
          return .json(PageJSON(try library.page(page, of: book), labels))
        case .editions(let book):
          let page = query["page"].map { Int($0) ?? -1 } ?? 0
          return .json(try library.editions(of: book, at: page).map(EditionJSON.init))
        case .search: return try Self.search(query, library)
        case .retry(let book):
          try library.retry(book)
          return try Self.record(book, library)
        default: return .problem(404, "Not found.")
        }
      } catch { return .fault(error) }
    }
    return .later
  }

  private static func record(
    _ book: String,
    _ library: BookLibrary
  ) throws(LibraryFault) -> HTTPResponse {
    guard let record = library.book(book) else { throw .noSuchBook(book) }
    return .json(BookJSON(record))
  }

  private static func search(
    _ query: Query,
    _ library: BookLibrary
  ) throws(LibraryFault) -> HTTPResponse {
    guard let words = query["q"], !words.isEmpty else {
      return .problem(400, "Say what to search for: /api/search?q=words")
    }
    let limit = query["limit"].map { Int($0) ?? 0 } ?? 50
    guard 1...hitsMax ~= limit else {
      return .problem(400, "limit is \"\(query["limit"] ?? "")\", but must be 1 to \(hitsMax).")
    }
    let hits = try library.search(words, book: query["book"], limit: limit)
    var result = SearchJSON(query: words, hits: hits.map(HitJSON.init))
    if let book = query["book"] {
      result.words = try library.words(of: book).rawValue
    } else {
      result.titles = library.books(named: words, limit: limit).map(SearchJSON.Title.init)
    }
    return .json(result)
  }

  /// Stores a reader's corrections to a book.
  func edit(_ book: String, _ body: [UInt8], _ id: RequestID) {
    let library = library
    later(id) {
      guard let edit = try? JSONDecoder().decode(EditJSON.self, from: Data(body)),
        edit.direction == nil || edit.progression != nil,
        edit.stock == nil || edit.paperStock != nil
      else {
        return .problem(
          400,
          "This is no correction. Send {\"title\": ..., \"author\": ..., \"direction\": \"ltr\" or "
            + "\"rtl\", \"stock\": \"paper\", \"card\" or \"board\", \"cover\": a page from 0, "
            + "\"spreads\": whether wide pages take whole spreads, \"shifted\": whether the pages "
            + "begin on the other side}, each only if it changes."
        )
      }
      do throws(LibraryFault) {
        try library.edit(book, edit.edit)
        return try Self.record(book, library)
      } catch { return .fault(error) }
    }
  }

  /// Lays a book out in large print.
  func makeLargePrint(of book: String, _ body: [UInt8], _ id: RequestID) {
    let library = library
    later(id) {
      guard let wish = try? JSONDecoder().decode(NewEditionJSON.self, from: Data(body)),
        wish.size == "large"
      else { return .problem(400, "Send {\"size\": \"large\", \"title\": ...}.") }
      do throws(LibraryFault) {
        let known = library.book(book)?.title ?? ""
        let title = wish.title ?? "\(known) (large print)"
        return .json(BookJSON(try library.makeLargePrint(of: book, title: title)))
      } catch { return .fault(error) }
    }
  }

  func unlock(_ book: String, _ body: [UInt8], _ id: RequestID) {
    let library = library
    later(id) {
      guard let key = try? JSONDecoder().decode(KeyJSON.self, from: Data(body)) else {
        return .problem(400, "Send {\"password\": ...}.")
      }
      do throws(LibraryFault) {
        try library.unlock(book, password: key.password)
        return try Self.record(book, library)
      } catch { return .fault(error) }
    }
  }
}

// Deleting books, and the bin.
extension Site {
  func bin(_ route: Route, _ request: HTTPRequest, _ id: RequestID) -> HTTPAnswer {
    let library = library
    let query = Query(request.query)
    later(id) {
      do throws(LibraryFault) {
        switch route {
        case .bin: return .json(library.binnedBooks().map(BookJSON.init))
        case .remove(let book):
          guard query["file"] == nil || query["file"] == "delete" else {
            return .problem(400, "file is \"\(query["file"] ?? "")\", but can only be \"delete\".")
          }
          return .json(BookJSON(try library.remove(book, deletesFile: query["file"] != nil)))
        case .restore(let book): return .json(BookJSON(try library.restore(book)))
        case .erase(let book): return .json(ErasedJSON(erased: try library.emptyBin(only: book)))
        case .emptyBin: return .json(ErasedJSON(erased: try library.emptyBin()))
        default: return .problem(404, "Not found.")
        }
      } catch { return .fault(error) }
    }
    return .later
  }
}

/// The number of books that were erased.
private struct ErasedJSON: Encodable { var erased: Int }

// Recordings of rooms.
extension Site {
  func recordings(_ route: Route, _ id: RequestID) -> HTTPAnswer {
    // Both routes read the disk.
    later(id) { [recordings = sources.recordings] in
      guard case .deleteRecording(let name) = route else { return .json(recordings.list()) }
      guard recordings.delete(name) else {
        return .problem(404, Notice(.noSuchRecording, ["recording": "\(name)"]))
      }
      return HTTPResponse(status: 204, contentType: "text/plain", body: .bytes([]))
    }
    return .later
  }
}

internal import Library
internal import WebServer

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
private struct ErasedJSON: Encodable {
  var erased: Int
}

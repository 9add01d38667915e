internal import Library
internal import WebServer

// Images of pages and ledges.
extension Site {
  /// What may come of a book must not run in this site's name, should it be opened by itself.
  static let bookContentPolicy =
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"

  func ledge(_ collection: String, _ request: HTTPRequest) -> HTTPAnswer {
    guard let drawing = library.ledge(collection: collection) else {
      return .now(.problem(404, "There is no collection \(collection) in this library."))
    }
    return .now(
      HTTPResponse(
        contentType: "image/svg+xml",
        body: .bytes(Array(drawing.utf8)),
        caching: request.query.isEmpty ? .revalidate : .immutable
      )
    )
  }

  /// A page's image: from the cache at once, else when the press has printed it.
  func image(
    _ book: String,
    _ page: Int,
    _ size: String,
    _ request: HTTPRequest,
    _ id: RequestID
  ) -> HTTPAnswer {
    guard let size = PageSize(rawValue: size) else {
      let sizes = PageSize.allCases.map(\.rawValue).joined(separator: ", ")
      return .now(.problem(404, "There is no size \(size); there are \(sizes)."))
    }
    let caching: HTTPResponse.Caching = request.query.isEmpty ? .revalidate : .immutable
    if let cached = library.cached(book: book, page: page, size: size) {
      return .now(Self.response(cached, caching))
    }
    let priority: PrintPriority = size == .thumb ? .thumbnail : .visible
    let answers = answers
    tickets[id] = library.rendition(book: book, page: page, size: size, priority: priority) {
      switch $0 {
      case .success(let cached): answers.answer(id, Self.response(cached, caching))
      case .failure(let fault):
        answers.answer(id, .problem(fault.status, fault.message, canRetry: fault.canRetry))
      }
    }
    return .later
  }

  private static func response(
    _ cached: CachedRendition,
    _ caching: HTTPResponse.Caching
  ) -> HTTPResponse {
    HTTPResponse(
      contentType: cached.mediaType,
      body: .file(cached.path),
      caching: caching,
      fields: [("content-security-policy", bookContentPolicy)]
    )
  }
}

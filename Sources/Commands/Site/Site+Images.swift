internal import Glibc
internal import Library
internal import WebServer

// Images of pages and ledges.
extension Site {
  /// The ledge of a collection, for who may see the library or was told its whole address: an
  /// image in a page can show nothing else.
  func ledge(_ collection: String, _ request: HTTPRequest) -> HTTPAnswer {
    if let refusal = refusal(ofLedge: collection, request) { return .now(refusal) }
    guard let drawing = library.ledge(collection: collection) else {
      return .now(.problem(404, "There is no collection \(collection) in this library."))
    }
    return .now(Self.ledge(drawing, request))
  }

  /// Where the books stand on that ledge, for the same.
  func spines(_ collection: String, _ request: HTTPRequest) -> HTTPAnswer {
    if let refusal = refusal(ofLedge: collection, request) { return .now(refusal) }
    guard let spines = library.spines(ofCollection: collection) else {
      return .now(.problem(404, "There is no collection \(collection) in this library."))
    }
    return .now(.json(spines.map { SpineJSON(book: $0.book, title: $0.title, spot: $0.spot) }))
  }

  private func refusal(ofLedge collection: String, _ request: HTTPRequest) -> HTTPResponse? {
    let key = Query(request.query)["k"] ?? ""
    return library.isLedgeKey(key, ofCollection: collection)
      ? nil : access.refusal(ofReading: request)
  }

  /// The ledge of one book alone, for whoever may see the book.
  func ledge(book: String, _ request: HTTPRequest) -> HTTPAnswer {
    guard let drawing = library.ledge(book: book) else {
      return .now(.problem(404, "There is no book \(book) in this library that can be read."))
    }
    return .now(Self.ledge(drawing, request))
  }

  private static func ledge(_ drawing: String, _ request: HTTPRequest) -> HTTPResponse {
    HTTPResponse(
      contentType: "image/svg+xml",
      body: .bytes(Array(drawing.utf8)),
      caching: Query(request.query)["v"] == nil ? .revalidate : .immutable,
      fields: [.sandbox]
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
    let query = Query(request.query)
    let caching: HTTPResponse.Caching = query["v"] == nil ? .revalidate : .immutable
    if let cached = library.cachedPicture(book: book, page: page, size: size) {
      // Somebody may have cleared the cache under a server that runs.
      if cached.path.map({ Glibc.access($0, R_OK) == 0 }) ?? true {
        return .now(Self.response(cached, caching))
      }
      library.forgetPicture(book: book, page: page, size: size)
    }
    guard let mailbox = server?.mailbox else { return .nothing }
    let site = OnServiceThread(self)
    tickets[id] = library.picture(
      book: book,
      page: page,
      size: size,
      priority: priority(of: page, size, of: book),
      for: Requester(request.peer, member: query["pass"].flatMap { isPass($0) ? $0 : nil } ?? "")
    ) { result in
      mailbox.perform { server in
        site.value?.tickets[id] = nil
        switch result {
        case .success(let picture): server.answer(id, Self.response(picture, caching))
        case .failure(let fault): server.answer(id, .fault(fault))
        }
      }
    }
    return .later
  }

  /// What somebody looks at comes before what a page fetches ahead, and that before what is small
  /// and what nobody looks at.
  private func priority(of page: Int, _ size: PageSize, of book: String) -> PrintPriority {
    switch size {
    case .thumb: .thumbnail
    case .zoom: isShown(book, page) ? .sharp : .unseen
    case .screen: isShown(book, page) ? .visible : .next
    }
  }

  private static func response(
    _ picture: PagePicture,
    _ caching: HTTPResponse.Caching
  ) -> HTTPResponse {
    let body: HTTPResponse.Body =
      switch picture.content {
      case .file(let path): .file(path)
      case .bytes(let bytes): .bytes(bytes)
      }
    return HTTPResponse(
      contentType: picture.contentType,
      body: body,
      caching: picture.isLasting ? caching : .none,
      fields: [.sandbox]
    )
  }
}

extension HTTPResponse {
  /// Why the library did not do what was asked.
  static func fault(_ fault: LibraryFault) -> HTTPResponse {
    let status =
      switch fault {
      case .noSuchBook, .noSuchPage: 404
      case .badCorrection: 400
      case .notReadable, .press: 422
      case .noRoom: 507
      case .failed: 500
      }
    return .problem(status, fault.description, canRetry: fault.canRetry)
  }
}

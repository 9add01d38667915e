internal import Fabric
internal import Library
internal import Pressroom
internal import WebServer

// Images of pages and ledges.
extension Site {
  /// Returns the drawing of a collection's ledge.
  func ledge(_ collection: String, _ request: HTTPRequest) -> HTTPAnswer {
    guard let drawing = library.ledge(collection: collection) else {
      return .now(.problem(404, "There is no collection \(collection) in this library."))
    }
    return .now(ledge(drawing, request))
  }

  /// Returns the positions of the books on a collection's ledge.
  func spines(_ collection: String) -> HTTPAnswer {
    guard let spines = library.spines(ofCollection: collection) else {
      return .now(.problem(404, "There is no collection \(collection) in this library."))
    }
    return .now(.json(spines.map { SpineJSON(book: $0.book, title: $0.title, spot: $0.spot) }))
  }

  /// Returns the drawing of a ledge with a single book.
  func ledge(book: String, _ request: HTTPRequest) -> HTTPAnswer {
    guard let drawing = library.ledge(book: book) else {
      return .now(.problem(404, "There is no book \(book) in this library that can be read."))
    }
    return .now(ledge(drawing, request))
  }

  private func ledge(_ drawing: String, _ request: HTTPRequest) -> HTTPResponse {
    HTTPResponse(
      contentType: "image/svg+xml",
      body: .bytes(Array(drawing.utf8)),
      caching: caching(Query(request.query)),
      fields: [.sandbox]
    )
  }

  /// Returns the image of a page: at once from the cache, or later when it has been rendered.
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
    let caching = caching(query)
    let wanted = PageRequest(
      book: book,
      page: page,
      size: size,
      priority: Self.priority(of: size, isShown: query["now"] != nil),
      requester: requester(of: request, query)
    )
    if let cached = library.cachedPicture(wanted) {
      // The cache may have been cleared or damaged.
      if library.isIntact(cached, for: wanted) { return .now(Self.response(cached, caching)) }
      library.forgetPicture(wanted)
    }
    print(wanted, for: id, caching)
    return .later
  }

  /// Returns who shares the rendering of pages with others: the member whose pass a request has,
  /// or else all that have none at its address.
  private func requester(of request: HTTPRequest, _ query: Query) -> Requester {
    let member = sources.passes.all(of: request, query).first?.member
    return Requester(request.peer, member: member.map { "\($0.rawValue)" } ?? "")
  }

  /// Answers a request with a page once it is rendered.
  private func print(_ wanted: PageRequest, for id: RequestID, _ caching: HTTPResponse.Caching) {
    let site = OnServiceThread(self)
    tickets[id] = library.picture(wanted) { [outlet] result in
      outlet.perform { site.value?.tickets[id] = nil }
      switch result {
      case .success(let picture): outlet.answer(id, Self.response(picture, caching))
      case .failure(let fault): outlet.answer(id, .fault(fault))
      }
    }
  }

  /// Returns the priority of a page among those of the same requester.
  ///
  /// Pages that a reader sees, as the request says, come before pages that a browser fetches ahead,
  /// and those before thumbnails and before large pages that nobody sees.
  private static func priority(of size: PageSize, isShown: Bool) -> PrintPriority {
    switch size {
    case .thumb: .thumbnail
    case .zoom: isShown ? .sharp : .unseen
    case .screen: isShown ? .visible : .next
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
  /// Returns the response to a request that the library could not fulfil.
  static func fault(_ fault: LibraryFault) -> HTTPResponse {
    let status =
      switch fault {
      case .noSuchBook, .noSuchPage: 404
      case .invalid: 400
      case .notPermitted: 403
      case .notReadable, .unshowable, .press: 422
      case .noRoom: 507
      case .failed: 500
      }
    return .problem(status, fault.notice, canRetry: fault.canRetry)
  }
}

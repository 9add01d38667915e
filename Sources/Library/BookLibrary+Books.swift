internal import Foundation
internal import Notices
package import PressProtocol
package import Pressroom
package import Scene

// Operations on single books. All of them may block, except `cachedPicture`.
extension BookLibrary {
  // MARK: Reading

  /// Returns the table of contents of a book; empty if it has none.
  package func outline(of id: String) throws(LibraryFault) -> [OutlineEntry] {
    let key = try known(id).key
    return try reading { try $0.pages.outline(of: key) }
  }

  /// Returns a book as it is bound: the labels of its pages and the pages of its spreads.
  package func bound(_ id: String) throws(LibraryFault) -> CatalogueBook {
    ShelfView.entry(try known(id))
  }

  /// Returns the text of a page, counted from 0.
  ///
  /// The text is empty until the page has been indexed.
  package func page(_ page: Int, of id: String) throws(LibraryFault) -> PageText {
    let row = try known(id)
    // The last leaf has two sides, even if there is no page for its back.
    let sides = max(2, row.pages + row.pages % 2)
    guard 0..<sides ~= page else { throw .noSuchPage(page, count: row.pages) }
    guard page < row.pages else { return PageText(page: page, label: "", content: PageContent()) }
    return try reading { rows in
      PageText(
        page: page,
        label: row.shape.labels[page],
        content: try rows.pages.content(page: page, of: row.key) ?? PageContent()
      )
    }
  }

  /// Returns the picture of a page if it is already available.
  ///
  /// Reads memory only and can be called on any thread.
  package func cachedPicture(_ request: PageRequest) -> PagePicture? { pictures.cached(request) }

  /// Returns whether the file of a picture is there and undamaged; may read it.
  package func isIntact(_ picture: PagePicture, for request: PageRequest) -> Bool {
    pictures.isIntact(picture, for: request)
  }

  /// Removes a picture that is not intact, so that the next request renders it again.
  package func forgetPicture(_ request: PageRequest) { pictures.forget(request) }

  /// Requests the picture of a page and renders it if necessary; requesters take turns.
  ///
  /// Can be called on any thread.
  /// - Parameters:
  ///   - request: The page and its size.
  ///   - completion: Called once, on any thread, unless the ticket is cancelled first; called
  ///     immediately if the picture is available or cannot be rendered.
  /// - Returns: The ticket that cancels the request; nil if it was answered immediately.
  @discardableResult package func picture(
    _ request: PageRequest,
    completion: @escaping @Sendable (Result<PagePicture, LibraryFault>) -> Void
  ) -> PrintTicket? { pictures.picture(request, completion: completion) }

  /// Finds pages by the words in their text.
  /// - Parameters:
  ///   - query: The text that a reader typed: words, the last of which may be a prefix, and phrases
  ///     in quotes.
  ///   - book: The book to search; `nil` for all books on the shelf.
  ///   - limit: The maximum number of hits, at most 500.
  /// - Returns: The hits in one book in the order of its pages, or those in all books by relevance.
  /// - Throws: ``LibraryFault`` if there is no such book or the catalogue fails.
  package func search(
    _ query: String,
    book: String? = nil,
    limit: Int = 50
  ) throws(LibraryFault) -> [SearchHit] {
    var key: Int?
    if let book { key = try known(book).key }
    let query = SearchQuery(query)
    return try reading { rows in
      let search = Search(database: rows, query: query, book: key, limit: min(max(limit, 0), 500))
      var books: [Int: Book] = [:]
      var hits: [SearchHit] = []
      for found in try search.hits() {
        let number = TextKey.book(of: found.key)
        if books[number] == nil { books[number] = try rows.books.book(key: number) }
        guard let book = books[number] else { continue }
        let body = Array(found.body.utf8)
        hits.append(
          SearchHit(
            book: book.id,
            title: book.title,
            page: TextKey.page(of: found.key),
            label: book.shape.labels[TextKey.page(of: found.key)],
            snippet: found.matches.snippet(of: body),
            boxes: found.matches.boxes(found.words, in: body)
          )
        )
      }
      return hits
    }
  }

  /// Finds books by the words in their titles and authors, without regard to case, accents and wide
  /// forms.
  /// - Parameters:
  ///   - query: The text that a reader typed.
  ///   - limit: The maximum number of books.
  /// - Returns: The books on the shelf with each of the words, in the order of the shelf.
  /// - Complexity: Linear in the text of all titles and authors.
  package func books(named query: String, limit: Int = 50) -> [Book] {
    func plain(_ text: String) -> String {
      text.folding(
        options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive],
        locale: nil
      )
    }
    let bounded = TextLimits.whole(query.utf8.prefix(TextLimits.query))
    let words = plain(bounded).split { $0.isWhitespace || $0 == "\"" }
    guard !words.isEmpty else { return [] }
    let named = books().lazy.filter { book in
      guard book.isOnShelf else { return false }
      let name = plain(book.title + " " + book.author)
      return words.allSatisfy(name.contains)
    }
    return Array(named.prefix(max(0, limit)))
  }

  /// Returns whether a book has text that can be searched.
  package func words(of id: String) throws(LibraryFault) -> KnownWords {
    let row = try known(id)
    if row.status.hasText, row.progress.indexed < row.pages { return .some }
    let hasWords = try reading { try $0.pages.hasText(row.key) }
    return hasWords ? .all : .pictures
  }

  // MARK: Importing

  /// Imports a copy of a document or of a folder of images; blocks until it is on the shelf.
  ///
  /// Content that the library already has is not copied again. A document with a password becomes a
  /// locked book.
  /// - Parameters:
  ///   - path: The path of the file or the folder.
  ///   - name: The file's name, used as the title of a document that has none.
  ///   - collection: The id or the title of the collection; an unknown title creates a collection.
  ///   - password: The password of the document; empty if unknown.
  ///   - isMove: Whether the file may be moved instead of copied.
  ///   - digest: The SHA-256 digest of the file, which is trusted; nil to compute it from the file.
  ///   - progress: Called with the progress, on this thread.
  /// - Returns: The book, ready or locked.
  /// - Throws: ``ImportFault``; a file that cannot be read at all is not stored.
  package func importFile(
    _ path: String,
    name: String,
    collection: String? = nil,
    password: String = "",
    isMove: Bool = false,
    digest: [UInt8]? = nil,
    progress: (ImportProgress) -> Void = { _ in }
  ) throws(ImportFault) -> Book {
    guard !isStopped.isSet else { throw .stopped }
    defer { tidy() }
    let name = name.split(separator: "/").last.map(String.init) ?? "book"
    let row = try importer.log.reporting(name) { () throws(ImportFault) in
      try importer.importFile(
        path,
        name: name,
        shelf: shelf(collection),
        password: password,
        isMove: isMove,
        digest: digest,
        progress: progress
      )
    }
    if row.deleted != nil {
      // What is imported again comes back.
      do throws(DatabaseError) {
        try storage.store.write { try $0.books.restoreFromBin(row.key) }
      } catch { throw .catalogue(error) }
    }
    publishNow()
    return book(row.id) ?? row
  }

  /// Returns the shelf with this id or title.
  private func shelf(_ collection: String?) -> String? {
    guard
      let name = collection.map({ TextLimits.cut($0, to: TextLimits.collection) })?
        .trimmingCharacters(in: .whitespacesAndNewlines), !name.isEmpty
    else { return nil }
    let found = catalogue().collections.first { $0.id == name || $0.title == name }
    return Shelf.own(TextLimits.cut(found?.title ?? name, to: TextLimits.collection))
  }

  /// Unlocks a book with its password.
  ///
  /// The password is stored in the data folder, which only its owner may read.
  package func unlock(_ id: String, password: String) throws(LibraryFault) {
    guard password.utf8.count <= TextLimits.password else { throw .press(.wrongPassword) }
    try again(id, password: password)
  }

  /// Tries to read a failed book again.
  package func retry(_ id: String) throws(LibraryFault) {
    try again(id, password: try known(id).file.password)
  }

  private func again(_ id: String, password: String) throws(LibraryFault) {
    let book = try known(id)
    guard let location = book.location, !book.file.isImages || book.pages == 0 else {
      guard book.status.state == .ready else {
        throw .notReadable(Notice(.fileGone))
      }
      return
    }
    let path = try file(of: book, at: location)
    defer {
      publishNow()
      tidy()
    }
    try attempted { () throws(ImportFault) in
      if FileStamp(path)?.isFolder == true {
        throw .press(.unreadable(name: path, reason: "isFolder"))
      }
      _ = try importer.log.reporting(book.file.name) { () throws(ImportFault) in
        try importer.retry(book, path: path, password: password)
      }
    }
  }

  /// Returns the path of a book's file, which is fetched if it is only in the store.
  func file(of book: Book, at location: FileLocation) throws(LibraryFault) -> String {
    if location.isShared { try fetcher?.bring(book) }
    return location.isStored ? storage.files.folder + "/" + location.path : location.path
  }

  /// Does work whose failure a reader is told.
  func attempted<T>(_ work: () throws(ImportFault) -> T) throws(LibraryFault) -> T {
    do throws(ImportFault) { return try work() } catch {
      switch error {
      case .press(let fault): throw .press(fault)
      case .catalogue(let error): throw LibraryFault(error)
      case .noRoom(let notice): throw .noRoom(notice)
      case .file, .noImages, .changed, .stopped: throw .failed(error.notice)
      }
    }
  }

  // MARK: Corrections

  /// Corrects the metadata that comes from a book's file.
  ///
  /// A correction is stored separately from the file's own data, so that it survives a change of
  /// the file. A value of `nil` changes nothing; an empty title or author removes the correction.
  /// The cover is the page that the shelf shows, counted from 0.
  package func edit(_ id: String, _ edit: Correction) throws(LibraryFault) {
    let row = try known(id)
    if let cover = edit.cover, !(0..<max(1, row.pages) ~= cover) {
      throw .noSuchPage(cover, count: row.pages)
    }
    for text in [edit.title, edit.author] where (text?.utf8.count ?? 0) > TextLimits.title {
      throw .invalid(Notice(.textTooLong, ["limit": "\(TextLimits.title)"]))
    }
    try writing { rows in
      var correction = try rows.books.book(key: row.key)?.correction ?? Correction()
      correction.apply(edit)
      try rows.books.save(correction, of: row.key)
    }
    publishNow(row.key)
  }

  /// Records the time at which a book was opened, in Unix seconds.
  ///
  /// Only the row of this book is read and published.
  package func noteRead(_ id: String, at time: Double) throws(LibraryFault) {
    let key = try known(id).key
    try writing { try $0.books.setRead(key, at: time) }
    publisher.publishNow(key)
  }

  // MARK: Faults

  func reading<T: Sendable>(_ work: (Database) throws -> T) throws(LibraryFault) -> T {
    do throws(DatabaseError) { return try storage.store.read(work) } catch {
      throw LibraryFault(error)
    }
  }

  func writing<T: Sendable>(_ work: (Database) throws -> T) throws(LibraryFault) -> T {
    do throws(DatabaseError) { return try storage.store.write(work) } catch {
      throw LibraryFault(error)
    }
  }
}

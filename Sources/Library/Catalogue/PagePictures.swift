internal import Dispatch
internal import Foundation
internal import Glibc
internal import Notices
internal import PressProtocol
internal import Pressroom
internal import Synchronization
internal import Telemetry

/// The source of page pictures: the cache, the book's own files, or the presses.
final class PagePictures: Sendable {
  typealias Completion = @Sendable (Result<PagePicture, LibraryFault>) -> Void

  private let store: Store
  private let files: StoredFiles
  private let pressroom: Pressroom?
  private let cache: RenditionCache
  private let fetcher: BookFetcher?
  /// Called with the key of a document whose file is gone.
  private let lost: @Sendable (Int) -> Void
  private let find: @Sendable (String) -> Book?
  private let queue = DispatchQueue(label: "lectern.pictures", attributes: .concurrent)
  /// The pages of the image books that were used most recently.
  private let pages = Mutex<[(book: String, revision: Int, pages: [PageRow])]>([])
  private static let pagesMax = 32
  private let trouble = Mutex<String?>(nil)
  private let log: Log

  init(
    store: Store,
    files: StoredFiles,
    pressroom: Pressroom?,
    cache: RenditionCache,
    fetcher: BookFetcher? = nil,
    log: Log,
    lost: @escaping @Sendable (Int) -> Void = { _ in },
    find: @escaping @Sendable (String) -> Book?
  ) {
    self.store = store
    self.log = log
    self.files = files
    self.pressroom = pressroom
    self.cache = cache
    self.fetcher = fetcher
    self.lost = lost
    self.find = find
  }

  /// Returns a picture that is already available.
  ///
  /// A book whose file is gone keeps its pictures for those who still read it. Reads memory only,
  /// and for an image that may not be there whether it is.
  func cached(_ request: PageRequest) -> PagePicture? {
    guard let book = find(request.book), book.deleted == nil else { return nil }
    guard book.isReadable else {
      return request.page == 0 && book.isOnShelf ? Self.paper(book) : nil
    }
    guard 0..<book.pages ~= request.page else { return nil }
    if let found = cache.path(for: key(of: request, book)) {
      return PagePicture(content: .file(found.path), contentType: found.mediaType.name)
    }
    guard book.file.isImages, let pages = rememberedPages(of: book) else { return nil }
    let found = plain(pages, request, of: book)
    // Its file may still have to be fetched, or may have been removed with that of the book.
    if book.location?.isShared ?? true, let path = found?.path, access(path, R_OK) != 0 {
      return nil
    }
    return found
  }

  private func key(of request: PageRequest, _ book: Book) -> RenditionKey {
    RenditionKey(
      book: request.book,
      page: request.page,
      size: request.size,
      revision: book.shape.revision
    )
  }

  /// The only page of a book that cannot be read.
  private static func paper(_ row: Book) -> PagePicture {
    PagePicture(
      content: .bytes(Array(PaperCover(row).svg.utf8)),
      contentType: "image/svg+xml",
      // The same address may show a real page at any time.
      isLasting: false
    )
  }

  /// Returns whether the file of an available picture is there, and is what was rendered, or an
  /// image that browsers can show as a whole.
  ///
  /// May read a file.
  func isIntact(_ picture: PagePicture, for request: PageRequest) -> Bool {
    guard let path = picture.path else { return true }
    guard let book = find(request.book) else { return false }
    let key = key(of: request, book)
    return cache.path(for: key)?.path == path ? cache.isIntact(key) : picture.isWhole
  }

  /// Removes a rendered picture from the cache.
  func forget(_ request: PageRequest) {
    guard let book = find(request.book) else { return }
    cache.remove(key(of: request, book))
  }

  /// Returns a picture and renders it if necessary.
  ///
  /// The completion is called once, on any thread, unless the ticket is cancelled first. If the
  /// picture is available or cannot be rendered, the completion is called immediately and there is
  /// no ticket.
  func picture(_ request: PageRequest, completion: @escaping Completion) -> PrintTicket? {
    if let found = cached(request) {
      if isIntact(found, for: request) {
        completion(.success(found))
        return nil
      }
      forget(request)
    }
    do throws(LibraryFault) {
      let (book, location) = try printable(request)
      let ticket = PrintTicket(request.priority, for: request.requester)
      queue.async { self.make(request, of: book, at: location, ticket, completion) }
      return ticket
    } catch {
      completion(.failure(error))
      return nil
    }
  }

  /// Returns the book of a request and its location if it has such a page.
  private func printable(
    _ request: PageRequest
  ) throws(LibraryFault) -> (book: Book, location: FileLocation?) {
    guard let book = find(request.book) else { throw .noSuchBook(request.book) }
    guard book.status.state == .ready, book.pages > 0 else {
      throw .notReadable(book.status.failure ?? Notice(.bookUnreadable))
    }
    guard 0..<book.pages ~= request.page else {
      throw .noSuchPage(request.page, count: book.pages)
    }
    if book.deleted != nil { throw .notReadable(Notice(.bookInBin)) }
    guard book.location != nil || book.file.hasStoredPages else {
      throw .notReadable(Notice(.fileGone))
    }
    return (book, book.location)
  }

  /// Renders a small picture in advance and waits for it.
  /// - Returns: Whether the picture exists now or can never be rendered.
  func makeThumb(book: String, page: Int) -> Bool {
    guard pressroom != nil else { return false }
    let done = DispatchSemaphore(value: 0)
    let isMade = Mutex(false)
    let request = PageRequest(book: book, page: page, size: .thumb, priority: .background)
    _ = picture(request) { result in
      switch result {
      case .success(let picture): isMade.withLock { $0 = picture.path != nil }
      case .failure(.press(let fault)): isMade.withLock { $0 = fault != .closing && fault != .busy }
      case .failure(.unshowable): isMade.withLock { $0 = true }
      case .failure: break
      }
      done.signal()
    }
    done.wait()
    return isMade.withLock { $0 }
  }

  // MARK: Rendering

  /// How a picture is produced.
  private enum Source {
    /// From the page's own file.
    case file(PagePicture)
    /// A page without an image: one transparent pixel.
    case blank
    case press(PressWork)
  }

  private func make(
    _ request: PageRequest,
    of book: Book,
    at location: FileLocation?,
    _ ticket: PrintTicket,
    _ completion: @escaping Completion
  ) {
    guard ticket.isOpen else { return }
    guard let fetcher, let missing = missing(request, of: book, at: location) else {
      return render(request, of: book, at: location, ticket, completion)
    }
    let key = key(of: request, book)
    fetcher.fetch(missing, for: key, of: book) { result in
      self.queue.async {
        switch result {
        case .success(.files): self.render(request, of: book, at: location, ticket, completion)
        case .success(.picture(let bytes)):
          let picture = self.stored(bytes, for: key)
          if ticket.close() { completion(.success(picture)) }
        case .failure(let fault): if ticket.close() { completion(.failure(fault)) }
        }
      }
    }
  }

  /// Returns what a page needs from the store; nil if everything is on this machine.
  private func missing(
    _ request: PageRequest,
    of book: Book,
    at location: FileLocation?
  ) -> BookFetcher.Missing? {
    guard location?.isShared == true else { return nil }
    guard book.file.hasOwnPages else {
      return files.has(.originals, book.file.hash) ? nil : .original
    }
    // If the catalogue fails here, it also fails when the page is rendered, which reports it.
    guard let pages = rememberedPages(of: book) ?? (try? loadedPages(of: book)),
      pages.indices.contains(request.page), let asset = pages[request.page].asset,
      !files.has(.assets, asset)
    else { return nil }
    return book.file.isImages && book.file.format != "folder" ? .original : .asset(asset)
  }

  private func render(
    _ request: PageRequest,
    of book: Book,
    at location: FileLocation?,
    _ ticket: PrintTicket,
    _ completion: @escaping Completion
  ) {
    let key = key(of: request, book)
    let result: Result<PagePicture, LibraryFault>
    do throws(LibraryFault) {
      switch try source(of: request, book, at: location) {
      case .file(let picture): result = .success(picture)
      case .blank: result = .success(stored(.blank, for: key))
      case .press(let work):
        guard let pressroom else {
          throw .failed(Notice(other: "This process cannot render pages. Start lectern-press."))
        }
        return pressroom.print(work, for: ticket) { result in
          // The thread of the pressroom must not wait for the disk.
          self.queue.async {
            if case .failure = result, location?.isStored == true, !book.file.isImages,
              !self.files.has(.originals, book.file.hash)
            {
              self.lost(book.key)
            }
            let named = result.mapError { self.named($0, request, of: book) }
            let result = named.map { bytes in
              // A file that has changed in the meantime is about to become another book.
              guard book.file.hasOwnPages || location?.isUnchanged == true else {
                return Self.unstored(bytes)
              }
              self.fetcher?.offer(bytes, for: key, of: book)
              return self.stored(bytes, for: key)
            }
            if ticket.close() { completion(result) }
          }
        }
      }
    } catch {
      result = .failure(error)
    }
    if ticket.close() { completion(result) }
  }

  private func source(
    of request: PageRequest,
    _ book: Book,
    at location: FileLocation?
  ) throws(LibraryFault) -> Source {
    guard book.file.hasOwnPages else {
      guard let path = location.map(path) else { throw .notReadable(Notice(.fileGone)) }
      let password = book.file.password
      return .press(.page(request.page, of: path, password: password, size: request.size))
    }
    let pages: [PageRow]
    do throws(DatabaseError) { pages = try loadedPages(of: book) } catch {
      throw .failed(error.notice)
    }
    if book.file.isLaidOut {
      guard let layout = pages.first?.asset else { throw .notReadable(Notice(.bookUnreadable)) }
      let path = files.path(.assets, layout)
      return .press(.page(request.page, of: path, password: "", size: request.size))
    }
    guard pages.indices.contains(request.page) else {
      throw .noSuchPage(request.page, count: pages.count)
    }
    if let reason = pages[request.page].fault { throw .unshowable(reason) }
    // A press shows what there is of an image that is not whole.
    if let found = plain(pages, request, of: book), found.isWhole { return .file(found) }
    let path = path(of: pages[request.page], at: location)
    return path.isEmpty ? .blank : .press(.page(request.page, image: path, size: request.size))
  }

  /// Returns the fault of a page with the name of its image.
  private func named(_ fault: PressFault, _ request: PageRequest, of book: Book) -> LibraryFault {
    guard book.file.isImages, let pages = rememberedPages(of: book),
      pages.indices.contains(request.page), let name = pages[request.page].file
    else { return .press(fault) }
    return .press(fault.naming(name))
  }

  /// Stores a picture in the cache; if that fails, keeps it in memory so that it can still be
  /// shown.
  private func stored(_ bytes: RenditionBytes, for key: RenditionKey) -> PagePicture {
    do throws(RenditionCacheError) {
      let file = try cache.store(bytes, for: key)
      trouble.withLock { $0 = nil }
      // What was rendered while its book was erased must not stay.
      if isErased(key.book) {
        cache.remove(key)
        return Self.unstored(bytes)
      }
      return PagePicture(content: .file(file.path), contentType: file.mediaType.name)
    } catch {
      trouble.withLock { $0 = "\(error)" }
      log.error(.cacheFailed, "\(error)", collapsing: "cache")
      return Self.unstored(bytes)
    }
  }

  private func isErased(_ book: String) -> Bool {
    do throws(DatabaseError) { return try store.read { try $0.books.book(id: book) } == nil } catch
    {
      return false
    }
  }

  private static func unstored(_ bytes: RenditionBytes) -> PagePicture {
    PagePicture(content: .bytes(bytes.bytes), contentType: bytes.mediaType.name, isLasting: false)
  }

  /// Why the last picture could not be stored; `nil` if it was stored.
  var note: String? { trouble.withLock { $0 } }

  // MARK: Files

  private func path(of location: FileLocation) -> String {
    location.isStored ? files.folder + "/" + location.path : location.path
  }

  private func path(of page: PageRow, at location: FileLocation?) -> String {
    if let asset = page.asset { return files.path(.assets, asset) }
    guard let location, let file = page.file else { return "" }
    return location.path + "/" + file
  }

  /// Returns the page's own file if browsers can show it and it is not larger than requested.
  private func plain(_ pages: [PageRow], _ request: PageRequest, of book: Book) -> PagePicture? {
    let (page, size) = (request.page, request.size)
    guard pages.indices.contains(page),
      let format = pages[page].format.flatMap(ImageFormat.init(name:)),
      let contentType = format.contentType
    else { return nil }
    // The size limit of the screen applies to both directions because an image can be very wide.
    let isSmall =
      size != .thumb && pages[page].height <= Double(size.height)
      && pages[page].width <= Double(2 * size.height)
    guard format == .svg || isSmall else { return nil }
    let file = path(of: pages[page], at: book.location)
    return file.isEmpty ? nil : PagePicture(content: .file(file), contentType: contentType)
  }

  private func rememberedPages(of book: Book) -> [PageRow]? {
    pages.withLock { list in
      list.first { $0.book == book.id && $0.revision == book.shape.revision }?.pages
    }
  }

  private func loadedPages(of book: Book) throws(DatabaseError) -> [PageRow] {
    if let found = rememberedPages(of: book) { return found }
    let found = try store.read { try $0.pages.all(of: book.key) }
    pages.withLock { list in
      list.removeAll { $0.book == book.id }
      list.append((book.id, book.shape.revision, found))
      if list.count > Self.pagesMax { list.removeFirst() }
    }
    return found
  }
}

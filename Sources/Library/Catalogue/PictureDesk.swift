internal import Dispatch
internal import Foundation
internal import PressProtocol
internal import Synchronization
internal import Telemetry

/// A picture of a page.
public struct PagePicture: Equatable, Sendable {
  /// Where its bytes are.
  public enum Content: Equatable, Sendable {
    /// In a file, which may be gone by the time it is opened: then ask again.
    case file(String)
    /// Here alone: it was printed and could not be kept.
    case bytes([UInt8])
  }

  /// Where its bytes are.
  public var content: Content
  /// The value of the `Content-Type` header.
  public var contentType: String
  /// Whether its address shows this picture for good.
  public var isLasting = true

  /// The path of its file; `nil` without one.
  public var path: String? {
    if case .file(let path) = content { path } else { nil }
  }
}

/// A request for a picture that can be taken back.
public final class PictureTicket: Sendable {
  private struct State {
    var isCancelled = false
    var print: PrintTicket?
  }

  private let state = Mutex(State())

  /// Takes the request back: unless the answer is being given just now, it will not come.
  public func cancel() {
    let print = state.withLock { state in
      state.isCancelled = true
      return state.print
    }
    print?.cancel()
  }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  fileprivate func follow(_ print: PrintTicket) {
    let isCancelled = state.withLock { state in
      state.print = print
      return state.isCancelled
    }
    if isCancelled { print.cancel() }
  }
}

/// Gives out the pictures of pages: from the cache, from the book's own files, or printed.
final class PictureDesk: Sendable {
  typealias Completion = @Sendable (Result<PagePicture, LibraryFault>) -> Void

  private let store: Store
  private let files: StoredFiles
  private let pressroom: Pressroom?
  private let cache: RenditionCache
  private let find: @Sendable (String) -> ShelfView.Book?
  private let queue = DispatchQueue(label: "lectern.pictures", attributes: .concurrent)
  /// The pages of the books of images that were looked at last.
  private let pages = Mutex<[(book: String, revision: Int, pages: [PageRow])]>([])
  private static let pagesMax = 32
  private let trouble = Mutex<String?>(nil)
  private let log: Log

  init(
    store: Store,
    files: StoredFiles,
    pressroom: Pressroom?,
    cache: RenditionCache,
    log: Log,
    find: @escaping @Sendable (String) -> ShelfView.Book?
  ) {
    self.store = store
    self.log = log
    self.files = files
    self.pressroom = pressroom
    self.cache = cache
    self.find = find
  }

  /// A picture that needs nothing to be done; looks into memory alone.
  func cached(_ id: String, page: Int, size: PageSize) -> PagePicture? {
    guard let book = find(id), book.place != nil else { return nil }
    guard book.row.isReadable else { return page == 0 ? Self.paper(book.row) : nil }
    guard 0..<book.row.pageCount ~= page else { return nil }
    let key = RenditionKey(book: id, page: page, size: size, revision: book.row.revision)
    if let found = cache.path(for: key) {
      return PagePicture(content: .file(found.path), contentType: found.mediaType.name)
    }
    guard book.row.isImages, let pages = rememberedPages(of: book) else { return nil }
    return plain(pages, page, size, of: book)
  }

  /// The only page of a book that cannot be read.
  private static func paper(_ row: BookRow) -> PagePicture {
    PagePicture(
      content: .bytes(Array(PaperCover(row).svg.utf8)),
      contentType: ImageFormat.svg.contentType,
      // Under the same address there may be a page at any moment.
      isLasting: false
    )
  }

  /// Forgets a picture that was printed.
  func forget(_ id: String, page: Int, size: PageSize) {
    guard let book = find(id) else { return }
    cache.remove(RenditionKey(book: id, page: page, size: size, revision: book.row.revision))
  }

  /// A picture, made if it must be.
  ///
  /// The completion is called once, on any thread; at once if nothing needs to be done.
  func picture(
    _ id: String,
    page: Int,
    size: PageSize,
    priority: PrintPriority,
    for requester: Requester,
    completion: @escaping Completion
  ) -> PictureTicket? {
    if let found = cached(id, page: page, size: size) {
      completion(.success(found))
      return nil
    }
    guard let book = find(id) else {
      completion(.failure(.noSuchBook(id)))
      return nil
    }
    guard book.row.state == .ready, book.row.pageCount > 0 else {
      completion(.failure(.notReadable(book.row.failure ?? "This book cannot be read.")))
      return nil
    }
    guard 0..<book.row.pageCount ~= page else {
      completion(.failure(.noSuchPage(page, count: book.row.pageCount)))
      return nil
    }
    guard let place = book.place else {
      completion(.failure(.notReadable("The file of this book is gone. Put it back.")))
      return nil
    }
    let ticket = PictureTicket()
    queue.async {
      guard !ticket.isCancelled else { return }
      self.make(book, at: place, page, size, (priority, requester), ticket, completion)
    }
    return ticket
  }

  /// Makes a small picture ahead and waits for it.
  /// - Returns: Whether there is one now, or never will be.
  func makeThumb(book: String, page: Int) -> Bool {
    guard pressroom != nil else { return false }
    let done = DispatchSemaphore(value: 0)
    let isMade = Mutex(false)
    _ = picture(book, page: page, size: .thumb, priority: .background, for: .library) { result in
      switch result {
      case .success(let picture): isMade.withLock { $0 = picture.path != nil }
      case .failure(.press(let fault)): isMade.withLock { $0 = fault != .closing && fault != .busy }
      case .failure: break
      }
      done.signal()
    }
    done.wait()
    return isMade.withLock { $0 }
  }

  // MARK: Making

  private func make(
    _ book: ShelfView.Book,
    at place: Place,
    _ page: Int,
    _ size: PageSize,
    _ order: (priority: PrintPriority, requester: Requester),
    _ ticket: PictureTicket,
    _ completion: @escaping Completion
  ) {
    let source: BookSource
    if book.row.isImages {
      let pages: [PageRow]
      do throws(DatabaseError) { pages = try loadedPages(of: book) } catch {
        return completion(.failure(.failed("\(error)")))
      }
      if let found = plain(pages, page, size, of: book) { return completion(.success(found)) }
      source = .images(pages.map { path(of: $0, at: place) })
    } else {
      let password = book.row.password
      source = .document(
        path: path(of: place),
        password: password.isEmpty ? nil : password
      )
    }
    guard let pressroom else {
      return completion(.failure(.failed("Nothing can be printed here. Start lectern-press.")))
    }
    let key = RenditionKey(
      book: book.row.publicID,
      page: page,
      size: size,
      revision: book.row.revision
    )
    let job = PrintJob(source: source, page: page, size: size)
    let print = pressroom.print(job, priority: order.priority, for: order.requester) { result in
      self.queue.async {
        completion(
          result.mapError { .press($0) }.map { bytes in
            // A file that is another by now is another book soon, and its page not this one's.
            guard book.row.isImages || place.isUnchanged else { return Self.unkept(bytes) }
            return self.kept(bytes, for: key)
          }
        )
      }
    }
    ticket.follow(print)
  }

  /// A picture in the cache, or, where that cannot be written, in memory: it is shown all the same.
  private func kept(_ bytes: RenditionBytes, for key: RenditionKey) -> PagePicture {
    do throws(RenditionCacheError) {
      let kept = try cache.store(bytes, for: key)
      trouble.withLock { $0 = nil }
      return PagePicture(content: .file(kept.path), contentType: kept.mediaType.name)
    } catch {
      trouble.withLock { $0 = "\(error)" }
      log.error(.cacheFailed, "\(error)", collapsing: "cache")
      return Self.unkept(bytes)
    }
  }

  private static func unkept(_ bytes: RenditionBytes) -> PagePicture {
    PagePicture(
      content: .bytes(bytes.bytes),
      contentType: bytes.mediaType.name,
      isLasting: false
    )
  }

  /// Why the last picture could not be kept; `nil` if it was.
  var note: String? { trouble.withLock { $0 } }

  // MARK: Files

  private func path(of place: Place) -> String {
    place.isStored ? files.folder + "/" + place.path : place.path
  }

  private func path(of page: PageRow, at place: Place) -> String {
    if let asset = page.asset { return files.path(.assets, asset) }
    return page.file.map { place.path + "/" + $0 } ?? ""
  }

  /// A page's own file, where a browser shows it as it is and it is no larger than asked for.
  private func plain(
    _ pages: [PageRow],
    _ page: Int,
    _ size: PageSize,
    of book: ShelfView.Book
  ) -> PagePicture? {
    guard pages.indices.contains(page), let place = book.place,
      let format = pages[page].format.flatMap(ImageFormat.init(rawValue:))
    else { return nil }
    // The screen's own size counts in both directions: an image may be as wide as it likes.
    let isSmall =
      size != .thumb && pages[page].height <= Double(size.height)
      && pages[page].width <= Double(2 * size.height)
    guard format == .svg || isSmall else { return nil }
    let file = path(of: pages[page], at: place)
    return PagePicture(content: .file(file), contentType: format.contentType)
  }

  private func rememberedPages(of book: ShelfView.Book) -> [PageRow]? {
    pages.withLock { list in
      list.first { $0.book == book.row.publicID && $0.revision == book.row.revision }?.pages
    }
  }

  private func loadedPages(of book: ShelfView.Book) throws(DatabaseError) -> [PageRow] {
    if let found = rememberedPages(of: book) { return found }
    let found = try store.read { (rows) throws(DatabaseError) in
      try rows.pages(of: book.row.key)
    }
    pages.withLock { list in
      list.removeAll { $0.book == book.row.publicID }
      list.append((book.row.publicID, book.row.revision, found))
      if list.count > Self.pagesMax { list.removeFirst() }
    }
    return found
  }
}

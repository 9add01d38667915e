internal import Dispatch
internal import Foundation
internal import Pressroom
package import Scene
internal import Synchronization
package import Telemetry

/// A library of books: those in a watched folder, and copies of imported ones.
///
/// A database in the data folder holds the catalogue. The folder also contains the copies, the
/// images from archives and the rendered pictures. Passwords of books are stored there in plain
/// text, so only the owner of the folder can read it and its files.
///
/// ``catalogue()``, ``book(_:)``, ``books()``, ``bookCount``, ``ledge(collection:)``,
/// ``ledge(book:)``, ``cachedPicture(_:)`` and ``picture(_:completion:)`` do not block. All other
/// methods may access the disk: call them on a thread for which no other thread waits.
///
/// ```swift
/// let options = BookLibrary.Options(data: "/var/lib/lectern", directory: "/books", press: path)
/// let library = try BookLibrary(options) { change in /* catalogue() has changed */ }
/// ```
package final class BookLibrary: Sendable {
  let storage: LibraryStorage
  let importer: Importer
  let pictures: PagePictures
  let isStopped = Flag()
  let publisher: Publisher
  private let work: BackgroundWork
  private let housekeeper: Housekeeper?
  private let pressroom: Pressroom?
  let sharing: SharedLibrary?
  let fetcher: BookFetcher?
  let bin: Bin
  let mayDeleteFiles: Bool
  let log: Log
  /// Lays out EPUBs again after the engine for that has been installed.
  private let layouts = DispatchQueue(label: "lectern.layouts", qos: .background)
  private let ledges = Mutex<[String: (spines: [Spine], svg: String)]>([:])

  /// Opens a library.
  ///
  /// Known books are available at once; the folder is scanned in the background.
  /// - Parameters:
  ///   - options: The folders and limits.
  ///   - log: Receives events about imports, unusable files and failures.
  ///   - onChange: Called with what has changed in the result of ``catalogue()``, in the order of
  ///     the changes and on any thread.
  /// - Throws: ``LibraryError`` if a folder or the catalogue cannot be used.
  package convenience init(
    _ options: Options,
    log: Log = .disabled,
    onChange: @escaping @Sendable (CatalogueChange) -> Void
  ) throws(LibraryError) {
    let folder = try Self.opened(options)
    let pressroom: Pressroom
    do throws(PressroomError) {
      pressroom = try Pressroom(
        press: options.press,
        cores: options.cores,
        ownFolder: folder.path,
        log: log
      )
    } catch {
      throw .data("\(error)")
    }
    try self.init(
      options,
      folder: folder,
      printing: PressroomPrinting(pressroom: pressroom),
      pressroom: pressroom,
      settle: 0.5,
      log: log,
      onChange: onChange
    )
  }

  /// Opens a library with any press; without a pressroom it renders no pictures.
  init(
    _ options: Options,
    folder: DataFolder,
    printing: any Printing,
    pressroom: Pressroom?,
    settle: Double,
    log: Log = .disabled,
    onChange: @escaping @Sendable (CatalogueChange) -> Void
  ) throws(LibraryError) {
    self.pressroom = pressroom
    let root = options.directory.map {
      URL(fileURLWithPath: $0, isDirectory: true).standardizedFileURL.path
    }
    do {
      let storage = try LibraryStorage(in: folder, sharing: options.sharing, log: log)
      if let root { try Self.check(root, storage) }
      let cache = try RenditionCache(folder: folder.pictures, bytesMax: options.cacheBytes)
      let publisher = try Publisher(
        store: storage.store,
        files: storage.files,
        root: root,
        onChange: onChange
      )
      (self.storage, self.publisher) = (storage, publisher)
      let sharing = try Self.sharing(options, storage, root, log, isStopped) {
        publisher.publish($0)
      }
      let fetcher = sharing.map { BookFetcher(sharing: $0, press: printing) }
      (self.sharing, self.fetcher) = (sharing, fetcher)
      importer = Importer(storage: storage, press: printing, log: log, isStopped: isStopped)
      bin = Bin(storage: storage, importer: importer, cache: cache, log: log)
      pictures = PagePictures(
        store: storage.store,
        files: storage.files,
        pressroom: pressroom,
        cache: cache,
        fetcher: fetcher,
        log: log,
        lost: { publisher.publish($0) }
      ) { publisher.book($0) }
      // A catalogue that is rebuilt from the store does not know its files yet.
      if folder.isAlone, sharing == nil || storage.note == nil { try storage.clean() }
    } catch let error as LibraryError {
      throw error
    } catch {
      throw .data("\(error)")
    }
    (mayDeleteFiles, self.log) = (options.mayDeleteFiles, log)
    work = BackgroundWork(
      options,
      root: root,
      settle: settle,
      storage: storage,
      importer: importer,
      pictures: pictures,
      publisher: publisher,
      isStopped: isStopped
    )
    housekeeper =
      folder.isOwner
      ? Housekeeper(storage.store, folder, bin, keepRooms: options.keepRooms, log: log) : nil
    do throws(DatabaseError) { try work.start() } catch { throw .data("\(error)") }
    sharing?.start()
    retryLayouts(on: layouts)
  }

  /// Returns the connection with the store; nil without one, and for a guest in the data folder,
  /// whose changes the owner publishes.
  private static func sharing(
    _ options: Options,
    _ storage: LibraryStorage,
    _ root: String?,
    _ log: Log,
    _ isStopped: Flag,
    changed: @escaping @Sendable (Int?) -> Void
  ) throws(DatabaseError) -> SharedLibrary? {
    guard storage.folder.isOwner, let sharing = options.sharing else { return nil }
    return try SharedLibrary(
      sharing,
      storage: storage,
      root: root,
      log: log,
      isStopped: isStopped,
      changed: changed
    )
  }

  /// Schedules a scan of the folder, for changes that the system does not report.
  package func scan() {
    work.scan()
    retryLayouts(on: layouts)
  }

  deinit { stop() }

  /// Stops all work in progress and waits for it to end.
  ///
  /// May be called more than once.
  package func stop() {
    let isFirst = !isStopped.isSet
    if isFirst { sharing?.flush(atMost: 1.5) }
    isStopped.set()
    sharing?.stop()
    pressroom?.stop()
    work.stop()
    publisher.stop()
    // The last backup follows, so that it is not made again because the file has changed.
    if isFirst, storage.folder.isOwner { storage.store.finish() }
    housekeeper?.stop()
    let folder = storage.folder
    if !folder.isOwner { try? FileManager.default.removeItem(atPath: folder.pictures) }
    folder.leave()
  }

  /// Waits until the folder is scanned and its books are imported, but not until they are indexed.
  /// - Returns: Whether this happened in time.
  @discardableResult package func settle(atMost seconds: Double) -> Bool {
    let isDone = work.waitForImports(atMost: seconds)
    publisher.publishNow()
    return isDone
  }

  /// Waits until the texts are indexed and the small pictures are rendered.
  /// - Returns: Whether this happened in time.
  @discardableResult func finishWork(atMost seconds: Double) -> Bool {
    let isDone = work.waitForIndexing(atMost: seconds)
    publisher.publishNow()
    return isDone
  }

  /// The key that a client must send to see the library from another machine: 128 random bits as
  /// text.
  ///
  /// It is stored in the file `library.key` of the data folder; without that file, the library
  /// generates another key.
  package var key: String { storage.key }

  /// Reads the file with the key again, which its owner may have changed.
  package func readKey() throws(LibraryError) -> String {
    do throws(FileFault) { return try storage.files.libraryKey() } catch {
      throw .data("\(error)")
    }
  }

  /// The path of the file with ``key``.
  package var keyFile: String { storage.files.keyPath }

  // MARK: Contents

  /// Returns the contents of the shelf: titles, addresses, shapes.
  ///
  /// A book that cannot be read is included, with one page that says why.
  package func catalogue() -> Catalogue { publisher.view.catalogue }

  /// Returns all books: those on the shelf in its order, then those whose files are missing.
  package func books() -> [Book] {
    let view = publisher.view
    return view.order.compactMap { view.books[$0] }
  }

  /// The number of books.
  package var bookCount: Int { publisher.view.order.count }

  /// Returns the facts about a book; nil if there is no such book.
  package func book(_ id: String) -> Book? { publisher.book(id) }

  /// The files in the folder that cannot be used, each with its path, the problem and what to do.
  package var notes: [String] {
    [storage.note, housekeeper?.note].compactMap { $0 } + work.notes
      + [pictures.note].compactMap { $0 }
  }

  /// The number of books in the folder that wait to be imported.
  package var waiting: Int { work.waiting }

  /// How many books of the folder have been imported since the first of those that wait was found,
  /// and how many there are in all; nil while none waits.
  package var imports: (done: Int, total: Int)? { work.progress.map { ($0.done, $0.total) } }

  /// The duration of the last scan of the folder, in seconds; nil before the first has ended.
  package var scanSeconds: Double? { work.scanSeconds }

  /// Returns the drawing of a ledge with one book; nil if the book is not on the shelf.
  package func ledge(book id: String) -> String? {
    guard let book = publisher.book(id), book.isOnShelf else { return nil }
    return LedgeDrawing(books: [ShelfView.spine(of: book)]).svg
  }

  /// Returns the signature of a text, which all processes with the same secret can check.
  package func signature(of text: some StringProtocol) -> String {
    storage.secret.signature(of: text)
  }

  /// Returns the drawing of a collection's ledge as an SVG document.
  package func ledge(collection id: String) -> String? {
    guard let spines = publisher.view.spines[id] else { return nil }
    if let drawn = ledges.withLock({ $0[id] }), drawn.spines == spines { return drawn.svg }
    let svg = LedgeDrawing(books: spines).svg
    ledges.withLock { $0[id] = (spines, svg) }
    return svg
  }

  /// Returns the books on a collection's ledge and their spots; nil if there is no such ledge.
  package func spines(
    ofCollection id: String
  ) -> [(book: String, title: String, spot: SpineSpot)]? {
    let view = publisher.view
    guard let spines = view.spines[id],
      let books = view.catalogue.collections.first(where: { $0.id == id })?.books
    else { return nil }
    return zip(books, LedgeDrawing(books: spines).spots).map { ($0.id, $0.title, $1) }
  }

  var view: ShelfView { publisher.view }

  func known(_ id: String) throws(LibraryFault) -> Book {
    guard let book = publisher.book(id) else { throw .noSuchBook(id) }
    return book
  }

  /// Makes recent writes visible to this process and to the owner of the folder.
  /// - Parameter book: The key of the only book that has changed; nil if anything may have changed.
  func publishNow(_ book: Int? = nil) {
    publisher.publishNow(book)
    work.index()
    let folder = storage.folder
    if !folder.isOwner { try? Data().write(to: URL(fileURLWithPath: folder.announcement)) }
  }

  // MARK: Opening

  static func opened(_ data: String?) throws(LibraryError) -> DataFolder {
    if let data, let fault = DataFolder.diskFault(of: data) { throw .data(fault) }
    do throws(FileFault) { return try DataFolder(data) } catch { throw .data("\(error)") }
  }

  /// Opens the data folder.
  ///
  /// If this server must be its only owner, waits up to two seconds, because the previous server
  /// may be stopping.
  private static func opened(_ options: Options) throws(LibraryError) -> DataFolder {
    var folder = try opened(options.data)
    var tries = 0
    while options.ownsData, !folder.isOwner {
      guard tries < 20 else { throw .data(folder.whoOwnsIt) }
      tries += 1
      usleep(100_000)
      folder = try opened(options.data)
    }
    return folder
  }

  /// Removes files of books whose import failed.
  func tidy() { importer.tidy { storage.folder.withoutGuests { try? storage.clean() } } }

  /// Rejects a path at which there is no folder, unless books are known to be there: their disk may
  /// be mounted later.
  private static func check(_ root: String, _ storage: LibraryStorage) throws {
    guard FileStamp(root)?.isFolder != true else { return }
    let known = try storage.store.read { try $0.books.allLocations() }
    guard known.contains(where: { $0.path.hasPrefix(root + "/") }) else {
      throw LibraryError.notAFolder(path: root)
    }
  }

  /// The folder for incomplete uploads, in the data folder.
  package var uploadsFolder: String { storage.folder.path + "/uploads" }

  /// The folder for recordings of rooms, in the data folder.
  package var recordingsFolder: String { storage.folder.path + "/recordings" }
}

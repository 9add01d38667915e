internal import Foundation
public import Scene
internal import Synchronization
public import Telemetry

/// A reader's books: those in a folder that is watched, and copies of imported ones.
///
/// A database in the data folder holds the catalogue. Beside it lie the copies, the images out of
/// archives and the printed pictures. The passwords of books are stored there as plain text, so
/// the folder and its files can be read by their owner alone.
///
/// ``catalogue()``, ``book(_:)``, ``books()``, ``bookCount``, ``ledge(collection:)``,
/// ``ledge(book:)``, ``cachedPicture(_:)`` and ``picture(_:completion:)`` do not block. All other
/// methods may touch the disk: call them on a thread on which nobody waits.
///
/// ```swift
/// let options = BookLibrary.Options(data: "/var/lib/lectern", directory: "/books", press: path)
/// let library = try BookLibrary(options) { /* catalogue() has changed */ }
/// ```
public final class BookLibrary: Sendable {
  /// Where things are and how much room there is.
  public struct Options: Sendable {
    /// The data folder; a temporary one if `nil`.
    public var data: String?
    /// The folder that is scanned; `nil` for none.
    ///
    /// Then what an earlier one held is left alone.
    public var directory: String?
    /// The path of `lectern-press`.
    public var press: String
    /// How many bytes of pictures are kept.
    public var cacheBytes: Int
    /// Whether the folder is watched, or only scanned once.
    public var watches: Bool
    /// Whether texts and small pictures are made ahead, when nothing else is to do.
    public var worksAhead: Bool
    /// The presses that may be alive at once; one per core is a good number.
    public var cores: Int
    /// How long a room is kept that nobody uses, in seconds.
    public var keepRooms: Double
    /// Whether no other server may use the data folder; without, one that comes second is a guest,
    /// which may only import.
    public var ownsData: Bool

    /// Options with defaults for all but the press.
    public init(
      data: String? = nil,
      directory: String? = nil,
      press: String,
      cacheBytes: Int = RenditionCache.standardBytes,
      watches: Bool = true,
      worksAhead: Bool = true,
      cores: Int = 2,
      keepRooms: Double = 30 * 86_400,
      ownsData: Bool = false
    ) {
      self.data = data
      self.directory = directory
      self.press = press
      self.cacheBytes = cacheBytes
      self.watches = watches
      self.worksAhead = worksAhead
      self.cores = cores
      self.keepRooms = keepRooms
      self.ownsData = ownsData
    }
  }

  let folder: DataFolder
  let files: StoredFiles
  let store: Store
  let importer: Importer
  let pictures: PagePictures
  let isStopped = Flag()
  let keepRooms: Double
  let log: Log
  /// What whoever reads the whole library from elsewhere has to show: 128 random bits as text.
  ///
  /// Kept in the data folder, in the file `library.key`; without that file there is another.
  public let key: String
  /// What happened to the catalogue before it was opened.
  private let storeNote: String?
  private let root: String?
  private let publisher: Publisher
  private let indexer: Indexer?
  private let intake: FolderIntake?
  private let guests: GuestWatch?
  private let ledges = Mutex<[String: (tag: Int, svg: String)]>([:])
  private let pressroom: Pressroom?
  private let housekeeper: Housekeeper?

  /// Opens a library.
  ///
  /// What is known is there at once; the folder is scanned meanwhile.
  /// - Parameters:
  ///   - options: Where things are and how much room there is.
  ///   - log: Hears what comes in, what cannot be used and what fails.
  ///   - onChange: Called on any thread when ``catalogue()`` would give something else.
  /// - Throws: ``LibraryError`` where a folder or the catalogue cannot be used.
  public convenience init(
    _ options: Options,
    log: Log = .disabled,
    onChange: @escaping @Sendable () -> Void
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

  /// Opens a library with any press; without a pressroom no pictures are printed.
  init(
    _ options: Options,
    folder: DataFolder,
    printing: any Printing,
    pressroom: Pressroom?,
    settle: Double,
    log: Log = .disabled,
    onChange: @escaping @Sendable () -> Void
  ) throws(LibraryError) {
    self.folder = folder
    self.log = log
    self.pressroom = pressroom
    keepRooms = options.keepRooms
    root = try options.directory.map { path throws(LibraryError) in try Self.root(path) }
    let secret: FolderSecret
    do {
      files = try StoredFiles(folder: folder.path)
      (store, storeNote) =
        folder.isOwner
        ? try Store.opened(in: folder, now: Date().timeIntervalSince1970, log: log)
        : (try Store(path: folder.database, log: log), nil)
      secret = try FolderSecret(in: files)
      key = try files.libraryKey()
      try store.keyIDs(with: secret)
      let cache = try RenditionCache(folder: folder.pictures, bytesMax: options.cacheBytes)
      let publisher = try Publisher(store: store, root: root, onChange: onChange)
      self.publisher = publisher
      pictures = PagePictures(
        store: store,
        files: files,
        pressroom: pressroom,
        cache: cache,
        log: log
      ) { publisher.view.books[$0] }
      if folder.isAlone { try Self.clean(files, store) }
    } catch {
      throw .data("\(error)")
    }
    importer = Importer(
      store: store,
      files: files,
      secret: secret,
      press: printing,
      log: log,
      isStopped: isStopped
    )
    let isAhead = folder.isOwner && options.worksAhead
    indexer =
      isAhead
      ? Self.indexer(options, folder, store, printing, pictures, publisher, log, isStopped) : nil
    let (indexer, publisher) = (indexer, publisher)
    intake = root.map { [importer, isStopped] root in
      FolderIntake(
        root: root,
        importer: importer,
        watches: options.watches,
        settle: settle,
        log: log,
        isStopped: isStopped
      ) {
        publisher.publish()
        indexer?.kick()
      }
    }
    guests =
      folder.isOwner
      ? GuestWatch(folder) {
        publisher.publish(); indexer?.kick()
      } : nil
    housekeeper =
      folder.isOwner ? Housekeeper(store, folder, keepRooms: options.keepRooms, log: log) : nil
    do throws(DatabaseError) { try intake?.start() } catch { throw .data("\(error)") }
    indexer?.kick()
  }

  deinit { stop() }

  /// Ends everything that is under way and waits for it.
  ///
  /// May be called more than once.
  public func stop() {
    isStopped.set()
    pressroom?.stop()
    intake?.stop()
    indexer?.stop()
    publisher.stop()
    housekeeper?.stop()
    if !folder.isOwner { try? FileManager.default.removeItem(atPath: folder.pictures) }
    folder.leave()
  }

  /// Waits until the folder is scanned and its books are read; not for their texts.
  /// - Returns: Whether that came to be in time.
  @discardableResult public func settle(atMost seconds: Double) -> Bool {
    let isDone = intake?.waitUntilIdle(seconds: seconds) ?? true
    publisher.publishNow()
    return isDone
  }

  /// Waits until texts and small pictures are made, as far as they are made ahead.
  /// - Returns: Whether that came to be in time.
  @discardableResult public func finishWork(atMost seconds: Double) -> Bool {
    let isDone = indexer?.waitUntilIdle(seconds: seconds) ?? true
    publisher.publishNow()
    return isDone
  }

  // MARK: What there is

  /// What is shown: titles, addresses, shapes.
  ///
  /// Books that cannot be read are in it with one page, which says why.
  public func catalogue() -> Catalogue { publisher.view.catalogue }

  /// All books: those on the shelf in its order, then those whose files are gone.
  public func books() -> [BookRecord] {
    let view = publisher.view
    return view.order.compactMap { view.books[$0]?.record }
  }

  /// How many books there are.
  public var bookCount: Int { publisher.view.order.count }

  /// What is known of a book.
  public func book(_ id: String) -> BookRecord? { publisher.view.books[id]?.record }

  /// What could not be used in the folder, each with its path, what was wrong and what to do.
  public var notes: [String] {
    [storeNote, housekeeper?.note].compactMap { $0 } + (intake?.notes ?? [])
      + [pictures.note].compactMap { $0 }
  }

  /// How many books of the folder wait to be read.
  public var waiting: Int { intake?.waiting ?? 0 }

  /// How long the last look through the folder took, in seconds; nil before the first has ended.
  public var scanSeconds: Double? { intake?.scanSeconds }

  /// The drawing of a ledge on which one book stands alone; nil unless it is on the shelf.
  public func ledge(book id: String) -> String? {
    guard let book = publisher.view.books[id], book.place != nil else { return nil }
    return LedgeDrawing(books: [ShelfView.spine(of: book.row)]).svg
  }

  /// The drawing of a collection's ledge, an SVG document.
  public func ledge(collection id: String) -> String? {
    guard let spines = publisher.view.spines[id] else { return nil }
    var hasher = Hasher()
    for spine in spines {
      hasher.combine(spine.title)
      hasher.combine(spine.width)
      hasher.combine(spine.height)
      hasher.combine(spine.colours.cloth)
      hasher.combine(spine.colours.lettering)
    }
    let tag = hasher.finalize()
    if let drawn = ledges.withLock({ $0[id] }), drawn.tag == tag { return drawn.svg }
    let svg = LedgeDrawing(books: spines).svg
    ledges.withLock { $0[id] = (tag, svg) }
    return svg
  }

  /// The books that are seen on a collection's ledge, and where; nil if there is none.
  public func spines(
    ofCollection id: String
  ) -> [(book: String, title: String, spot: SpineSpot)]? {
    let view = publisher.view
    guard let spines = view.spines[id],
      let books = view.catalogue.collections.first(where: { $0.id == id })?.books
    else { return nil }
    return zip(books, LedgeDrawing(books: spines).spots).map { ($0.id, $0.title, $1) }
  }

  func known(_ id: String) throws(LibraryFault) -> ShelfView.Book {
    guard let book = publisher.view.books[id] else { throw .noSuchBook(id) }
    return book
  }

  /// Makes what was just written visible, here and to the owner of the folder.
  func publishNow() {
    publisher.publishNow()
    indexer?.kick()
    if !folder.isOwner { try? Data().write(to: URL(fileURLWithPath: folder.announcement)) }
  }

  // MARK: Opening

  static func opened(_ data: String?) throws(LibraryError) -> DataFolder {
    do throws(FileFault) { return try DataFolder(data) } catch { throw .data("\(error)") }
  }

  /// Opens the data folder; one that must be this server's alone is waited for for two seconds,
  /// since the server before may be ending just now.
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

  /// Removes files of books that did not come in.
  func tidy() {
    importer.tidy {
      folder.withoutGuests { try? Self.clean(files, store) }
    }
  }

  private static func root(_ path: String) throws(LibraryError) -> String {
    guard FileStamp(path)?.isFolder == true else { throw .notAFolder(path: path) }
    return URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL.path
  }

  private static func clean(_ files: StoredFiles, _ store: Store) throws(DatabaseError) {
    let (originals, assets) = try store.read { (rows) throws(DatabaseError) in
      (
        try rows.rows("SELECT source_sha256 FROM book") { Hexadecimal.text($0.blob(0)) },
        try rows.rows(
          "SELECT DISTINCT asset_sha256 FROM page WHERE asset_sha256 IS NOT NULL"
        ) { Hexadecimal.text($0.blob(0)) }
      )
    }
    let kept: [StoredFiles.Kind: Set<String>] = [.originals: Set(originals), .assets: Set(assets)]
    files.clean { kind, name in kept[kind]?.contains(name) == true }
  }

  private static func indexer(
    _ options: Options,
    _ folder: DataFolder,
    _ store: Store,
    _ printing: any Printing,
    _ pictures: PagePictures,
    _ publisher: Publisher,
    _ log: Log,
    _ isStopped: Flag
  ) -> Indexer {
    Indexer(
      store: store,
      press: printing,
      root: folder.path,
      // A quarter of the cache, at some 12 KB each.
      thumbsMax: options.cacheBytes / 4 / 12_000,
      log: log,
      isStopped: isStopped,
      thumb: { book, page in
        // A book that came just now is on the shelf only soon.
        if publisher.view.books[book.publicID] == nil { publisher.publishNow() }
        return pictures.makeThumb(book: book.publicID, page: page)
      },
      changed: { publisher.publish() }
    )
  }
}

extension BookLibrary {
  /// The folder for files that are still on their way in, below the data folder.
  public var uploadsFolder: String { folder.path + "/uploads" }

  /// The folder for recordings of rooms, below the data folder.
  public var recordingsFolder: String { folder.path + "/recordings" }
}

/// The background work of a library: reading its folder, indexing texts, and watching for imports
/// by other processes.
final class BackgroundWork: Sendable {
  private let intake: FolderIntake?
  private let watches: Bool
  private let indexer: Indexer?
  private let guests: GuestWatch?

  /// Creates idle work; call ``start()`` to begin.
  ///
  /// Only the owner of the data folder indexes texts and watches for other processes.
  /// - Parameters:
  ///   - options: The options of the library.
  ///   - root: The folder to read; nil for none.
  ///   - settle: The age of a file's last change at which the file counts as complete, in seconds.
  ///   - storage: The library's storage.
  ///   - importer: The importer of the books in the folder.
  ///   - pictures: The source of the small pictures.
  ///   - publisher: Publishes the results.
  ///   - isStopped: Ends the work when it is set.
  init(
    _ options: BookLibrary.Options,
    root: String?,
    settle: Double,
    storage: LibraryStorage,
    importer: Importer,
    pictures: PagePictures,
    publisher: Publisher,
    isStopped: Flag
  ) {
    let folder = storage.folder
    let indexer =
      folder.isOwner && options.worksAhead
      ? Indexer(
        store: storage.store,
        press: importer.cataloguer.press,
        root: folder.path,
        // A quarter of the cache, at about 12 KB per thumbnail.
        thumbsMax: options.cacheBytes / 4 / 12_000,
        log: importer.log.log,
        isStopped: isStopped,
        thumb: { book, page in
          // A new book appears on the shelf only after the next publication.
          if publisher.book(book.id) == nil { publisher.publishNow() }
          return pictures.makeThumb(book: book.id, page: page)
        },
        changed: { publisher.publish($0) }
      ) : nil
    let publish = { @Sendable in
      publisher.publish()
      indexer?.kick()
    }
    self.indexer = indexer
    watches = options.watches
    intake = root.map { root in
      FolderIntake(
        root: root,
        importer: importer,
        scanSeconds: options.scanSeconds,
        settle: settle,
        isStopped: isStopped,
        changed: publish
      )
    }
    guests = folder.isOwner ? GuestWatch(folder, heard: publish) : nil
  }

  /// Starts with a scan of the folder and a search for unfinished work.
  func start() throws(DatabaseError) {
    try intake?.start(watches: watches)
    indexer?.kick()
  }

  /// Schedules a scan of the folder.
  func scan() { intake?.scanNow() }

  /// Schedules a search for texts to index and pages to render.
  func index() { indexer?.kick() }

  /// Stops and waits until work in progress has ended; the caller sets the flag first.
  func stop() {
    intake?.stop()
    indexer?.stop()
  }

  /// Waits until the folder is scanned and its books are imported.
  /// - Returns: Whether this happened in time.
  func waitForImports(atMost seconds: Double) -> Bool {
    intake?.waitUntilIdle(seconds: seconds) ?? true
  }

  /// Waits until texts are indexed and small pictures are rendered.
  /// - Returns: Whether this happened in time.
  func waitForIndexing(atMost seconds: Double) -> Bool {
    indexer?.waitUntilIdle(seconds: seconds) ?? true
  }

  /// The notes on unusable files in the folder.
  var notes: [String] { intake?.notes ?? [] }

  /// The number of books in the folder that wait to be imported.
  var waiting: Int { intake?.waiting ?? 0 }

  /// How far the imports from the folder are; nil while none waits.
  var progress: ImportBatch.Progress? { intake?.progress }

  /// The duration of the last scan of the folder, in seconds; nil before the first has ended.
  var scanSeconds: Double? { intake?.scanSeconds }
}

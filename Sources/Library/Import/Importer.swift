internal import Foundation
internal import Notices
internal import PressProtocol
internal import Pressroom
internal import Scene
internal import SharedStore
internal import Synchronization
internal import Telemetry

/// Imports books: examines them, stores what must be stored, and puts them on a shelf.
///
/// Every call blocks. A book is identified by its content: the same content is one book, wherever
/// and whenever it is found. All rows of a book are written at once, after its files. An
/// interrupted import therefore leaves nothing but files that ``StoredFiles/clean(keeping:)``
/// removes.
final class Importer: Sendable {
  let store: Store
  let files: StoredFiles
  private let secret: FolderSecret
  let cataloguer: Cataloguer
  let log: ImportLog
  let isStopped: Flag
  private let busy = ExclusiveKeys<[UInt8]>()
  /// The books that are being laid out in large print.
  let enlarged = ExclusiveKeys<String>()
  /// Whether images may be left over from a failed import.
  private let hasLeftovers = Mutex(false)
  /// The maximum size of a document; a press reads no larger one.
  private static let sizeMax = PressLimits.standard.document.bytes

  init(storage: LibraryStorage, press: any Printing, log: Log, isStopped: Flag) {
    (store, files, secret) = (storage.store, storage.files, storage.secret)
    self.log = ImportLog(log: log)
    self.isStopped = isStopped
    cataloguer = Cataloguer(press: press, files: files)
  }

  // MARK: Books in the folder

  /// Puts a book on the shelf without copying it.
  func shelve(_ found: FoundBook) throws(ImportFault) -> Shelved {
    if found.images != nil { return try shelveFolder(found) }
    let version = FileVersion(found.path)
    let size = FileStamp(found.path)?.size ?? 0
    let isTooLarge = size > Self.sizeMax
    let hash = try digest(found.path, size: size)
    // A file that changes meanwhile, even its permissions only, is imported again later: it may be
    // another one by now, and the press may have found that and read nothing.
    func checkVersion() throws(ImportFault) {
      guard FileVersion(found.path) == version, Sidecar.stamp(of: found.path) == found.stamp else {
        throw .changed(path: found.path)
      }
    }
    return try busy.with(hash) { () throws(ImportFault) in
      if let known = try catalogued({ try $0.books.book(source: hash) }) {
        var described = known
        let notes = try describe(&described.metadata, found)
        try checkVersion()
        if described != known {
          try written { [described] in
            try $0.books.describe(described.key, as: described.metadata)
          }
        }
        let location = try put(found.location, of: described, name: found.name)
        return Shelved(location: location, notes: notes)
      }
      let book = newBook(hash, name: found.name, size: size)
      var result =
        isTooLarge
        ? Cataloguer.refused(book, .fileTooLarge(bytes: size, limit: Self.sizeMax))
        : try catalogue(found.path, as: book, password: "")
      let notes = try describe(&result.row.metadata, found)
      try checkVersion()
      return Shelved(
        location: try save(result, at: found.location),
        notes: result.notes(on: found.path) + notes,
        fault: result.fault
      )
    }
  }

  private func shelveFolder(_ found: FoundBook) throws(ImportFault) -> Shelved {
    let read = try folderBook(found)
    let hash = read.book.row.file.hash
    return try busy.with(hash) { () throws(ImportFault) in
      let (known, here, isShared) = try catalogued { rows in
        let key = try rows.books.key(at: found.path)
        let locations = try key.map { key in try rows.books.locations(of: key).count }
        return (
          try rows.books.book(source: hash),
          try key.flatMap { key in try rows.books.book(key: key) },
          (locations ?? 0) > 1
        )
      }
      if let known, known.key != here?.key {
        return Shelved(
          location: try put(found.location, of: known, name: found.name),
          notes: read.notes
        )
      }
      var result = read.book
      // The book that was at this location is the same book with other pages. That is also true
      // if its files were only touched, because only their beginnings were compared.
      if let here, here.file.isImages, !isShared || known != nil {
        result.row.key = here.key
        result.row.id = here.id
        result.row.added = here.added
        result.row.shape.revision = here.shape.revision + 1
      } else {
        let fresh = newBook(hash, name: found.name, size: result.row.file.byteSize)
        result.row.id = fresh.id
        result.row.added = fresh.added
      }
      result = try cut(result, in: found.path)
      return Shelved(location: try save(result, at: found.location), notes: read.notes)
    }
  }

  private func cut(
    _ book: CataloguedBook,
    in folder: String
  ) throws(ImportFault) -> CataloguedBook {
    let cut = try filed(cataloguer.cutStrips(of: book, in: folder, stop: isStopped))
    guard !isStopped.isSet else { throw .stopped }
    return cut
  }

  private func folderBook(_ found: FoundBook) throws(ImportFault) -> FolderCataloguer {
    try pressed { () throws(PressFault) in
      try FolderCataloguer(found, press: cataloguer.press)
    }
  }

  /// Takes over what the file beside a document says about it; returns notes on that file.
  private func describe(
    _ metadata: inout BookMetadata,
    _ found: FoundBook
  ) throws(ImportFault) -> [String] {
    var described = metadata
    let notes = try pressed { () throws(PressFault) in
      try described.describe(by: found.sidecar, cataloguer.press)
    }
    metadata = described
    return notes
  }

  // MARK: Copies

  /// Copies a document or a folder of images and puts it on a shelf.
  func importFile(
    _ path: String,
    name: String,
    shelf: String?,
    password: String,
    isMove: Bool,
    digest known: [UInt8]?,
    progress: (ImportProgress) -> Void
  ) throws(ImportFault) -> Book {
    guard let stamp = FileStamp(path) else {
      throw .file(FileFault(path: path, code: ENOENT).notice)
    }
    if stamp.isFolder { return try importFolder(path, name: name, shelf: shelf) }
    guard stamp.size <= Self.sizeMax else {
      throw .press(.fileTooLarge(bytes: stamp.size, limit: Self.sizeMax))
    }
    let hash = if let known { known } else { try digest(path, stamp, progress) }
    return try busy.with(hash) { () throws(ImportFault) in
      var book = try catalogued { try $0.books.book(source: hash) }
      if var known = book, known.status.state == .ready {
        try storeOriginal(path, hash, isMove: isMove)
        known.key = try shelveCopy(of: known, at: shelf, name: name)
        return known
      }
      book?.file.name = name
      let base = book ?? newBook(hash, name: name, size: stamp.size)
      let password = password.isEmpty ? base.file.password : password
      let result = try catalogue(path, as: base, password: password, progress: progress)
      if let fault = result.fault, fault.isLasting, fault != .encrypted { throw .press(fault) }
      for note in result.notes(on: name) { log.log.warning(.libraryNote, note) }
      try storeOriginal(path, hash, isMove: isMove)
      let location = storedLocation(StoredFiles.name(.originals, hash), shelf ?? Shelf.imported)
      return try row(of: try save(result, at: location).book)
    }
  }

  /// Returns the digest of a file; for a file that is too large to read, that of its beginning.
  private func digest(_ path: String, size: Int) throws(ImportFault) -> [UInt8] {
    if size > Self.sizeMax { return try filed(ContentDigest.ofBeginning(file: path)) }
    return try filed(ContentDigest.of(file: path, limit: Self.sizeMax, stop: isStopped))
  }

  /// Returns the digest of a file; for an unchanged file that was imported before, the stored
  /// digest.
  private func digest(
    _ path: String,
    _ stamp: FileStamp,
    _ progress: (ImportProgress) -> Void
  ) throws(ImportFault) -> [UInt8] {
    let known = try catalogued { try $0.books.digest(of: path, stamp: stamp.number) }
    if let known { return known }
    let hash = try filed(
      ContentDigest.of(file: path, limit: Self.sizeMax, stop: isStopped) {
        progress(.reading(bytes: $0, of: stamp.size))
      }
    )
    guard FileStamp(path) == stamp else { throw .changed(path: path) }
    try written { try $0.books.save(digest: hash, of: path, stamp: stamp.number) }
    return hash
  }

  private func storeOriginal(_ path: String, _ hash: [UInt8], isMove: Bool) throws(ImportFault) {
    guard !files.has(.originals, hash) else { return }
    if isMove { return try filed(files.move(path, as: .originals, hash: hash)) }
    let copied = try filed(files.copy(path, as: .originals) { _ in })
    guard copied == hash else { throw .file(FileFault(path: path, code: EAGAIN).notice) }
  }

  private func importFolder(
    _ path: String,
    name: String,
    shelf: String?
  ) throws(ImportFault) -> Book {
    let root = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    let scan = FolderScan(root: root)
    guard var found = scan.books.first(where: { $0.path == root && $0.images != nil }) else {
      throw .noImages(path: path)
    }
    let read = try folderBook(found)
    found.shelf = shelf ?? Shelf.imported
    let hash = read.book.row.file.hash
    guard read.book.row.pages > 0 else {
      throw .file(read.book.row.failure ?? Notice(.folderEmpty))
    }
    return try busy.with(hash) { () throws(ImportFault) in
      let known = try catalogued { try $0.books.book(source: hash) }
      var result = try cut(read.book, in: root)
      for index in result.pages.indices {
        let page = result.pages[index]
        guard let file = page.file, page.asset == nil else { continue }
        result.pages[index].asset = try filed(files.copy(root + "/" + file, as: .assets) { _ in })
      }
      let base = known ?? newBook(hash, name: name, size: result.row.file.byteSize)
      (result.row.key, result.row.id) = (base.key, base.id)
      (result.row.added, result.row.shape.revision) = (base.added, base.shape.revision)
      let location = storedLocation(FileLocation.storedPath(hash, format: "folder"), found.shelf)
      return try row(of: try save(result, at: location).book)
    }
  }

  /// Records that files may be left over.
  func noteLeftovers() { hasLeftovers.withLock { $0 = true } }

  /// Removes the leftovers of failed imports, unless an import is running.
  ///
  /// On a full disk, leftovers would prevent other imports.
  func tidy(_ clean: () -> Void) {
    guard hasLeftovers.withLock({ $0 }) else { return }
    busy.whileIdle {
      hasLeftovers.withLock { $0 = false }
      clean()
    }
  }

  // MARK: Trying again

  /// Tries a locked or failed book again.
  /// - Throws: ``ImportFault/press(_:)`` if it still cannot be read; the reason is stored.
  func retry(_ book: Book, path: String, password: String) throws(ImportFault) -> Book {
    try busy.with(book.file.hash) { () throws(ImportFault) in
      // A file that has replaced the book's file is another book, and is imported as one.
      let size = FileStamp(path)?.size ?? 0
      let hash = try digest(path, size: size)
      guard hash == book.file.hash else { throw .changed(path: path) }
      guard size <= Self.sizeMax else {
        throw .press(.fileTooLarge(bytes: size, limit: Self.sizeMax))
      }
      let result = try catalogue(path, as: book, password: password)
      if let fault = result.fault {
        if fault != .wrongPassword { _ = try save(result, at: nil) }
        throw .press(fault)
      }
      return try row(of: try save(result, at: nil).book)
    }
  }

  // MARK: Rows

  private func catalogue(
    _ path: String,
    as book: Book,
    password: String,
    progress: (ImportProgress) -> Void = { _ in }
  ) throws(ImportFault) -> CataloguedBook {
    let result: CataloguedBook
    do throws(ImportFault) {
      result = try filed(
        cataloguer.catalogue(path, as: book, password: password, progress: progress)
      )
    } catch {
      hasLeftovers.withLock { $0 = true }
      throw error
    }
    if result.fault != nil { hasLeftovers.withLock { $0 = true } }
    // If a press was killed because the library is closing, that says nothing about the book.
    guard !isStopped.isSet else { throw .stopped }
    return result
  }

  private func storedLocation(_ path: String, _ shelf: String) -> FileLocation {
    FileLocation(path: path, book: 0, shelf: shelf, isStored: true, stamp: 0)
  }

  private func newBook(_ hash: [UInt8], name: String, size: Int) -> Book {
    var row = Book()
    row.id = secret.bookID(of: hash)
    row.file.hash = hash
    row.file.name = name
    row.file.byteSize = size
    row.added = Date().timeIntervalSince1970
    return row
  }

  private func save(
    _ result: CataloguedBook,
    at location: FileLocation?
  ) throws(ImportFault) -> FileLocation {
    try written { rows in
      var row = result.row
      // A book whose content changed keeps its id, so the id derived from a digest may be in use.
      var tries = 0
      while row.key == 0, try rows.books.book(id: row.id) != nil {
        tries += 1
        row.id = secret.bookID(of: row.file.hash + [UInt8(tries)])
      }
      row.key = try rows.books.save(row)
      try rows.pages.replace(of: row.key, with: result.pages, outline: result.outline)
      for (page, content) in result.contents.enumerated() {
        try rows.pages.save(content, page: page, of: row.key)
      }
      var location =
        location ?? FileLocation(path: "", book: 0, shelf: "", isStored: true, stamp: 0)
      location.book = row.key
      if !location.path.isEmpty { try rows.books.put(location) }
      return location
    }
  }

  private func put(
    _ location: FileLocation,
    of book: Book,
    name: String
  ) throws(ImportFault) -> FileLocation {
    try written { rows in
      var location = location
      location.book = book.key
      try rows.books.rename(book, to: name)
      try rows.books.put(location)
      return location
    }
  }

  /// Puts a copy of a known book on a shelf, unless it is on one and no shelf was requested.
  private func shelveCopy(
    of book: Book,
    at shelf: String?,
    name: String
  ) throws(ImportFault) -> Int {
    let path = FileLocation.storedPath(book.file.hash, format: book.format)
    let before = try catalogued { try $0.books.locations(of: book.key) }
    let old = before.first { $0.path == path }
    _ = try put(
      storedLocation(path, shelf ?? old?.shelf ?? Shelf.imported),
      of: book,
      name: before.isEmpty ? name : book.file.name
    )
    return book.key
  }

  private func row(of key: Int) throws(ImportFault) -> Book {
    try catalogued { try $0.books.book(key: key) } ?? Book()
  }
}

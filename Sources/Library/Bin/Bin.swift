internal import Foundation
internal import Glibc
internal import Notices
internal import Telemetry

/// The bin: books that were deleted and can be brought back for 30 days.
///
/// A book in the bin keeps its row, its file and its locations. A file in the library's folder
/// stays there; its book is hidden as long as the file exists, unless the file is deleted with the
/// book.
struct Bin: Sendable {
  /// How long a book stays in the bin, in seconds.
  static let retentionSeconds = 30 * 86_400.0

  let storage: LibraryStorage
  let importer: Importer
  let cache: RenditionCache
  let log: Log

  /// Erases the books that were put into the bin at a time or before; blocks.
  /// - Parameters:
  ///   - time: The time in Unix seconds.
  ///   - id: The id of the only book to erase; nil for all.
  /// - Returns: The number of books.
  /// - Throws: An error of the database.
  @discardableResult
  func erase(putThereBy time: Double, only id: String? = nil) throws(DatabaseError) -> Int {
    let found = try storage.store.read { try $0.books.inBin(since: time) }
    var count = 0
    for (book, deletesFile) in found where id == nil || id == book.id {
      if try erase(book, deletesFile: deletesFile) { count += 1 }
    }
    if count > 0 {
      importer.noteLeftovers()
      importer.tidy { storage.folder.withoutGuests { try? storage.clean() } }
    }
    return count
  }

  /// - Returns: False if the book has a file in the library's folder, which keeps it in the bin.
  private func erase(_ book: Book, deletesFile: Bool) throws(DatabaseError) -> Bool {
    let locations = try storage.store.read { try $0.books.locations(of: book.key) }
    for location in locations where !location.isStored {
      // A file that has changed is another book, and a missing one may come back with its disk.
      guard deletesFile, location.isUnchanged, unlink(location.path) == 0 else { return false }
    }
    let isErased = try storage.store.write { rows in
      // It may have been brought back in the meantime.
      guard try rows.books.book(key: book.key)?.deleted == book.deleted else { return false }
      try rows.books.erase(book.key)
      return true
    }
    guard isErased else { return false }
    cache.removeAll(of: book.id)
    log.info(
      .bookErased,
      "A book in the bin was erased with its file.",
      ["book": .text(book.id), "file": .text(book.file.name)]
    )
    return true
  }
}

// MARK: - The bin of a library

// All of these methods block.
extension BookLibrary {
  /// Returns the books in the bin, the latest first.
  package func binnedBooks() -> [Book] {
    view.binned.compactMap { view.books[$0] }
      .sorted { ($0.deleted ?? 0, $1.id) > ($1.deleted ?? 0, $0.id) }
  }

  /// Puts a book into the bin: it leaves its shelf, and rooms that show it close it.
  ///
  /// It can be brought back for 30 days. A file in the library's folder stays where it is, unless
  /// it is to be deleted when the book is erased.
  /// - Parameters:
  ///   - id: The id of the book.
  ///   - deletesFile: Whether its file in the library's folder is deleted with it.
  /// - Returns: The book in the bin.
  /// - Throws: ``LibraryFault/noSuchBook(_:)``, or ``LibraryFault/notPermitted(_:)`` if its file
  ///   must not be deleted.
  @discardableResult
  package func remove(_ id: String, deletesFile: Bool = false) throws(LibraryFault) -> Book {
    let book = try known(id)
    if deletesFile, book.location?.isStored == false {
      guard mayDeleteFiles else {
        throw .notPermitted(Notice(.keepsFiles))
      }
      guard book.file.format != "folder" else {
        throw .notPermitted(Notice(.keepsFolders))
      }
    }
    // A book that is in the bin already keeps its time.
    let time = book.deleted ?? Date().timeIntervalSince1970
    try writing { try $0.books.putIntoBin(book.key, deletesFile: deletesFile, at: time) }
    log.info(
      .bookDeleted,
      "A book was put into the bin.",
      ["book": .text(id), "file": .text(book.file.name)]
    )
    publishNow()
    return try known(id)
  }

  /// Takes a book out of the bin, back to its shelf.
  ///
  /// A book that is not in the bin stays as it is.
  /// - Returns: The book.
  @discardableResult
  package func restore(_ id: String) throws(LibraryFault) -> Book {
    let key = try known(id).key
    try writing { try $0.books.restoreFromBin(key) }
    publishNow()
    return try known(id)
  }

  /// Erases books in the bin with their files and pictures, which cannot be undone.
  ///
  /// A book whose file in the library's folder stays there is kept in the bin, because it would
  /// come back. In a process that does not own the data folder, the owner removes the files later.
  /// - Parameter id: The id of the only book to erase; nil for all.
  /// - Returns: The number of books that were erased.
  /// - Throws: ``LibraryFault`` if the book is not in the bin, or if the catalogue fails.
  @discardableResult
  package func emptyBin(only id: String? = nil) throws(LibraryFault) -> Int {
    if let id, try known(id).deleted == nil { throw .noSuchBook(id) }
    defer { publishNow() }
    do throws(DatabaseError) { return try bin.erase(putThereBy: .infinity, only: id) } catch {
      throw LibraryFault(error)
    }
  }
}

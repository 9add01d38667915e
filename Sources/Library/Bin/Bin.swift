internal import Foundation
internal import Glibc
internal import Telemetry

/// The bin: books that were deleted and can be brought back for 30 days.
///
/// A book in the bin keeps its row, its file and its places. A file in the library's folder stays
/// there; its book is hidden as long as the file exists, unless the file is deleted with the book.
struct Bin: Sendable {
  /// How long a book stays in the bin, in seconds.
  static let keepSeconds = 30 * 86_400.0

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
    let found = try storage.store.read { (rows) throws(DatabaseError) in
      try rows.booksInBin(since: time)
    }
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
    let places = try storage.store.read { (rows) throws(DatabaseError) in
      try rows.places(of: book.key)
    }
    for place in places where !place.isStored {
      // A file that has changed is another book, and a missing one may come back with its disk.
      guard deletesFile, place.isUnchanged, unlink(place.path) == 0 else { return false }
    }
    let isErased = try storage.store.write { (rows) throws(DatabaseError) in
      // It may have been brought back in the meantime.
      guard try rows.book(key: book.key)?.deleted == book.deleted else { return false }
      try rows.erase(book.key)
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

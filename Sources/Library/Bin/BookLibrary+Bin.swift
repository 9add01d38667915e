internal import Foundation
internal import Notices
internal import Telemetry

// The bin. All of these methods block.
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
    if deletesFile, book.place?.isStored == false {
      guard mayDeleteFiles else {
        throw .notPermitted(Notice(.keepsFiles))
      }
      guard book.file.format != "folder" else {
        throw .notPermitted(Notice(.keepsFolders))
      }
    }
    // A book that is in the bin already keeps its time.
    let time = book.deleted ?? Date().timeIntervalSince1970
    try writing { (rows) throws(DatabaseError) in
      try rows.putIntoBin(book.key, deletesFile: deletesFile, at: time)
    }
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
    try writing { (rows) throws(DatabaseError) in try rows.takeFromBin(key) }
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

internal import Notices

/// Documents whose imported file is no longer in the data folder.
///
/// The catalogue still has everything about such a book, so it can be read again once its file has
/// been imported again.
enum MissingOriginals {
  /// Why such a book cannot be read.
  static let reason = Notice(.importGone)

  /// Returns the books, with those whose file is gone as books that cannot be read.
  ///
  /// Files in the library's folder are watched, and those of a store are fetched when they are
  /// needed, so neither counts. The cost is one system call for each imported document.
  static func marked(
    _ rows: [BookRow],
    _ places: [FilePlace],
    in files: StoredFiles
  ) -> [BookRow] {
    var stored: Set<Int> = []
    for place in places where place.isStored && !place.isShared { stored.insert(place.book) }
    for place in places where !place.isStored || place.isShared { stored.remove(place.book) }
    return rows.map { row in
      guard stored.contains(row.key), row.isReadable, !row.file.isImages,
        !files.has(.originals, row.file.hash)
      else { return row }
      var row = row
      row.status = BookStatus(state: .failed, failure: reason, mayRetry: false)
      return row
    }
  }
}

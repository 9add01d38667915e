/// The differences between a scan of a folder and the catalogue.
struct FolderChanges {
  /// The paths of books that are no longer there.
  var gone: [String] = []
  var moved: [(from: String, to: FoundBook)] = []
  /// Books that are now on another shelf.
  var reshelved: [FoundBook] = []
  /// Books to import.
  var new: [FoundBook] = []
  /// The number of books in each folder that is empty and may only lack its disk.
  var kept: [String: Int] = [:]

  /// Whether the catalogue stays as it is, apart from new books.
  var isEmpty: Bool { gone.isEmpty && moved.isEmpty && reshelved.isEmpty }

  /// The paths at which there is no longer a book.
  var leaving: [String] { gone + moved.map(\.from) }
}

/// The locations of the books in a folder, as the catalogue knows them.
struct FolderLocations {
  private var locations: [String: FileLocation]

  /// Creates the locations of a folder's books; stored copies are not in the folder.
  init(_ known: [FileLocation] = []) {
    locations = [:]
    for location in known where !location.isStored { locations[location.path] = location }
  }

  /// Compares a scan with the catalogue.
  ///
  /// - Complexity: O(n log n) in the number of books.
  /// - Parameters:
  ///   - scan: The scan.
  ///   - doubted: The folders of the scan that are empty, but whose books may still exist.
  ///   - pending: The books that already wait to be imported.
  ///   - wasWritten: Returns whether a book must be read again, although it has its old stamp.
  ///   - secondsLeft: Returns how many seconds to wait for a new book that is being written; nil if
  ///     it is complete.
  /// - Returns: The differences, with all new books that are complete, and how many seconds to wait
  ///   for the next of the others; nil if there are no others.
  func differences(
    from scan: FolderScan,
    doubting doubted: Set<String> = [],
    besides pending: PendingImports,
    wasWritten: (FoundBook) -> Bool = { _ in false },
    secondsLeft: (FoundBook) -> Double?
  ) -> (changes: FolderChanges, wait: Double?) {
    var changes = FolderChanges()
    var missing = Set(locations.keys)
    var wait: Double?
    for book in scan.books {
      missing.remove(book.path)
      let isRewritten = wasWritten(book)
      if let location = locations[book.path], location.stamp == book.stamp, !isRewritten {
        if location.shelf != book.shelf { changes.reshelved.append(book) }
      } else if let seconds = secondsLeft(book) {
        wait = min(wait ?? .infinity, seconds)
      } else if isRewritten || !pending.contains(book) {
        changes.new.append(book)
      }
    }
    let unread = Set(scan.unread)
    missing = missing.filter { Self.folder(of: $0, among: unread) == nil }
    // The stamp contains the inode number: the same inode under another name is a moved file.
    var candidates: [Int: String] = [:]
    for path in missing { if let location = locations[path] { candidates[location.stamp] = path } }
    changes.new.removeAll { book in
      guard let from = candidates.removeValue(forKey: book.stamp) else { return false }
      missing.remove(from)
      changes.moved.append((from, book))
      return true
    }
    for path in missing.sorted() {
      if let folder = Self.folder(of: path, among: doubted) {
        changes.kept[folder, default: 0] += 1
      } else {
        changes.gone.append(path)
      }
    }
    return (changes, wait)
  }

  /// Returns the innermost of some folders that is at a path or contains it; nil if there is none.
  ///
  /// - Complexity: O(length of the path).
  private static func folder(of path: String, among folders: Set<String>) -> String? {
    guard !folders.isEmpty else { return nil }
    var inner = path[...]
    while !inner.isEmpty {
      if folders.contains(String(inner)) { return String(inner) }
      inner = inner.prefix(upTo: inner.lastIndex(of: "/") ?? inner.startIndex)
    }
    return nil
  }

  /// Returns the new locations of the books that changed their location or shelf.
  func locations(after changes: FolderChanges) -> [FileLocation] {
    let reshelved = changes.reshelved.compactMap { book -> FileLocation? in
      guard var location = locations[book.path] else { return nil }
      location.shelf = book.shelf
      return location
    }
    let moved = changes.moved.compactMap { from, book -> FileLocation? in
      guard var location = locations[from] else { return nil }
      (location.path, location.shelf) = (book.path, book.shelf)
      return location
    }
    return reshelved + moved
  }

  /// Records that a book is at a location.
  mutating func put(_ location: FileLocation) { locations[location.path] = location }

  /// Records that there is no longer a book at a path.
  mutating func remove(_ path: String) { locations[path] = nil }
}

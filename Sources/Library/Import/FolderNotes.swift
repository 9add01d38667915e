/// The notes on unusable files in a folder, by the path of the book, and the books that fail.
///
/// The notes on the scan itself have a path that no book has, because the folder itself can be a
/// book.
struct FolderNotes {
  /// The path of the notes on the scan itself.
  static let ofScan = ""

  private var notes: [String: [String]] = [:]
  /// Books whose last import failed; repeated failures are not logged.
  private var failing: Set<String> = []

  /// All notes, ordered by path.
  var all: [String] { notes.keys.sorted().flatMap { notes[$0] ?? [] } }

  /// Replaces the notes on a book or a scan.
  /// - Returns: The notes that are not among the earlier ones.
  mutating func replace(_ notes: [String], of path: String) -> [String] {
    let old = Set(self.notes[path] ?? [])
    self.notes[path] = notes.isEmpty ? nil : notes
    return notes.filter { !old.contains($0) }
  }

  /// Replaces the notes on a book with the reason that its import failed.
  /// - Returns: Whether the previous import did not fail.
  mutating func fail(_ path: String, _ reason: String) -> Bool {
    notes[path] = [reason]
    return failing.insert(path).inserted
  }

  /// Records that the import of a book succeeded.
  mutating func succeed(_ path: String) { failing.remove(path) }

  /// Returns whether the last import of a book failed.
  func isFailing(_ path: String) -> Bool { failing.contains(path) }

  /// Removes the notes on a book that no longer exists.
  mutating func forget(_ path: String) {
    notes[path] = nil
    failing.remove(path)
  }
}

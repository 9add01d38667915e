// The file of the database as a whole.
extension Database {
  /// The columns of each table to back up, ordered by references.
  private static let backedUp = [
    ("book", "*"), ("correction", "*"), ("place", "*"), ("known_file", "*"),
    ("page", "book_id, n, w, h, label, asset_sha256, file, format, fault"), ("outline", "*"),
    ("reader", "*"), ("reading", "*"), ("room", "*"), ("room_key", "*"),
  ]

  /// Creates the tables of an empty file and fills them with what a backup has of a catalogue.
  func fill(from catalogue: String) throws(DatabaseError) {
    try execute("PRAGMA journal_mode=DELETE; PRAGMA synchronous=FULL")
    try run("ATTACH ? AS live", .text(catalogue))
    // Each transaction waits for the disk, so there is only one.
    try transaction { () throws(DatabaseError) in
      for step in Schema.steps { try execute(step) }
      try setVersion(Schema.steps.count)
      for (table, columns) in Self.backedUp {
        let names = columns == "*" ? "" : "(\(columns))"
        try execute("INSERT INTO main.\(table)\(names) SELECT \(columns) FROM live.\(table)")
      }
      try execute("UPDATE main.book SET indexed = 0 WHERE has_text = 1")
    }
    try execute("DETACH live")
  }

  /// The version of the schema; 0 for an empty file.
  func version() throws(DatabaseError) -> Int {
    try first("PRAGMA user_version") { $0.int(0) } ?? 0
  }

  func setVersion(_ version: Int) throws(DatabaseError) {
    try execute("PRAGMA user_version=\(version)")
  }

  /// Returns whether there are books, besides those in a state.
  func hasBooks(beside state: BookState? = nil) throws(DatabaseError) -> Bool {
    try first("SELECT 1 FROM book WHERE state IS NOT ?", SQLValue(state?.rawValue)) { _ in true }
      ?? false
  }

  /// Moves everything from the write-ahead log into the file.
  func checkpoint() throws(DatabaseError) { try execute("PRAGMA wal_checkpoint(TRUNCATE)") }

  /// Checks whether the file is intact.
  func check() throws(DatabaseError) {
    let answer = try first("PRAGMA quick_check(1)") { $0.text(0) }
    guard answer != "ok" else { return }
    throw DatabaseError(code: 11, message: answer ?? "no answer", subject: "PRAGMA quick_check")
  }
}

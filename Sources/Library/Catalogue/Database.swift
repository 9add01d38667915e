internal import CSQLite
internal import Glibc

/// One connection to the database, which prepares its statements once and keeps them.
///
/// Must not be used by two threads at once; ``Store`` ensures this.
final class Database {
  private let handle: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]
  /// The number of rows that queries have returned so far.
  private(set) var rowsRead = 0
  /// The maximum number of kept statements.
  ///
  /// A statement in use is not among them, so it keeps its handle until all rows are read.
  private static let statementsMax = 128

  /// Opens a database; for writing, creates it if it is missing.
  init(path: String, isReader: Bool) throws(DatabaseError) {
    var opened: OpaquePointer?
    let flags = isReader ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    let code = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let opened else {
      let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "no memory"
      sqlite3_close_v2(opened)
      throw DatabaseError(code: code, message: message, subject: path)
    }
    handle = opened
    sqlite3_busy_timeout(handle, 5000)
    try execute("PRAGMA foreign_keys=ON")
    if !isReader { try execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL") }
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  /// The number of rows that the last statement changed, added or removed.
  var changes: Int { Int(sqlite3_changes(handle)) }

  /// The key of the row that was added last.
  var lastKey: Int { Int(sqlite3_last_insert_rowid(handle)) }

  /// Executes statements without values and ignores their rows.
  func execute(_ sql: String) throws(DatabaseError) {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw fault(sql) }
  }

  /// Executes a statement for its effect.
  func run(_ sql: SQL) throws(DatabaseError) { _ = try rows(sql) { _ in () } }

  /// Returns the first row of a query, or `nil` if there is none.
  func first<T>(_ sql: SQL, read: (Row) -> T) throws(DatabaseError) -> T? {
    try rows(sql, limit: 1, read: read).first
  }

  /// Returns whether a query has a row.
  func has(_ sql: SQL) throws(DatabaseError) -> Bool { try first(sql) { _ in () } != nil }

  /// Returns the rows of a query, up to a limit.
  func rows<T>(_ sql: SQL, limit: Int = .max, read: (Row) -> T) throws(DatabaseError) -> [T] {
    let statement = try prepared(sql.text)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
      statements[sql.text] = statement
    }
    for (index, value) in sql.values.enumerated() {
      // A parameter that is not bound is NULL.
      guard value?.bind(to: statement, at: Int32(index + 1)) ?? SQLITE_OK == SQLITE_OK else {
        throw fault(sql.text)
      }
    }
    var found: [T] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        rowsRead += 1
        found.append(read(Row(statement: statement)))
        if found.count >= limit { return found }
      case SQLITE_DONE: return found
      default: throw fault(sql.text)
      }
    }
  }

  /// Runs a closure in a transaction, which is rolled back if it throws.
  func transaction<T>(_ work: () throws -> T) throws(DatabaseError) -> T {
    try execute("BEGIN IMMEDIATE")
    do {
      let result = try work()
      try execute("COMMIT")
      return result
    } catch {
      // Some failures have already ended the transaction; then this fails, which does not matter.
      sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
      throw DatabaseError(error)
    }
  }

  /// Returns a prepared statement, which is removed from the collection while it is in use.
  private func prepared(_ sql: String) throws(DatabaseError) -> OpaquePointer {
    if let statement = statements.removeValue(forKey: sql) { return statement }
    if statements.count >= Self.statementsMax {
      for statement in statements.values { sqlite3_finalize(statement) }
      statements = [:]
    }
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
      throw fault(sql)
    }
    return statement
  }

  private func fault(_ subject: String) -> DatabaseError {
    DatabaseError(
      code: sqlite3_extended_errcode(handle),
      message: String(cString: sqlite3_errmsg(handle)),
      subject: subject
    )
  }

  var books: BookTable { BookTable(database: self) }
  var pages: PageTable { PageTable(database: self) }
  var readers: ReaderTable { ReaderTable(database: self) }
  var rooms: RoomTable { RoomTable(database: self) }
  /// The changes that wait to be published.
  var outgoing: OutgoingTable { OutgoingTable(database: self) }

  // MARK: The file as a whole

  /// The columns of each table to back up, ordered by references.
  private static let backedUp = [
    ("book", "*"), ("correction", "*"), ("place", "*"), ("known_file", "*"),
    ("page", "book_id, n, w, h, label, asset_sha256, file, format, fault"), ("outline", "*"),
    ("reader", "*"), ("reading", "*"), ("room", "*"), ("room_key", "*"),
  ]

  /// Creates the tables of an empty file and fills them with what a backup has of a catalogue.
  func fill(from catalogue: String) throws(DatabaseError) {
    try execute("PRAGMA journal_mode=DELETE; PRAGMA synchronous=FULL")
    try run("ATTACH \(catalogue) AS live")
    // Each transaction waits for the disk, so there is only one.
    try transaction {
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

  /// Copies the whole database, as it is now, to a new file that only this user can read.
  ///
  /// Others may use the database meanwhile.
  func copy(to path: String) throws(DatabaseError) {
    close(open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
    let target = try Database(path: path, isReader: false)
    guard let backup = sqlite3_backup_init(target.handle, "main", handle, "main") else {
      throw target.fault(path)
    }
    let code = sqlite3_backup_step(backup, -1)
    sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE else { throw target.fault(path) }
    try target.execute("PRAGMA journal_mode=DELETE")
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
    try has("SELECT 1 FROM book WHERE state IS NOT \(state?.rawValue)")
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

/// The current row of a query; valid until the next row is read.
struct Row {
  fileprivate let statement: OpaquePointer

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
  func int(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }
  func real(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }
  func bool(_ column: Int32) -> Bool { int(column) != 0 }

  /// Returns a text, truncated to a limit in bytes.
  func text(_ column: Int32, limit: Int = .max) -> String {
    guard let bytes = sqlite3_column_text(statement, column) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, column))
    let all = UnsafeBufferPointer(start: bytes, count: count)
    guard count > limit else { return String(decoding: all, as: UTF8.self) }
    return TextLimits.whole(all.prefix(max(0, limit - 3))) + "…"
  }

  func blob(_ column: Int32) -> [UInt8] {
    guard let bytes = sqlite3_column_blob(statement, column) else { return [] }
    let count = Int(sqlite3_column_bytes(statement, column))
    return Array(UnsafeRawBufferPointer(start: bytes, count: count))
  }

  func optionalText(_ column: Int32, limit: Int = .max) -> String? {
    isNull(column) ? nil : text(column, limit: limit)
  }
  func optionalInt(_ column: Int32) -> Int? { isNull(column) ? nil : int(column) }
  func optionalBool(_ column: Int32) -> Bool? { isNull(column) ? nil : bool(column) }
  func optionalReal(_ column: Int32) -> Double? { isNull(column) ? nil : real(column) }
  func optionalBlob(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : blob(column) }
}

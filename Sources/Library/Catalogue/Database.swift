internal import CSQLite

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
  func run(_ sql: String, _ values: SQLValue...) throws(DatabaseError) { try run(sql, values) }

  func run(_ sql: String, _ values: [SQLValue]) throws(DatabaseError) {
    _ = try rows(sql, values) { _ in () }
  }

  /// Returns the first row of a query, or `nil` if there is none.
  func first<T>(_ sql: String, _ values: SQLValue..., read: (Row) -> T) throws(DatabaseError) -> T?
  {
    try rows(sql, values, limit: 1, read: read).first
  }

  /// Returns the rows of a query.
  func rows<T>(
    _ sql: String,
    _ values: SQLValue...,
    read: (Row) -> T
  ) throws(DatabaseError) -> [T] {
    try rows(sql, values, read: read)
  }

  /// Returns the rows of a query, up to a limit.
  func rows<T>(
    _ sql: String,
    _ values: [SQLValue],
    limit: Int = .max,
    read: (Row) -> T
  ) throws(DatabaseError) -> [T] {
    let statement = try prepared(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
      statements[sql] = statement
    }
    for (index, value) in values.enumerated() {
      guard bind(value, at: Int32(index + 1), of: statement) == SQLITE_OK else { throw fault(sql) }
    }
    var found: [T] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        rowsRead += 1
        found.append(read(Row(statement: statement)))
        if found.count >= limit { return found }
      case SQLITE_DONE: return found
      default: throw fault(sql)
      }
    }
  }

  /// Runs a closure in a transaction, which is rolled back if it throws.
  func transaction<T>(_ work: () throws(DatabaseError) -> T) throws(DatabaseError) -> T {
    try execute("BEGIN IMMEDIATE")
    do {
      let result = try work()
      try execute("COMMIT")
      return result
    } catch {
      // Some failures have already ended the transaction; then this fails, which does not matter.
      sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
      throw error
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

  private func bind(_ value: SQLValue, at index: Int32, of statement: OpaquePointer) -> Int32 {
    switch value {
    case .null: sqlite3_bind_null(statement, index)
    case .integer(let number): sqlite3_bind_int64(statement, index, Int64(number))
    case .real(let number): sqlite3_bind_double(statement, index, number)
    case .text(var text):
      text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          // An empty array has no address, and SQLite treats a null address as NULL.
          sqlite3_bind_text64(
            statement,
            index,
            $0.baseAddress ?? Self.nothing,
            UInt64($0.count),
            lectern_sqlite_transient(),
            UInt8(SQLITE_UTF8)
          )
        }
      }
    case .blob(let bytes):
      bytes.withUnsafeBytes {
        $0.isEmpty
          ? sqlite3_bind_zeroblob(statement, index, 0)
          : sqlite3_bind_blob64(
            statement,
            index,
            $0.baseAddress,
            UInt64($0.count),
            lectern_sqlite_transient()
          )
      }
    }
  }

  private static var nothing: UnsafePointer<CChar> {
    UnsafeRawPointer(StaticString("").utf8Start).assumingMemoryBound(to: CChar.self)
  }

  private func fault(_ subject: String) -> DatabaseError {
    DatabaseError(
      code: sqlite3_extended_errcode(handle),
      message: String(cString: sqlite3_errmsg(handle)),
      subject: subject
    )
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

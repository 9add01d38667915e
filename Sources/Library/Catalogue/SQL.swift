internal import CSQLite

/// A statement, whose interpolated values are bound to it.
///
/// ```swift
/// try database.run("DELETE FROM room WHERE name = \(name)")
/// ```
struct SQL: ExpressibleByStringInterpolation {
  /// The text, with a question mark for each value.
  private(set) var text: String
  /// The values; nil stands for NULL.
  private(set) var values: [(any SQLValue)?] = []

  init(stringLiteral value: String) { text = value }

  init(stringInterpolation parts: StringInterpolation) {
    (text, values) = (parts.sql.text, parts.sql.values)
  }

  static func += (statement: inout SQL, part: SQL) {
    statement.text += part.text
    statement.values += part.values
  }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var sql: SQL = ""

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ text: String) { sql.text += text }

    /// Binds a value.
    mutating func appendInterpolation(_ value: (any SQLValue)?) {
      sql.text += "?"
      sql.values.append(value)
    }

    /// Inserts text of the source as it is, such as the name of a column.
    mutating func appendInterpolation(raw text: StaticString) { sql.text += text.description }

    /// Inserts a part of a statement with its values.
    mutating func appendInterpolation(_ part: SQL) { sql += part }

    /// Inserts parts with commas between them.
    mutating func appendInterpolation(list parts: [SQL]) {
      for (index, part) in parts.enumerated() {
        if index > 0 { sql.text += ", " }
        sql += part
      }
    }
  }
}

/// A value that can be bound to a statement.
protocol SQLValue {
  /// Binds the value to a parameter and returns SQLite's result code.
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32
}

extension Int: SQLValue {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    sqlite3_bind_int64(statement, index, Int64(self))
  }
}

extension Bool: SQLValue {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    sqlite3_bind_int64(statement, index, self ? 1 : 0)
  }
}

extension Double: SQLValue {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    sqlite3_bind_double(statement, index, self)
  }
}

extension String: SQLValue {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    var text = self
    let (copied, coding) = (lectern_sqlite_transient(), UInt8(SQLITE_UTF8))
    return text.withUTF8 { bytes in
      // An empty text has no address, and SQLite treats a null address as NULL.
      guard let start = bytes.baseAddress, !bytes.isEmpty else {
        return sqlite3_bind_text64(statement, index, "", 0, copied, coding)
      }
      return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
        sqlite3_bind_text64(statement, index, $0, UInt64(bytes.count), copied, coding)
      }
    }
  }
}

extension [UInt8]: SQLValue {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    guard !isEmpty else { return sqlite3_bind_zeroblob(statement, index, 0) }
    return withUnsafeBytes {
      let (start, count) = ($0.baseAddress, UInt64($0.count))
      return sqlite3_bind_blob64(statement, index, start, count, lectern_sqlite_transient())
    }
  }
}

extension RawRepresentable where Self: SQLValue, RawValue: SQLValue {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    rawValue.bind(to: statement, at: index)
  }
}

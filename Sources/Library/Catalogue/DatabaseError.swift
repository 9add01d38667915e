internal import CSQLite
package import Notices

/// A failure of the database, with the statement and the message of SQLite.
package struct DatabaseError: NoticeError, Equatable {
  /// SQLite's result code; see <https://sqlite.org/rescode.html>.
  package var code: Int32
  /// The message of SQLite.
  package var message: String
  /// The statement, or the path if there is none.
  package var subject: String

  /// Whether the disk is full.
  var isFull: Bool { code & 0xFF == SQLITE_FULL }

  /// Whether the file itself is the cause, and not the disk, permissions or memory: it is not a
  /// database, is malformed, or lacks a table.
  var isDamage: Bool { [SQLITE_ERROR, SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xFF) }

  /// What is wrong and what to do.
  package var notice: Notice {
    Notice(
      .catalogueFailed,
      ["reason": message, "number": "\(Int(code))", "subject": subject]
    )
  }
}

extension DatabaseError {
  /// Takes over the error of a closure that works with the database.
  ///
  /// Closures do not declare their errors, which are of this type.
  init(_ error: any Error) {
    self = error as? Self ?? Self(code: SQLITE_ERROR, message: "\(error)", subject: "a closure")
  }
}

package import Notices

/// A failure of the database, with the statement and the message of SQLite.
package struct DatabaseError: NoticeError, Equatable {
  /// SQLite's result code; see <https://sqlite.org/rescode.html>.
  package var code: Int32
  /// The message of SQLite.
  package var message: String
  /// The statement, or the path if there is none.
  package var subject: String

  /// Whether the disk is full (SQLITE_FULL).
  var isFull: Bool { code & 0xFF == 13 }

  /// Whether the file itself is the cause, and not the disk, permissions or memory: it is not a
  /// database, is malformed, or lacks a table.
  var isDamage: Bool { [1, 11, 26].contains(code & 0xFF) }

  /// What is wrong and what to do.
  package var notice: Notice {
    Notice(
      .catalogueFailed,
      ["reason": message, "number": "\(Int(code))", "subject": subject]
    )
  }
}

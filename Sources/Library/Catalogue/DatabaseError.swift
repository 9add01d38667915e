/// A failure of the database: which statement, and SQLite's own words.
public struct DatabaseError: Error, Equatable, CustomStringConvertible {
  /// SQLite's result code; see <https://sqlite.org/rescode.html>.
  public var code: Int32
  /// What SQLite says.
  public var message: String
  /// The statement, or the path where there is none.
  public var subject: String

  /// Whether the disk has no room (SQLITE_FULL).
  var isFull: Bool { code & 0xFF == 13 }

  /// Whether the file itself is at fault, and not the disk, the rights or the memory: it is no
  /// database, is malformed, or lacks a table.
  var isDamage: Bool { [1, 11, 26].contains(code & 0xFF) }

  /// What was wrong and what to do, for a person.
  public var description: String {
    "The catalogue failed: \(message) (code \(code)), at: \(subject). "
      + "Check that the data folder can be written and has room, then try again."
  }
}

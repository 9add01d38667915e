/// A failure of the database: which statement, and SQLite's own words.
public struct DatabaseError: Error, Equatable, CustomStringConvertible {
  /// SQLite's result code; see <https://sqlite.org/rescode.html>.
  public var code: Int32
  /// What SQLite says.
  public var message: String
  /// The statement, or the path where there is none.
  public var subject: String

  /// What was wrong and what to do, for a person.
  public var description: String {
    "The catalogue failed: \(message) (code \(code)), at: \(subject). "
      + "Check that the data folder can be written and has room, then try again."
  }
}

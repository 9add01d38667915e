/// A question about rooms that HTTP asks; the answer is yes or no.
///
/// A *pass* is the secret that opens to a member, over HTTP, what its room shows it.
public enum HostQuestion: Equatable, Sendable {
  /// Whether a pass belongs to a member of any room.
  case isPass(String)
  /// Whether a pass opens a book.
  case opensBook(String, pass: String)
  /// Whether a pass opens the drawing of a collection's ledge, which names all its books.
  case opensCollection(String, pass: String)
  /// Whether any room has a book open at a page, or is turning to it.
  case shows(page: Int, book: String)
}

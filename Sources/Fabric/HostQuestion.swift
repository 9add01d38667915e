/// A question about rooms that must be answered to serve an HTTP request; the answer is yes or no.
///
/// A *pass* is a secret that a member gets from its room. HTTP requests that contain it may read
/// the books that the room shows to this member.
package enum HostQuestion: Equatable, Sendable {
  /// Whether a pass belongs to a member of any room.
  case isPass(String)
  /// Whether a pass opens a book.
  case opensBook(String, pass: String)
  /// Whether a pass opens the drawing of a collection's ledge, which names all its books.
  case opensCollection(String, pass: String)
  /// Whether any room has a book open at a page, or is turning to it.
  case shows(page: Int, book: String)
}

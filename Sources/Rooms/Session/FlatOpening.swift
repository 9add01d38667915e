internal import Scene
internal import Staging

/// Decides which books a session lays flat when they open.
struct FlatOpening: Sendable {
  /// Whether the book that opens next is laid flat, for the window of the member who opens it.
  var isWanted = false
  /// The books that were open in the session.
  private var opened: Set<String> = []

  /// Notes that a book is open, and returns whether it is to be laid flat.
  mutating func takes(_ book: CatalogueBook, from stage: Stage) -> Bool {
    let isFirst = opened.insert(book.id).inserted && !stage.hasBookmark(in: book.id)
    guard isWanted || book.opensFlat && isFirst, !stage.isFlat else { return false }
    isWanted = false
    return true
  }
}

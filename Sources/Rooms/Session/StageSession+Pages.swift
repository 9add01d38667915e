internal import Scene
internal import Staging

/// Pages of the file, as messages name them; the stage knows the faces of leaves.
extension StageSession {
  /// The book that is open before the readers; nil if there is none.
  var openEntry: CatalogueBook? {
    guard stage.openBook != nil else { return nil }
    return selection.shown.book(at: Stage.Place(collection: stage.collection, book: stage.book))
  }

  /// The pages that the open spread shows.
  var openPages: [Int] { openEntry?.pages(ofSpread: stage.spread) ?? [] }

  /// The way to a page of the file as the way to its face; of a book that is not here as it was.
  func faced(_ input: Input) -> Input {
    guard case .go(let id, let opens, let page?) = input, let book = entry(of: id) else {
      return input
    }
    return .go(book: id, opens: opens, page: book.face(ofPage: page))
  }

  /// Whether an input leads to a book that is not here.
  func leadsBeyond(_ input: Input) -> Bool {
    guard case .go(let id, _, _) = input else { return false }
    return entry(of: id) == nil
  }

  /// A book by its id.
  func entry(of id: String) -> CatalogueBook? { selection.shown.book(named: id) }
}

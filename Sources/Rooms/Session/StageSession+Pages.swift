internal import Scene
internal import Staging

/// Pages of the file, as messages name them; the stage uses the faces of leaves.
extension StageSession {
  /// The book that is open; nil if there is none.
  var openEntry: CatalogueBook? {
    guard stage.openBook != nil else { return nil }
    return selection.shown.book(at: Stage.Place(collection: stage.collection, book: stage.book))
  }

  /// What is on the two sides of the open spread.
  var openSides: FitPlan.Pages {
    guard let book = openEntry else { return FitPlan.Pages() }
    let first = book.page(ofFace: 2 * stage.spread + 1)
    let second = book.page(ofFace: 2 * stage.spread + 2)
    return FitPlan.Pages(
      hasFirst: first != nil,
      hasSecond: second != nil,
      isWide: first != nil && first == second
    )
  }

  /// Converts the page of an input from the file's page to its face; a book that is not here stays
  /// as is.
  func faced(_ input: Input) -> Input {
    guard case .go(let id, let opens, let page?) = input, let book = entry(of: id) else {
      return input
    }
    return .go(book: id, opens: opens, page: book.face(ofPage: page))
  }

  /// Whether an input goes to a book that is not here.
  func leadsBeyond(_ input: Input) -> Bool {
    guard case .go(let id, _, _) = input else { return false }
    return entry(of: id) == nil
  }

  /// Returns the book with an id; nil if it is not here.
  func entry(of id: String) -> CatalogueBook? { selection.shown.book(named: id) }
}

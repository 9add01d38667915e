internal import Scene
internal import Staging

/// The book that a stage has open. Messages name pages of the file; the stage uses the faces of
/// leaves.
extension ShownLibrary {
  /// Returns the book that a stage has open; nil if there is none.
  func openBook(on stage: Stage) -> CatalogueBook? {
    guard stage.openBook != nil else { return nil }
    return book(at: Stage.Place(collection: stage.collection, book: stage.book))
  }

  /// Returns what is on the two sides of the open spread.
  func openSides(on stage: Stage) -> FitPlan.Pages {
    guard let book = openBook(on: stage) else { return FitPlan.Pages() }
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
    guard case .go(let id, let opens, let page?) = input, let book = book(named: id) else {
      return input
    }
    return .go(book: id, opens: opens, page: book.face(ofPage: page))
  }

  /// Whether an input goes to a book that is not here.
  func lacksTarget(of input: Input) -> Bool {
    guard case .go(let id, _, _) = input else { return false }
    return book(named: id) == nil
  }
}

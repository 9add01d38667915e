internal import Scene

/// Measures the time that opening a book takes on the thread that sends frames, in a small and in a
/// large library.
enum OpeningCost {
  private static let turns = 60

  static func report() {
    let small = Presenter(Books.library(shelves: 1, books: 10))
    let large = Presenter(Books.library(shelves: 100, books: 100))
    for presenter in [small, large] { presenter.enterShelf() }
    var costs: (small: [Double], large: [Double]) = ([], [])
    // The two libraries alternate, so that other load of the machine affects both.
    for turn in 1...turns {
      costs.small.append(seconds(small, turn, Books.library(shelves: 1, books: 10)))
      costs.large.append(seconds(large, turn, Books.library(shelves: 100, books: 100)))
    }
    let ratio = costs.large.median / costs.small.median
    Table.row(
      "opening a book, 10,000 books against 10: time on the frame thread",
      asked: "<= 1.2x",
      "\(Table.number(ratio, 2))x (\(Table.number(costs.large.median * 1e6, 0)) us against "
        + "\(Table.number(costs.small.median * 1e6, 0)) us, medians of \(turns))"
    )
  }

  /// Returns the time, in seconds, to open a book, to close it, and to apply the library in which
  /// it was read last.
  private static func seconds(_ presenter: Presenter, _ turn: Int, _ library: Catalogue) -> Double {
    var library = library
    library.collections[0].books[0].lastRead = Double(turn)
    presenter.forget()
    presenter.replace(library)
    let replacing = presenter.spent
    // The server computes libraries on another thread; here that computation has emptied the
    // caches.
    presenter.openBook()
    presenter.closeBook()
    presenter.forget()
    presenter.openBook()
    presenter.closeBook()
    return replacing + presenter.spent
  }
}

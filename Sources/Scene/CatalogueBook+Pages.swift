// The pages that are read on the faces and spreads of the bound book.
extension CatalogueBook {
  /// The number of pages.
  public var pageCount: Int { imposition.pageCount }

  /// The labels of all pages, in order.
  public var allLabels: [String] { (0..<pageCount).map { labels[$0] } }

  /// Returns the first face of a page; for a page that does not exist, that of the nearest page.
  public func face(ofPage page: Int) -> Int { imposition.face(ofPage: page) }

  /// Returns the page of a face; nil for a cover that repeats inside, for its inside and for blank
  /// paper.
  public func page(ofFace face: Int) -> Int? { imposition.page(ofFace: face) }

  /// The number of spreads; at least 1.
  public var spreadCount: Int { max(1, pageURLs.count / 2) }

  /// Returns the pages of an open spread, in order; at most two.
  public func pages(ofSpread spread: Int) -> [Int] {
    let spread = min(max(spread, 0), spreadCount - 1)
    let (first, second) = (page(ofFace: 2 * spread + 1), page(ofFace: 2 * spread + 2))
    // A wide page is on both faces.
    return first == second ? [first].compactMap { $0 } : [first, second].compactMap { $0 }
  }
}

// Pages and faces. A page is a page of the file, counted from 0. A face is a side of a leaf of the
// bound book: the cover first, then two faces per spread. Pages and faces are the same if the first
// page is only the cover.
extension CatalogueBook {
  /// The number of faces before the first page of a book whose first page is also read inside: the
  /// cover and the blank inside of the cover.
  public static let insideLead = 2

  /// The number of pages.
  public var pageCount: Int { max(pageURLs.count - lead, 0) }

  /// Returns the face of a page; for a page that does not exist, that of the nearest page.
  public func face(ofPage page: Int) -> Int {
    min(max(page, 0), max(pageCount - 1, 0)) + lead
  }

  /// Returns the page of a face; nil for a cover that repeats inside, for its inside and for blank
  /// paper at the end.
  public func page(ofFace face: Int) -> Int? {
    face >= lead && face < pageURLs.count ? face - lead : nil
  }

  /// The number of spreads; at least 1.
  public var spreadCount: Int { max(1, pageURLs.count / 2) }

  /// Returns the pages of an open spread, in order; at most two.
  public func pages(ofSpread spread: Int) -> [Int] {
    let spread = min(max(spread, 0), spreadCount - 1)
    return (2 * spread + 1...2 * spread + 2).compactMap { page(ofFace: $0) }
  }
}

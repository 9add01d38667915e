// Pages and faces. A page is one of the file's, counted from 0. A face is a side of a leaf as the
// book is bound: the cover first, then two to each spread. They are the same where the first page
// is the cover and nothing else.
extension CatalogueBook {
  /// The faces before the first page of a book whose first page is also read inside: its cover and
  /// the empty inside of that.
  public static let insideLead = 2

  /// How many pages there are.
  public var pageCount: Int { max(pageURLs.count - lead, 0) }

  /// The face on which a page is read; of one that is not there the nearest.
  public func face(ofPage page: Int) -> Int {
    min(max(page, 0), max(pageCount - 1, 0)) + lead
  }

  /// The page that is read on a face; nil for a cover that is shown again inside, for its inside
  /// and for the blank paper at the end.
  public func page(ofFace face: Int) -> Int? {
    face >= lead && face < pageURLs.count ? face - lead : nil
  }

  /// How many spreads the book opens at; at least 1.
  public var spreadCount: Int { max(1, pageURLs.count / 2) }

  /// The pages that an open spread shows, in order: two at most.
  public func pages(ofSpread spread: Int) -> [Int] {
    let spread = min(max(spread, 0), spreadCount - 1)
    return (2 * spread + 1...2 * spread + 2).compactMap { page(ofFace: $0) }
  }
}

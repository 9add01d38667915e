/// The pages of an open spread, as readers call them; without labels, the inside of the cover.
package struct PageRange: Equatable, Sendable {
  /// The labels of the pages, in order.
  package var labels: [String]
  /// The label of the last page; empty if it does not say how many pages there are.
  package var total: String

  /// Creates a range.
  package init(labels: [String] = [], total: String = "") {
    self.labels = labels
    self.total = total
  }

  /// Creates the range of a spread of a book.
  package init(spread: Int, of book: CatalogueBook) {
    self.init(pages: book.pages(ofSpread: spread), of: book)
  }

  /// Creates the range of the page that is printed on a face of a book.
  package init(face: Int, of book: CatalogueBook) {
    self.init(pages: book.page(ofFace: face).map { [$0] } ?? [], of: book)
  }

  private init(pages: [Int], of book: CatalogueBook) {
    self.init(labels: pages.map { book.labels[$0] })
    guard !labels.isEmpty else { return }
    let last = book.labels[book.pageCount - 1]
    // A last page with the label "B-7" does not say how many there are.
    if last.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { total = last }
  }

  /// The English name of the pages, such as "Pages 4–5", for programs without names of their own.
  package var name: String {
    guard !labels.isEmpty else { return "The inside of the cover" }
    return (labels.count == 1 ? "Page " : "Pages ") + labels.joined(separator: "–")
  }
}

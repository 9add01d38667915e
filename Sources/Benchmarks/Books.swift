internal import Motion
internal import Scene
internal import Staging
internal import Wire

/// Books for measurements.
enum Books {
  static let pageSize = Size(width: 362, height: 568)

  static func catalogue(pages: Int, stock: PaperStock = .board) -> Catalogue {
    let urls = (0..<pages).map { "/books/0/0/\($0)?v=0123456789" }
    let book = CatalogueBook(
      title: "A book",
      author: "Nobody",
      pageURLs: urls,
      pageSize: pageSize,
      progression: .leftToRight,
      stock: stock
    )
    return Catalogue(
      collections: [
        CatalogueCollection(
          title: "Books",
          ledgeURL: "/ledges/0.svg",
          books: Array(repeating: book, count: 5)
        )
      ])
  }

  /// Returns a library of shelves with as many books each.
  static func library(shelves: Int, books: Int) -> Catalogue {
    Catalogue(
      collections: (0..<shelves).map { shelf in
        CatalogueCollection(
          id: "\(shelf)",
          title: "Shelf \(shelf)",
          ledgeURL: "/ledges/\(shelf).svg",
          books: (0..<books).map { book in
            CatalogueBook(
              id: "\(shelf)/\(book)",
              title: "Book \(book)",
              author: "Nobody",
              pageURLs: (0..<20).map { "/b/\(shelf)/\(book)/p/\($0)" },
              pageSize: pageSize,
              progression: .leftToRight
            )
          }
        )
      }
    )
  }

  /// Returns a stage with an open book in its middle.
  static func openStage(pages: Int, stock: PaperStock = .board) -> Stage {
    var stage = Stage(library: catalogue(pages: pages, stock: stock).outline, start: .book)
    let middle = pages / 4
    for _ in 0..<middle { stage.apply(.key(.arrowRight), at: 0) }
    return stage
  }

  /// Returns an arbitrary element for a key: content is sent once, not with frames.
  static func element(for key: ElementKey) -> Element {
    Element(
      key: key,
      index: key.page,
      size: pageSize,
      side: .right,
      stock: .paper,
      cornerRadius: 20,
      imageURL: "",
      title: ""
    )
  }
}

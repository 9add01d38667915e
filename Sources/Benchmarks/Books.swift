internal import Geometry
internal import Scene
internal import Staging
internal import Wire

/// Books for measurements.
enum Books {
  static let pageSize = Size(width: 362, height: 568)

  static func catalogue(pages: Int) -> Catalogue {
    let urls = (0..<pages).map { "/books/0/0/\($0)?v=0123456789" }
    let book = CatalogueBook(
      title: "A book",
      author: "Nobody",
      pageURLs: urls,
      pageSize: pageSize,
      progression: .leftToRight
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

  /// Returns a stage with an open book in its middle.
  static func openStage(pages: Int) -> Stage {
    var stage = Stage(library: catalogue(pages: pages).outline, start: .book)
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
      cornerRadius: 20,
      imageURL: "",
      title: "",
      subtitle: ""
    )
  }
}

internal import Geometry
internal import Scene

/// One page's file.
struct PageFile: Equatable, Sendable {
  var path: String
  var format: ImageFormat
  /// Changes when the file does.
  var tag: String
}

/// A book as it was found on disk.
struct ShelvedBook: Equatable, Sendable {
  var title: String
  var author: String
  var progression: Progression
  var pageSize: Size
  /// The pages in order; `nil` where a file cannot be shown and blank paper keeps its place.
  var pages: [PageFile?]
  var spine: Spine

  func entry(collection: Int, book: Int) -> CatalogueBook {
    CatalogueBook(
      title: title,
      author: author,
      pageURLs: pages.indices.map { page in
        pages[page].map { "/books/\(collection)/\(book)/\(page)?v=\($0.tag)" } ?? ""
      },
      pageSize: pageSize,
      progression: progression
    )
  }
}

/// A collection as it was found on disk; it holds at least one book.
struct ShelvedCollection: Equatable, Sendable {
  var title: String
  var books: [ShelvedBook]
}

internal import Foundation
public import Scene

/// The books in a folder, read once and then constant.
///
/// A collection is a folder of books, a book a folder of images in natural order, the first of
/// which is its front cover; a folder that holds books directly is one collection by itself.
/// What could not be used is told in ``notes``, and never hinders the rest.
public struct FolderLibrary: Equatable, Sendable {
  /// What is shown: titles, addresses, shapes.
  public let catalogue: Catalogue

  /// What was left out or put right, each naming the file, what was wrong and what to do.
  public let notes: [String]

  private let files: [[[PageFile?]]]
  private let ledges: [String]

  /// Reads the books below a folder.
  /// - Parameter directory: The path of the folder.
  /// - Returns: The library, with at least one book.
  /// - Throws: ``LibraryError`` where the folder cannot be read or holds no book at all.
  public static func open(directory: String) throws(LibraryError) -> FolderLibrary {
    var shelving = Shelving(root: directory)
    let collections = try shelving.collections()
    guard !collections.isEmpty else { throw .empty(path: directory, notes: shelving.notes) }
    return FolderLibrary(collections: collections, notes: shelving.notes)
  }

  private init(collections: [ShelvedCollection], notes: [String]) {
    self.notes = notes
    files = collections.map { $0.books.map(\.pages) }
    let ledges = collections.map { LedgeDrawing(books: $0.books.map(\.spine)).svg }
    self.ledges = ledges
    catalogue = Catalogue(
      collections: collections.indices.map { c in
        CatalogueCollection(
          title: collections[c].title,
          ledgeURL: "/ledges/\(c).svg?v=\(ContentTag.tag(ledges[c].utf8))",
          books: collections[c].books.indices.map { b in
            collections[c].books[b].entry(collection: c, book: b)
          }
        )
      }
    )
  }

  /// Finds the file behind the address of a page.
  /// - Returns: The file's path and its content type, or `nil` where there is no such page or
  ///   where its place is held by blank paper.
  public func file(collection: Int, book: Int, page: Int) -> (path: String, contentType: String)? {
    guard files.indices.contains(collection), files[collection].indices.contains(book),
      files[collection][book].indices.contains(page),
      let file = files[collection][book][page]
    else { return nil }
    return (file.path, file.format.contentType)
  }

  /// The drawing of a collection's ledge, an SVG document; `nil` where there is no such collection.
  public func ledge(collection: Int) -> String? {
    ledges.indices.contains(collection) ? ledges[collection] : nil
  }
}

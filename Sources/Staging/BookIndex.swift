/// Where a book is in the library.
package struct BookIndex: Hashable, Sendable {
  /// The index of the collection in the list.
  package var collection: Int
  /// The index of the book on its shelf.
  package var book: Int

  /// Creates an index.
  package init(collection: Int, book: Int) { (self.collection, self.book) = (collection, book) }
}

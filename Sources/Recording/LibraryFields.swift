internal import Foundation
internal import Motion
internal import Scene

/// The outline of a library as JSON, which is a list of collections, each with its id and its
/// books.
///
/// `[{"id":"c1","books":[{"id":"b7","pages":32,"width":362,"height":568,"progression":"ltr",`
/// `"stock":"card"}]}]`. The stock is absent if it is paper. A book that cannot be opened has
/// `"readable":false`.
enum LibraryFields {
  static func text(of library: LibraryOutline) -> String {
    let collections = library.collections.map { collection in
      let books = collection.books.map { book in
        "{" + field(id: book.id) + "\"pages\":\(book.pageCount)"
          + ",\"width\":\(JSON.number(book.pageSize.width))"
          + ",\"height\":\(JSON.number(book.pageSize.height))"
          + ",\"progression\":\"\(book.progression.name)\""
          + field(stock: book.stock) + (book.isReadable ? "" : ",\"readable\":false") + "}"
      }
      return "{" + field(id: collection.id) + "\"books\":[" + books.joined(separator: ",") + "]}"
    }
    return "[" + collections.joined(separator: ",") + "]"
  }

  private static func field(id: String) -> String {
    id.isEmpty ? "" : "\"id\":\(JSON.string(id)),"
  }

  private static func field(stock: PaperStock) -> String {
    stock == .paper ? "" : ",\"stock\":\"\(stock.name)\""
  }

  /// Decodes a library; a collection may also be just a list of books.
  static func library(_ field: Any?, line: Int) throws(RecordingError) -> LibraryOutline {
    guard let shelves = field as? [Any] else {
      throw RecordingError(line: line, reason: "\"library\" must be a list of collections")
    }
    var collections: [CollectionOutline] = []
    for shelf in shelves {
      let named = shelf as? [String: Any]
      guard let fields = (named?["books"] ?? shelf) as? [[String: Any]] else {
        throw RecordingError(
          line: line,
          reason: "a collection in \"library\" must be {\"id\":...,\"books\":[...]}"
        )
      }
      var books: [BookOutline] = []
      for fields in fields { books.append(try book(fields, line: line)) }
      collections.append(CollectionOutline(id: named?["id"] as? String ?? "", books: books))
    }
    return LibraryOutline(collections: collections)
  }

  private static func book(
    _ fields: [String: Any],
    line: Int
  ) throws(RecordingError) -> BookOutline {
    guard let pages = fields["pages"] as? Int, pages >= 1, pages <= 1_000_000,
      let width = (fields["width"] as? NSNumber)?.nearestDouble, width > 0,
      width < .infinity,
      let height = (fields["height"] as? NSNumber)?.nearestDouble, height > 0,
      height < .infinity
    else {
      throw RecordingError(
        line: line,
        reason: "a book needs \"pages\" of 1 or more and a positive \"width\" and \"height\""
      )
    }
    return BookOutline(
      id: fields["id"] as? String ?? "",
      pageCount: pages,
      pageSize: Size(width: width, height: height),
      progression: fields["progression"] as? String == "rtl" ? .rightToLeft : .leftToRight,
      stock: (fields["stock"] as? String).flatMap(PaperStock.init(name:)) ?? .paper,
      isReadable: fields["readable"] as? Bool ?? true
    )
  }
}

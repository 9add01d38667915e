internal import Foundation
internal import Geometry
public import Scene

/// The first line of a recording: what library it was made with.
public struct LogHeader: Equatable, Sendable {
  /// The version of the log that this code writes and reads.
  public static let version = 1

  /// The shapes of the library.
  public var library: LibraryOutline

  /// Creates a header.
  public init(library: LibraryOutline) { self.library = library }

  /// The header as text, without the line break.
  public var text: String {
    let collections = library.collections.map { collection in
      let books = collection.books.map { book in
        "{\"pages\":\(book.pageCount),\"width\":\(JSON.number(book.pageSize.width))"
          + ",\"height\":\(JSON.number(book.pageSize.height))"
          + ",\"progression\":\"\(book.progression == .rightToLeft ? "rtl" : "ltr")\"}"
      }
      return "[" + books.joined(separator: ",") + "]"
    }
    return "{\"lectern\":\(Self.version),\"library\":[" + collections.joined(separator: ",") + "]}"
  }

  /// Reads a header.
  /// - Throws: ``RecordingError`` when it is not one, or of another version.
  public init(text: some StringProtocol) throws(RecordingError) {
    let object = try? JSONSerialization.jsonObject(with: Data(String(text).utf8))
    guard let fields = object as? [String: Any], let version = fields["lectern"] as? Int else {
      throw RecordingError(
        line: 1,
        reason: "not a recording: the first line must be its header {\"lectern\":1,...}"
      )
    }
    guard version == Self.version else {
      throw RecordingError(
        line: 1,
        reason: "the recording's version is \(version); this program reads version 1"
      )
    }
    guard let shelves = fields["library"] as? [[[String: Any]]] else {
      throw RecordingError(line: 1, reason: "\"library\" must be a list of lists of books")
    }
    var collections: [CollectionOutline] = []
    for shelf in shelves {
      var books: [BookOutline] = []
      for fields in shelf { books.append(try Self.book(fields)) }
      collections.append(CollectionOutline(books: books))
    }
    library = LibraryOutline(collections: collections)
  }

  private static func book(_ fields: [String: Any]) throws(RecordingError) -> BookOutline {
    guard let pages = fields["pages"] as? Int, pages >= 1, pages <= 1_000_000,
      let width = (fields["width"] as? NSNumber)?.nearestDouble, width > 0,
      let height = (fields["height"] as? NSNumber)?.nearestDouble, height > 0
    else {
      throw RecordingError(
        line: 1,
        reason: "a book needs \"pages\" of 1 or more and a positive \"width\" and \"height\""
      )
    }
    let isRightToLeft = fields["progression"] as? String == "rtl"
    return BookOutline(
      pageCount: pages,
      pageSize: Size(width: width, height: height),
      progression: isRightToLeft ? .rightToLeft : .leftToRight
    )
  }
}

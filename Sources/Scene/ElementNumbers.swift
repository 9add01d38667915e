internal import Synchronization

/// Assigns numbers to everything that can be shown, once for the lifetime of the process.
///
/// A collection takes one number. A book takes one for its cover, one for the board behind its last
/// leaf and one for each face, including blank faces at its end, so that the numbers of an open
/// book are consecutive. All rooms use the same numbers: a reader who moves between the shared book
/// and another stage, or whose library changes, keeps the known elements.
///
/// An instance can be used on any thread. A lookup costs a lock and a hash; it happens when a
/// library is laid out, never when a frame is computed.
public final class ElementNumbers: Sendable {
  /// The maximum number; a JavaScript number holds the distance between any two exactly.
  public static let max: UInt64 = (1 << 52) - 1

  /// The maximum number of faces after the last page; the spread of a book of one page has two.
  private static let blankFaces: UInt64 = 2

  private struct Book: Hashable {
    let id: String
    let faces: Int
    let copy: Int
  }

  private struct State {
    var next: UInt64 = 0
    var collections: [String: UInt64] = [:]
    var books: [Book: UInt64] = [:]
  }

  /// A number that distinguishes these numbers from those of another process.
  public let numbering: UInt32

  private let state = Mutex(State())

  /// Creates an empty assignment.
  /// - Parameter numbering: Any number that another process is unlikely to use.
  public init(numbering: UInt32 = 0) { self.numbering = numbering }

  /// Returns the number of a collection; assigns one if necessary.
  /// - Parameter id: The permanent id of the collection.
  /// - Returns: The number.
  public func collection(_ id: String) -> UInt64 {
    state.withLock { state in
      if let known = state.collections[id] { return known }
      defer { state.next &+= 1 }
      state.collections[id] = state.next
      return state.next
    }
  }

  /// Returns the first number of a book, which is that of its cover; assigns numbers if necessary.
  ///
  /// See ``ElementKey/number``.
  ///
  /// A book whose number of faces has changed gets new numbers. One that is on several shelves is
  /// another element on each.
  /// - Parameters:
  ///   - id: The permanent id of the book.
  ///   - faces: The number of faces; a negative number counts as 0.
  ///   - copy: The number of earlier shelves with the book.
  /// - Returns: The first number.
  public func book(_ id: String, faces: Int, copy: Int = 0) -> UInt64 {
    let book = Book(id: id, faces: Swift.max(0, faces), copy: copy)
    return state.withLock { state in
      if let known = state.books[book] { return known }
      defer { state.next &+= ElementKey.pagesFrom &+ UInt64(book.faces) &+ Self.blankFaces }
      state.books[book] = state.next
      return state.next
    }
  }
}

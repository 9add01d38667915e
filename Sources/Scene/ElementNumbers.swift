internal import Synchronization

/// Gives everything that can be shown its numbers, once and for the life of the process.
///
/// A collection takes one number. A book takes one for its cover, one for the board behind its last
/// leaf and one for each face, those that stay blank at its end included, so that the numbers of an
/// open book are neighbours. All rooms use
/// the same numbers: a reader who moves between the shared book and a stage of its own, or whose
/// library changes, keeps the elements that it has.
///
/// May be used on any thread. A lookup costs a lock and a hash; it runs where a library is laid
/// out, never on the path of a frame.
public final class ElementNumbers: Sendable {
  /// The largest number: a JavaScript number holds the distance of any two exactly.
  public static let max: UInt64 = (1 << 52) - 1

  /// How many faces may follow the last page: the spread of a book of one page has two.
  private static let blankFaces: UInt64 = 2

  private struct Book: Hashable {
    let id: String
    let faces: Int
  }

  private struct State {
    var next: UInt64 = 0
    var collections: [String: UInt64] = [:]
    var books: [Book: UInt64] = [:]
  }

  /// Tells these numbers from those that another process gave.
  public let numbering: UInt32

  private let state = Mutex(State())

  /// Creates numbers of which none is given yet.
  /// - Parameter numbering: Any number that another process is not likely to use.
  public init(numbering: UInt32 = 0) { self.numbering = numbering }

  /// Finds or gives the number of a collection.
  /// - Parameter id: What names it for good.
  /// - Returns: The number.
  public func collection(_ id: String) -> UInt64 {
    state.withLock { state in
      if let known = state.collections[id] { return known }
      defer { state.next &+= 1 }
      state.collections[id] = state.next
      return state.next
    }
  }

  /// Finds or gives the first of a book's numbers: its cover's, see ``ElementKey/number``.
  ///
  /// A book that comes back with another number of faces is given new ones.
  /// - Parameters:
  ///   - id: What names it for good.
  ///   - faces: How many faces it has; fewer than 0 count as 0.
  /// - Returns: The first number.
  public func book(_ id: String, faces: Int) -> UInt64 {
    let book = Book(id: id, faces: Swift.max(0, faces))
    return state.withLock { state in
      if let known = state.books[book] { return known }
      defer { state.next &+= ElementKey.pagesFrom &+ UInt64(book.faces) &+ Self.blankFaces }
      state.books[book] = state.next
      return state.next
    }
  }
}

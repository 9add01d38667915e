/// The arrangement of a library in a room: its order and its filter.
public struct Arrangement: Equatable, Sendable {
  /// An order of books; raw values are the bytes of the wire.
  public enum Order: UInt8, Equatable, Sendable, CaseIterable {
    /// The order of the library.
    case shelved = 0
    /// By title, ignoring case and accents.
    case title = 1
    /// The most recently added first.
    case added = 2
    /// The most recently read first, then those never read.
    case lastRead = 3
  }

  /// The order of the books on each shelf.
  public var order: Order
  /// The words that a book's title or author must contain, as typed; empty shows all.
  public var filter: String

  /// Creates an arrangement; the default is that of the library itself.
  public init(order: Order = .shelved, filter: String = "") {
    self.order = order
    self.filter = filter
  }
}

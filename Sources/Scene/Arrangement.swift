/// How a library is laid out for a room: in what order, and what of it.
public struct Arrangement: Equatable, Sendable {
  /// An order of books; raw values are the bytes of the wire.
  public enum Order: UInt8, Equatable, Sendable, CaseIterable {
    /// As the library has them.
    case shelved = 0
    /// By title, as a reader looks for it.
    case title = 1
    /// The newest first.
    case added = 2
    /// The last read first, then those never read.
    case lastRead = 3
  }

  /// The order of the books on each shelf.
  public var order: Order
  /// What a book's title or author must hold, as it was typed; empty shows all.
  public var filter: String

  /// Creates an arrangement; without arguments that of the library itself.
  public init(order: Order = .shelved, filter: String = "") {
    self.order = order
    self.filter = filter
  }
}

/// The paper stock of a book, which says how far its leaves bend; raw values are the bytes of the
/// wire.
public enum PaperStock: UInt8, Equatable, Hashable, Sendable, CaseIterable {
  /// Thin and flexible, as in most books.
  case paper = 0
  /// Thick: it bends, but less than paper.
  case card = 1
  /// Rigid, as in books for small children, and as covers are.
  case board = 2

  /// The name in JSON.
  public var name: String {
    switch self {
    case .paper: "paper"
    case .card: "card"
    case .board: "board"
    }
  }

  /// Returns the stock with a name in JSON; nil if no stock has this name.
  public init?(name: String) {
    guard let stock = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = stock
  }
}

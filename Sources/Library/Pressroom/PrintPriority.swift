/// How soon a page is wanted, the most urgent first.
public enum PrintPriority: Int, CaseIterable, Comparable, Sendable {
  /// Somebody looks at its place.
  case visible
  /// Somebody looks at its place closely, and sees it less sharp meanwhile.
  case sharp
  /// The next leaf to be turned.
  case next
  /// A small picture.
  case thumbnail
  /// A large picture of a page that nobody looks at.
  case unseen
  /// Nobody waits: an import, or a page made ahead.
  case background

  /// Whether one is wanted sooner than another.
  public static func < (one: PrintPriority, other: PrintPriority) -> Bool {
    one.rawValue < other.rawValue
  }
}

/// A client that requests pages: a member at an address.
///
/// Addresses take turns, and the members at one address share its turns: an address with many
/// members takes nothing from another address.
public struct Requester: Hashable, Sendable {
  private let address: String
  private let member: String

  /// Creates a requester from its address and, if it is known, what tells the member there from
  /// others.
  public init(_ address: String, member: String = "") {
    self.address = address
    self.member = member
  }

  /// All requesters at its address.
  var neighbours: Requester { Requester(address) }

  /// The library itself.
  public static let library = Requester("")
}

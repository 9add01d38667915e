/// The priority of a page among those of the same requester, most urgent first.
package enum PrintPriority: Int, CaseIterable, Comparable, Sendable {
  /// A reader looks at its place.
  case visible
  /// A reader looks at its place closely and sees a less sharp picture in the meantime.
  case sharp
  /// The next leaf to be turned.
  case next
  /// A thumbnail.
  case thumbnail
  /// A large picture of a page that nobody looks at.
  case unseen
  /// Nobody waits: an import, or a page that is rendered in advance.
  case background

  /// Returns whether one priority is more urgent than another.
  package static func < (one: PrintPriority, other: PrintPriority) -> Bool {
    one.rawValue < other.rawValue
  }
}

/// A client that requests pages: a member at an address.
///
/// Addresses take turns, and the members at one address share its turns. An address with many
/// members thus takes nothing away from other addresses.
package struct Requester: Hashable, Sendable {
  private let address: String
  private let member: String

  /// Creates a requester from its address and, if known, an identifier of the member at that
  /// address.
  package init(_ address: String, member: String = "") {
    (self.address, self.member) = (address, member)
  }

  /// All requesters at its address.
  var neighbours: Requester { Requester(address) }

  /// The library itself.
  package static let library = Requester("")
}

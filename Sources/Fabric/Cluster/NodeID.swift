internal import Bytes

/// The identity of one process of a cluster, for its lifetime.
///
/// A process chooses a random identity each time it starts, so whatever a process left behind
/// before a restart belongs to another node.
package struct NodeID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The identity as a number, for messages between nodes.
  package let rawValue: UInt64

  /// Creates an identity from a random number.
  package init(_ rawValue: UInt64) { self.rawValue = rawValue }

  /// Creates an identity from its text, unless the text is not 16 lowercase hexadecimal digits.
  package init?(_ text: String) {
    guard text.utf8.count == 16, let bytes = Hexadecimal.bytes(text) else { return nil }
    rawValue = bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The identity as 16 lowercase hexadecimal digits.
  package var text: String { Hexadecimal.text(of: rawValue) }

  /// The identity as 16 lowercase hexadecimal digits.
  package var description: String { text }

  /// Orders nodes by their numbers, which means nothing but is the same on every node.
  package static func < (first: NodeID, second: NodeID) -> Bool { first.rawValue < second.rawValue }
}

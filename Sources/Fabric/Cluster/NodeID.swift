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
    let digits = text.utf8
    guard digits.count == 16 else { return nil }
    var number: UInt64 = 0
    for digit in digits {
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        number = number << 4 | UInt64(digit - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"):
        number = number << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
      default: return nil
      }
    }
    rawValue = number
  }

  /// The identity as 16 lowercase hexadecimal digits.
  package var text: String {
    let digits = String(rawValue, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  /// The identity as 16 lowercase hexadecimal digits.
  package var description: String { text }

  /// Orders nodes by their numbers, which means nothing but is the same on every node.
  package static func < (first: NodeID, second: NodeID) -> Bool { first.rawValue < second.rawValue }
}

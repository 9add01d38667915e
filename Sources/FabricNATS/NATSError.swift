/// The reason why a ``NATSBus`` cannot work.
package struct NATSError: Error, Equatable, CustomStringConvertible {
  /// What is wrong.
  package enum Kind: Equatable, Sendable {
    /// An option is invalid.
    case option
    /// No server can be reached.
    case unreachable
    /// The server does not accept the credentials.
    case credentials
    /// The connection cannot be encrypted as requested.
    case encryption
    /// The server stores no records.
    case noStorage
    /// Too few servers that store records are running.
    case noQuorum
    /// A bucket exists, but not as it is needed.
    case bucket
    /// This node is not permitted to use a subject.
    case permission
    /// Something else.
    case other
  }

  /// What is wrong.
  package let kind: Kind
  /// What is wrong, with the value, and what to do.
  package let description: String

  init(_ kind: Kind, _ description: String) { (self.kind, self.description) = (kind, description) }
}

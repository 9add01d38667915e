internal import Foundation

/// How a ``NATSBus`` reaches the servers and what it may use there.
package struct NATSOptions: Sendable {
  /// How this node proves who it is.
  package enum Credentials: Equatable, Sendable {
    /// It does not, or the addresses contain a user and a password.
    case none
    /// By a user name and a password.
    case password(user: String, password: String)
    /// By a token.
    case token(String)
    /// By a file with a user's JWT and the seed of its key.
    case file(String)
    /// By a key: its public part, and a file with its seed.
    case key(String, seedFile: String)
  }

  /// How the connection is encrypted.
  package struct TLS: Equatable, Sendable {
    /// A file with the certificates of the authorities to trust; nil for those of the system.
    package var authorities: String?
    /// A file with this node's own certificate; nil for none.
    package var certificate: String?
    /// A file with the private key of ``certificate``.
    package var key: String?
    /// The name that the certificates of the servers must contain; nil for the host's own.
    package var host: String?

    /// Creates settings that trust the authorities of the system.
    package init() {}
  }

  /// The addresses of the servers, separated by commas, such as `nats://10.0.0.1:4222`.
  package var addresses: String
  /// How this node proves who it is.
  package var credentials = Credentials.none
  /// How the connection is encrypted; nil if it is not.
  package var tls: TLS?
  /// The beginning of all subjects.
  ///
  /// With dots as underscores it is also the beginning of the names
  /// of all buckets, so that several clusters can share their servers.
  package var prefix = "lectern.v1"
  /// The number of servers that store each record; nil for three if the servers form a cluster,
  /// and one if not.
  package var replicas: Int?
  /// How long to wait at the start until records can be stored, in seconds.
  package var patienceSeconds = 15.0
  /// The maximum size of the messages that wait to be sent, in bytes.
  package var queueBytesMax = 16 << 20
  /// The maximum size of a message, in bytes; larger ones are dropped.
  package var messageBytesMax = 16 << 20
  /// Takes a note of what went wrong without an answer to tell it, for the log.
  package var report: @Sendable (String) -> Void = { _ in }

  /// Creates options with the addresses of the servers.
  package init(addresses: String) { self.addresses = addresses }

  /// The addresses without user and password, for messages.
  var shownAddresses: String { list.map(Self.shown).joined(separator: ", ") }

  /// The addresses one by one.
  var list: [String] {
    addresses.split(separator: ",").map { address in
      var text = address.drop { $0 == " " }
      while text.last == " " { text.removeLast() }
      return String(text)
    }
    .filter { !$0.isEmpty }
  }

  /// The beginning of the names of all buckets.
  var bucketPrefix: String { String(prefix.map { $0 == "." ? "_" : $0 }) }

  static func shown(_ address: String) -> String {
    guard let at = address.lastIndex(of: "@") else { return address }
    let scheme = address.range(of: "://")
    let start = scheme.map { address[..<$0.upperBound] } ?? ""
    return String(start + address[address.index(after: at)...])
  }

  /// Checks what can be checked without a connection.
  func validate() throws(NATSError) {
    guard !list.isEmpty else {
      throw NATSError(.option, "There is no address of a NATS server; give nats://HOST:4222")
    }
    let parts = prefix.split(separator: ".", omittingEmptySubsequences: false)
    let isValid = parts.allSatisfy { part in
      !part.isEmpty
        && part.utf8.allSatisfy { byte in
          let character = Character(UnicodeScalar(byte))
          return byte < 0x80
            && (character.isLetter || character.isNumber || "-_".contains(character))
        }
    }
    guard isValid, prefix.utf8.count <= 64 else {
      throw NATSError(
        .option,
        "The NATS prefix '\(prefix)' is invalid; use letters, digits, - and _ between single dots"
      )
    }
    if let replicas, ![1, 3, 5].contains(replicas) {
      throw NATSError(.option, "\(replicas) replicas are not possible; use 1, 3 or 5")
    }
  }
}

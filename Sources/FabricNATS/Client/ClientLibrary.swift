internal import CNATS

/// The client library of NATS, which is loaded with the first connection: a process without NATS
/// does not map it.
enum ClientLibrary {
  /// Why the library cannot be used; nil if it can.
  private static let fault = lectern_nats_load().map { String(cString: $0) }

  /// Loads the library, unless it is loaded.
  static func load() throws(NATSError) {
    guard let fault else { return }
    let package = String(cString: lectern_nats_package())
    throw NATSError(
      .other,
      "The client of NATS cannot be loaded (\(fault)); install the package \(package)"
    )
  }
}

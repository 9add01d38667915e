/// A reason that a server cannot start.
package enum ServerError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The server cannot listen on the address and port.
  case cannotListen(address: String, port: Int, reason: String)
  /// The directory of static files cannot be read.
  case cannotReadStaticRoot(path: String, reason: String)
  /// Something else failed before the first connection.
  case cannotStart(reason: String)

  /// The description of the error.
  package var description: String {
    switch self {
    case .cannotListen(let address, let port, let reason):
      let place = address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
      return "cannot listen on \(place): \(reason)"
    case .cannotReadStaticRoot(let path, let reason):
      return "cannot read the directory \(path): \(reason)"
    case .cannotStart(let reason):
      return "cannot start the server: \(reason)"
    }
  }
}

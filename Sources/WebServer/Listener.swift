internal import CLibwebsockets
internal import Glibc

/// Opens the listening socket.
///
/// Used in place of the listener of libwebsockets, which reports neither why it failed nor which
/// port it got.
enum Listener {
  static func open(address: String, port: Int) throws(ServerError) -> Int32 {
    func failure(_ reason: String) -> ServerError {
      .cannotListen(address: address, port: port, reason: reason)
    }
    guard let number = UInt16(exactly: port) else { throw failure("ports are 0 to 65535") }
    let descriptor = lectern_listen(address, number, 1024)
    if descriptor == -2 { throw failure("not a numeric IPv4 or IPv6 address") }
    guard descriptor >= 0 else { throw failure(Self.text(of: errno)) }
    return descriptor
  }

  /// Returns the message of a system error, beginning with a small letter, to follow a colon.
  static func text(of code: Int32) -> String {
    guard let words = strerror(code) else { return "error \(code)" }
    let text = String(cString: words)
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}

internal import Foundation
internal import Glibc

/// What a NATS server tells each client about itself, before it asks for credentials.
///
/// It is read from a socket, because the client library keeps the version to itself.
package struct NATSGreeting: Equatable, Sendable {
  /// The name of the server.
  package let name: String
  /// The version of the server, such as `2.11.4`.
  package let version: String
  /// Whether the server stores records.
  package let hasStorage: Bool

  /// The maximum size of a greeting, in bytes.
  private static let bytesMax = 1 << 16

  /// The numbers of the version: major and minor; nil if they cannot be read.
  package var release: (major: Int, minor: Int)? {
    let parts = version.split(separator: ".")
    guard parts.count >= 2, let major = Int(parts[0]), let minor = Int(parts[1]) else { return nil }
    return (major, minor)
  }

  /// Connects to a server and reads its greeting; blocks for some seconds at most.
  /// - Parameter address: An address such as `nats://10.0.0.1:4222`.
  /// - Returns: What the server says of itself.
  /// - Throws: What is wrong and what to do; ``NATSError/Kind/unreachable`` if nobody answers.
  package static func read(from address: String) throws(NATSError) -> NATSGreeting {
    let (host, port) = try parts(of: address)
    let line = try firstLine(host: host, port: port)
    guard line.starts(with: "INFO ".utf8), let greeting = NATSGreeting(json: line.dropFirst(5))
    else {
      throw NATSError(
        .unreachable,
        "\(host):\(port) answers, but not as a NATS server; check the address"
      )
    }
    return greeting
  }

  private struct Info: Decodable {
    let server_name: String?
    let version: String?
    let jetstream: Bool?
  }

  init?(json: some Collection<UInt8>) {
    let info: Info
    do { info = try JSONDecoder().decode(Info.self, from: Data(json)) } catch { return nil }
    guard let version = info.version else { return nil }
    self.version = version
    name = info.server_name ?? ""
    hasStorage = info.jetstream ?? false
  }

  /// Splits an address, with 4222 as the port if it names none.
  static func parts(of address: String) throws(NATSError) -> (host: String, port: String) {
    let text = address.contains("://") ? address : "nats://" + address
    guard let parts = URLComponents(string: text), var host = parts.host, !host.isEmpty,
      0...65_535 ~= parts.port ?? 4222
    else {
      throw NATSError(
        .option,
        "'\(NATSOptions.shown(address))' is no address of a NATS server; give nats://HOST:4222"
      )
    }
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    return (host, String(parts.port ?? 4222))
  }

  private static func firstLine(host: String, port: String) throws(NATSError) -> [UInt8] {
    func unreachable(_ reason: String) -> NATSError {
      NATSError(
        .unreachable,
        "no NATS server answers at \(host):\(port) (\(reason)); start it, or check the address and"
          + " the firewall"
      )
    }
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(host, port, &hints, &list)
    guard status == 0, let list else {
      throw unreachable(gai_strerror(status).map { String(cString: $0) } ?? "unknown name")
    }
    defer { freeaddrinfo(list) }
    var reason = "no address"
    var next: UnsafeMutablePointer<addrinfo>? = list
    while let one = next?.pointee {
      next = one.ai_next
      let socket = Glibc.socket(one.ai_family, one.ai_socktype, one.ai_protocol)
      guard socket >= 0 else { continue }
      defer { close(socket) }
      var patience = timeval(tv_sec: 3, tv_usec: 0)
      let size = socklen_t(MemoryLayout<timeval>.size)
      setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
      setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
      guard connect(socket, one.ai_addr, one.ai_addrlen) == 0 else {
        reason = String(cString: strerror(errno))
        continue
      }
      if let line = line(from: socket) { return line }
      reason = "no greeting"
    }
    throw unreachable(reason)
  }

  /// Reads until the end of the first line; nil if it does not arrive.
  private static func line(from socket: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count < bytesMax {
      let count = recv(socket, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
      if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) { return Array(bytes[..<end]) }
    }
    return nil
  }
}

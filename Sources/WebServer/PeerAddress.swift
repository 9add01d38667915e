internal import Glibc

/// A numeric IPv4 or IPv6 address.
enum PeerAddress: Equatable {
  case four([UInt8])
  case six([UInt8])

  /// Parses an address; an IPv4 address in IPv6 notation becomes an IPv4 address.
  init?(_ text: some StringProtocol) {
    let text = String(text)
    if let bytes = Self.bytes(of: text, AF_INET, count: 4) {
      self = .four(bytes)
    } else if let bytes = Self.bytes(of: text, AF_INET6, count: 16) {
      let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 255 && bytes[11] == 255
      self = isMapped ? .four(Array(bytes[12...])) : .six(bytes)
    } else {
      return nil
    }
  }

  /// Parses an address with or without a port, as proxies write it: `[::1]:80`, `10.0.0.1:80`.
  init?(withPort text: some StringProtocol) {
    let text = text.drop { $0 == " " }
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      self.init(text[text.index(after: text.startIndex)..<end])
    } else if text.count(where: { $0 == ":" }) == 1, let colon = text.firstIndex(of: ":") {
      self.init(text[..<colon])
    } else {
      self.init(text)
    }
  }

  /// The 4 or 16 bytes, the most significant one first.
  var bytes: [UInt8] {
    switch self {
    case .four(let bytes), .six(let bytes): bytes
    }
  }

  /// The whole address as text.
  var text: String {
    switch self {
    case .four: source
    case .six(let bytes): Self.text(of: bytes[...])
    }
  }

  /// Whether it is a loopback address of this machine.
  var isLoopback: Bool {
    switch self {
    case .four(let bytes): bytes[0] == 127
    case .six(let bytes): bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }
  }

  /// The unit of limits: an IPv4 address, or an IPv6 /64, because one site has a whole /64.
  var source: String {
    switch self {
    case .four(let bytes): bytes.map(String.init).joined(separator: ".")
    case .six where isLoopback: "::1"
    case .six(let bytes): Self.text(of: bytes[..<8] + [UInt8](repeating: 0, count: 8)) + "/64"
    }
  }

  private static func bytes(of text: String, _ family: Int32, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return inet_pton(family, text, &bytes) == 1 ? bytes : nil
  }

  private static func text(of bytes: ArraySlice<UInt8>) -> String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    _ = inet_ntop(AF_INET6, Array(bytes), &text, socklen_t(text.count))
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// The host in a `Host` header, without its port (RFC 3986, section 3.2).
struct HostName: Equatable {
  let name: String
  /// Whether it is a numeric address, to which no foreign name can point.
  let isNumeric: Bool

  /// Reads a header; nil if it is not a host with or without a port.
  init?(_ header: String) {
    var host = header[...]
    if header.hasPrefix("[") {
      guard let end = header.firstIndex(of: "]") else { return nil }
      host = header[header.index(after: header.startIndex)..<end]
      guard host.utf8.contains(UInt8(ascii: ":")), PeerAddress(host) != nil else { return nil }
      guard Self.isPort(header[header.index(after: end)...]) else { return nil }
    } else {
      host = header.prefix { $0 != ":" }
      guard host.utf8.allSatisfy(Self.isAllowed), Self.isPort(header[host.endIndex...]) else {
        return nil
      }
      if host.hasSuffix(".") { host.removeLast() }
    }
    name = host.lowercased()
    isNumeric = PeerAddress(name) != nil
  }

  /// Whether a text is empty or a colon and a port.
  private static func isPort(_ text: Substring) -> Bool {
    guard let colon = text.utf8.first else { return true }
    let digits = text.utf8.dropFirst()
    return colon == UInt8(ascii: ":") && digits.count <= 5
      && digits.allSatisfy(\.isDigit)
      && (Int(Substring(digits)) ?? 0) <= 65_535
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || "-._~%!$&'()*+,;=".utf8.contains(byte)
  }
}

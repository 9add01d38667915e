/// The addresses of the proxies that are trusted to report their clients.
package struct TrustedProxies: Equatable, Sendable {
  /// No proxy.
  package static let none = TrustedProxies(networks: [])
  /// No proxy, and what one has passed on is refused: a server that takes everybody who reaches it
  /// for a user of this machine must not answer to others.
  package static let forbidden = TrustedProxies(networks: [], areForbidden: true)
  /// A proxy on this machine.
  package static let loopback = TrustedProxies(networks: [.loopback4, .loopback6])

  /// The addresses that begin with the same bits (RFC 4632).
  private struct Network: Equatable, Sendable {
    static let loopback4 = Network(bytes: [127, 0, 0, 0], bits: 8)
    static let loopback6 = Network(bytes: [UInt8](repeating: 0, count: 15) + [1], bits: 128)
    /// The addresses of networks that are not routed (RFC 1918, RFC 4193).
    static let inner = [
      Network(bytes: [10, 0, 0, 0], bits: 8), Network(bytes: [172, 16, 0, 0], bits: 12),
      Network(bytes: [192, 168, 0, 0], bits: 16),
      Network(bytes: [0xfc] + [UInt8](repeating: 0, count: 15), bits: 7),
    ]

    let bytes: [UInt8]
    let bits: Int

    init(bytes: [UInt8], bits: Int) { (self.bytes, self.bits) = (bytes, bits) }

    /// Parses an address, or one with the number of bits that count: `10.0.0.0/8`.
    init?(_ text: some StringProtocol) {
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      guard (1...2).contains(parts.count), let address = PeerAddress(parts[0]) else { return nil }
      bytes = address.bytes
      guard parts.count == 2 else {
        bits = 8 * bytes.count
        return
      }
      guard let count = Int(parts[1]), parts[1].allSatisfy(\.isNumber),
        0...(8 * bytes.count) ~= count
      else { return nil }
      bits = count
    }

    func contains(_ other: [UInt8]) -> Bool {
      guard other.count == bytes.count else { return false }
      let (whole, rest) = (bits / 8, bits % 8)
      guard other[..<whole] == bytes[..<whole] else { return false }
      return rest == 0 || (other[whole] ^ bytes[whole]) >> UInt8(8 - rest) == 0
    }
  }

  private let networks: [Network]
  /// Whether requests that a proxy has passed on are refused.
  let areForbidden: Bool

  private init(networks: [Network], areForbidden: Bool = false) {
    (self.networks, self.areForbidden) = (networks, areForbidden)
  }

  /// Parses a list of addresses, of networks such as `10.0.0.0/8`, and of the words `loopback` and
  /// `private`; nil if a part is none of these.
  package init?(_ list: [String]) {
    var networks: [Network] = []
    for part in list {
      switch part.lowercased() {
      case "loopback": networks += [.loopback4, .loopback6]
      case "private": networks += Network.inner
      default:
        guard let network = Network(part) else { return nil }
        networks.append(network)
      }
    }
    self.init(networks: networks)
  }

  /// Whether no proxy is trusted.
  package var isEmpty: Bool { networks.isEmpty }

  /// Whether all of them are on this machine.
  package var areLocal: Bool {
    networks.allSatisfy { $0 == .loopback6 || $0.bytes.first == 127 && $0.bits >= 8 }
  }

  /// Whether an address is that of a trusted proxy.
  func contains(_ address: PeerAddress) -> Bool {
    networks.contains { $0.contains(address.bytes) }
  }
}

extension RequestHead {
  /// Whether a proxy says that it has passed the request on; not all do.
  var isPassedOn: Bool {
    ["x-forwarded-for", "forwarded", "x-forwarded-host", "x-forwarded-proto", "via"].contains {
      self[$0] != nil
    }
  }

  /// The hops that proxies have reported, each from the client to the last proxy: those of
  /// `X-Forwarded-For` and those of `Forwarded` (RFC 7239), as far as there are such fields.
  var reports: [[Substring]] {
    let hops = self["x-forwarded-for"].map { $0[...].parts(at: ",").map(\.trimmingSpaces) }
    return [hops, self["forwarded"].map(Self.standardHops)].compactMap { $0 }
  }

  private static func standardHops(_ field: String) -> [Substring] {
    // A client that opens a quotation would take what the proxy adds into it.
    guard field.utf8.count(where: { $0 == UInt8(ascii: "\"") }).isMultiple(of: 2) else { return [] }
    return quotedParts(of: field[...], at: ",").compactMap { element in
      for pair in quotedParts(of: element, at: ";") {
        let parts = pair.parts(at: "=", maxSplits: 1).map(\.trimmingSpaces)
        guard parts.count == 2, parts[0].lowercased() == "for" else { continue }
        let isQuoted = parts[1].count > 1 && parts[1].hasPrefix("\"") && parts[1].hasSuffix("\"")
        return isQuoted ? parts[1].dropFirst().dropLast() : parts[1]
      }
      return ""
    }
  }

  /// Splits a text at a separator outside of quotes.
  private static func quotedParts(of text: Substring, at separator: Character) -> [Substring] {
    var parts: [Substring] = []
    var (start, isQuoted) = (text.startIndex, false)
    for index in text.indices {
      if text[index] == "\"" { isQuoted.toggle() }
      guard text[index] == separator, !isQuoted else { continue }
      parts.append(text[start..<index])
      start = text.index(after: index)
    }
    return parts + [text[start...]]
  }
}

package import WebServer

/// The addresses of a server, as far as the server can know them.
struct ServerAddress: Equatable, Sendable {
  /// The group of people who can reach a server.
  enum Reach: String, Sendable {
    /// Everybody who knows the public address.
    case everybody = "public"
    /// Everybody on the same network.
    case network
    /// Only this machine.
    case machine
  }

  /// The address to share, such as `http://192.168.1.20:8080` or, below a path,
  /// `https://nas.example/books`, without a final slash.
  let base: String
  /// Further addresses of the same server.
  let others: [String]
  /// Who can reach ``base``.
  let reach: Reach

  /// Determines the addresses of a server.
  /// - Parameters:
  ///   - publicURL: The value of `--public-url`.
  ///   - listen: The numeric address that the server listens on.
  ///   - basePath: The path below which a proxy serves the library.
  ///   - port: The port.
  ///   - machine: The addresses of this machine, the most reachable first.
  init(
    publicURL: PublicURL?,
    listen: String,
    basePath: BasePath = .none,
    port: Int,
    machine: [NetworkAddress]
  ) {
    let own = Self.bases(listen: listen, port: port, machine: machine)
    let bases = own.bases.map { $0 + basePath.text }
    if let publicURL {
      (base, others, reach) = (publicURL.origin + basePath.text, bases, .everybody)
    } else {
      base = bases[0]
      others = Array(bases.dropFirst())
      reach = own.isReached ? .network : .machine
    }
  }

  private static func bases(
    listen: String,
    port: Int,
    machine: [NetworkAddress]
  ) -> (bases: [String], isReached: Bool) {
    func base(_ address: String) -> String {
      "http://\(address.contains(":") ? "[\(address)]" : address):\(port)"
    }
    guard let takesSix = ["0.0.0.0": false, "::": true][listen] else {
      return ([base(listen)], !isLoopback(listen))
    }
    let known = machine.filter { $0.kind != .inner && (takesSix || !$0.isSix) }
    let all = known.map { base($0.text) }
    return all.isEmpty ? ([base("127.0.0.1")], false) : (all, true)
  }

  /// Whether only this machine can reach a server that listens on an address.
  static func isLoopback(_ address: String) -> Bool {
    address.hasPrefix("127.") || address == "::1"
  }

  /// Whether ``base`` is an address of the loopback interface.
  var isOnLoopback: Bool { base.hasPrefix("http://127.") || base.hasPrefix("http://[::1]") }

  /// Whether a text is an address of this server or continues one after a slash.
  ///
  /// The `Host` of the request counts as an address, too.
  func leads(_ text: String, host: String) -> Bool {
    ([base] + others + ["http://\(host)", "https://\(host)"]).contains {
      text == $0 || text.hasPrefix($0 + "/")
    }
  }
}

/// The address under which others reach the server, as given with `--public-url`.
package struct PublicURL: Equatable, Sendable {
  /// The origin of its pages, such as `https://books.example`.
  package let origin: String
  /// The path of the address; none for the top of the host.
  package let basePath: BasePath
  /// The host, in lower case.
  let host: String

  /// Parses `http://` or `https://`, a host, an optional port and an optional path; nil for any
  /// other text.
  package init?(_ whole: String) {
    let text = whole.lowercased()
    guard let scheme = ["http://", "https://"].first(where: text.hasPrefix) else { return nil }
    let parts = whole.dropFirst(scheme.count).split(
      separator: "/",
      maxSplits: 1,
      omittingEmptySubsequences: false
    )
    guard let basePath = BasePath(parts.count > 1 ? parts[1] : "") else { return nil }
    self.basePath = basePath
    let place = text.dropFirst(scheme.count).prefix { $0 != "/" }
    var name = place
    if let colon = place.lastIndex(of: ":"), !place.hasSuffix("]") {
      guard let port = UInt16(place[place.index(after: colon)...]), port > 0 else { return nil }
      name = place[..<colon]
    }
    let isSix = name.hasPrefix("[") && name.hasSuffix("]")
    let host = isSix ? name.dropFirst().dropLast() : name
    let letters = "abcdefghijklmnopqrstuvwxyz0123456789-._" + (isSix ? ":" : "")
    guard !host.isEmpty, host.allSatisfy({ letters.contains($0) }) else { return nil }
    self.host = String(host)
    origin = scheme + place
  }

  /// The address without a final slash.
  package var base: String { origin + basePath.text }
}

/// A numeric address and a port to listen on.
package struct Endpoint: Equatable, Sendable {
  /// The address; IPv6 without brackets.
  package let address: String
  /// The port; 0 selects any free port.
  package let port: Int

  /// Parses `127.0.0.1:9464`, `[::1]:9464`, or `9464`, which means the loopback interface.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard let last = parts.last, let port = UInt16(last), last.allSatisfy(\.isNumber) else {
      return nil
    }
    self.port = Int(port)
    let place = parts.dropLast().joined(separator: ":")
    if parts.count == 1 {
      address = "127.0.0.1"
    } else if place.hasPrefix("["), place.hasSuffix("]") {
      address = String(place.dropFirst().dropLast())
    } else if parts.count == 2, !place.isEmpty {
      address = place
    } else {
      return nil
    }
  }

  /// Returns the address and port as text, such as `127.0.0.1:9464`.
  package static func text(_ address: String, _ port: Int) -> String {
    address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
  }
}

/// Where a server can be reached, as far as it can know.
struct ServerAddress: Equatable, Sendable {
  /// Who can.
  enum Reach: String, Sendable {
    /// Whoever knows the public address.
    case everybody = "public"
    /// Who is on the same network.
    case network
    /// This machine alone.
    case machine
  }

  /// The one to hand out, such as `http://192.168.1.20:8080`: without a path, nor a slash.
  let base: String
  /// Others that lead to the same server.
  let others: [String]
  /// Who can reach it.
  let reach: Reach

  /// Finds out about a server.
  /// - Parameters:
  ///   - publicURL: What `--public-url` gave.
  ///   - listen: The address in numbers that is listened on.
  ///   - port: The port.
  ///   - machine: The addresses of this machine, the likeliest first.
  init(publicURL: PublicURL?, listen: String, port: Int, machine: [NetworkAddress]) {
    let own = Self.bases(listen: listen, port: port, machine: machine)
    if let publicURL {
      (base, others, reach) = (publicURL.base, own.bases, .everybody)
    } else {
      base = own.bases[0]
      others = Array(own.bases.dropFirst())
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

  /// Whether what listens on an address is reached by this machine alone.
  static func isLoopback(_ address: String) -> Bool {
    address.hasPrefix("127.") || address == "::1"
  }

  /// Whether a text is an address of this server, or begins with one; so is the `Host` of a request
  /// that came here.
  func leads(_ text: String, host: String) -> Bool {
    ([base] + others + ["http://\(host)", "https://\(host)"]).contains {
      text == $0 || text.hasPrefix($0 + "/")
    }
  }

  /// What is said when the server is there, to whoever started it.
  func greeting(_ access: Access, key: String) -> String {
    let end = access.library.isOpen ? "/" : "/#key=\(key)"
    var text = "Lectern is open at \(base)\(end)\n"
    for other in others { text += "  and at \(other)\(end)\n" }
    if reach == .machine {
      text += "Only this machine can reach it"
      text +=
        Self.isOnLoopback(base)
        ? "; --listen 0.0.0.0 lets others on the network in.\n" : ".\n"
    } else if access.library.isOpen {
      text += "Whoever reaches it sees the whole library"
      text += access.isChangedByKey ? "; \(base)/#key=\(key) is for who changes it.\n" : ".\n"
    }
    return text
  }

  private static func isOnLoopback(_ base: String) -> Bool {
    base.hasPrefix("http://127.") || base.hasPrefix("http://[::1]")
  }
}

/// The address under which others find the server, as `--public-url` gives it.
struct PublicURL: Equatable, Sendable {
  /// Such as `https://books.example`: without a path, nor a slash; also its pages' origin.
  let base: String
  /// The host, in lower case.
  let host: String

  /// Reads `http://` or `https://`, a host and perhaps a port; nil if there is more, or less.
  init?(_ text: String) {
    let text = text.lowercased()
    guard let scheme = ["http://", "https://"].first(where: text.hasPrefix) else { return nil }
    var place = text.dropFirst(scheme.count)
    if place.hasSuffix("/") { place.removeLast() }
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
    base = scheme + place
  }
}

/// An address in numbers and a port to listen on.
package struct Endpoint: Equatable, Sendable {
  /// The address, of IPv6 without brackets.
  package let address: String
  /// The port; 0 takes any that is free.
  package let port: Int

  /// Reads `127.0.0.1:9464`, `[::1]:9464` or `9464`, which is on the loopback.
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

  /// As a part of an address: `127.0.0.1:9464`.
  static func text(_ address: String, _ port: Int) -> String {
    address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
  }
}

internal import Glibc

/// An address of this machine, in numbers.
struct NetworkAddress: Equatable, Sendable {
  /// The kinds of addresses, those that a guest most likely reaches first.
  enum Kind: Int, Comparable, Sendable {
    /// IPv4 of a home or an office (RFC 1918).
    case home
    /// Any other IPv4.
    case other
    /// IPv6, but for those of one cable.
    case six
    /// Of a network inside this machine, as containers and tunnels have, or of one cable.
    case inner

    static func < (one: Kind, other: Kind) -> Bool { one.rawValue < other.rawValue }
  }

  let text: String
  let kind: Kind

  /// Of an interface with a name, an address of four or sixteen bytes; nil for one of this machine
  /// alone.
  init?(_ bytes: [UInt8], text: String, interface name: String) {
    self.text = text
    let isVirtual = Self.virtual.contains { name.hasPrefix($0) }
    switch (bytes.count, bytes[0], bytes[1]) {
    case (4, 127, _), (4, 0, _): return nil
    case (16, 0, _): return nil
    case _ where isVirtual: kind = .inner
    case (4, 169, 254): kind = .inner
    case (4, 10, _), (4, 172, 16...31), (4, 192, 168): kind = .home
    case (4, _, _): kind = .other
    case (_, 0xFE, 0x80...0xBF): kind = .inner
    default: kind = .six
    }
  }

  /// What names of interfaces begin with that lead to no other machine in the room.
  private static let virtual = [
    "br-", "cni", "docker", "flannel", "lxc", "podman", "tailscale", "tap", "tun", "vboxnet",
    "veth", "virbr", "vmnet", "wg", "zt",
  ]

  /// Whether it is of IPv6.
  var isSix: Bool { text.contains(":") }

  /// The addresses of the interfaces that are up, the likeliest first.
  static func all() -> [NetworkAddress] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var found: [NetworkAddress] = []
    var next = list
    while let interface = next?.pointee {
      next = interface.ifa_next
      guard interface.ifa_flags & UInt32(IFF_UP) != 0, let address = interface.ifa_addr
      else { continue }
      let name = String(cString: interface.ifa_name)
      if let one = read(address, interface: name) { found.append(one) }
    }
    // Sorted by hand: those of one kind stay as the system has them.
    return found.enumerated().sorted { ($0.element.kind, $0.offset) < ($1.element.kind, $1.offset) }
      .map(\.element)
  }

  private static func read(
    _ address: UnsafeMutablePointer<sockaddr>,
    interface: String
  ) -> NetworkAddress? {
    let raw = UnsafeRawPointer(address)
    let family = Int32(address.pointee.sa_family)
    let bytes: [UInt8]
    switch family {
    case AF_INET:
      bytes = withUnsafeBytes(of: raw.load(as: sockaddr_in.self).sin_addr) { Array($0) }
    case AF_INET6:
      bytes = withUnsafeBytes(of: raw.load(as: sockaddr_in6.self).sin6_addr) { Array($0) }
    default: return nil
    }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return nil }
    let shown = text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
    return NetworkAddress(bytes, text: String(decoding: shown, as: UTF8.self), interface: interface)
  }
}

/// What this machine is called.
enum HostNames {
  /// Its names in lower case, with and without its domain and `.local`, by which phones find it.
  static func own() -> [String] {
    var text = [CChar](repeating: 0, count: 256)
    guard gethostname(&text, text.count - 1) == 0 else { return [] }
    let bytes = text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
    return variants(of: String(decoding: bytes, as: UTF8.self))
  }

  static func variants(of name: String) -> [String] {
    let name = name.lowercased()
    guard let short = name.split(separator: ".").first.map(String.init) else { return [] }
    return Array(Set([name, short, "\(short).local"])).sorted()
  }
}

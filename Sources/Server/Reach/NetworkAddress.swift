internal import Glibc

/// A numeric address of this machine.
struct NetworkAddress: Equatable, Sendable {
  /// The kinds of addresses, in the order in which a guest is likely to reach them.
  enum Kind: Int, Comparable, Sendable {
    /// An IPv4 address of a home or office network (RFC 1918).
    case home
    /// Any other IPv4 address.
    case other
    /// An IPv6 address that is not link-local.
    case six
    /// A link-local address, or one of a network inside this machine, such as that of a container
    /// or a tunnel.
    case inner

    static func < (one: Kind, other: Kind) -> Bool { one.rawValue < other.rawValue }
  }

  let text: String
  let kind: Kind

  /// Creates an address of 4 or 16 bytes on a named interface; nil if only this machine can use it.
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

  /// The prefixes of the names of interfaces that do not lead to other machines in the room.
  private static let virtual = [
    "br-", "cni", "docker", "flannel", "lxc", "podman", "tailscale", "tap", "tun", "vboxnet",
    "veth", "virbr", "vmnet", "wg", "zt",
  ]

  /// Whether this is an IPv6 address.
  var isSix: Bool { text.contains(":") }

  /// Returns the addresses of the interfaces that are up, the most reachable kinds first.
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
    // The offset keeps the system's order within a kind, because `sorted` is not documented as
    // stable.
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
    case AF_INET: bytes = withUnsafeBytes(of: raw.load(as: sockaddr_in.self).sin_addr) { Array($0) }
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

/// The names of this machine.
enum HostNames {
  /// Returns its names in lower case, with and without the domain, and with `.local`, which phones
  /// use to find it.
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

import Testing

@testable import Commands
@testable import Server

@Suite("Addresses at which a server is reached")
struct ReachTests {
  private func machine() -> [NetworkAddress] {
    [
      NetworkAddress([192, 168, 1, 20], text: "192.168.1.20", interface: "wlan0"),
      NetworkAddress([203, 0, 113, 9], text: "203.0.113.9", interface: "eth0"),
      NetworkAddress(
        [0x20, 1] + [UInt8](repeating: 0, count: 14),
        text: "2001::",
        interface: "eth0"
      ),
      NetworkAddress([172, 17, 0, 1], text: "172.17.0.1", interface: "docker0"),
    ].compactMap { $0 }
  }

  private func access(isOpen: Bool, token: String? = nil) -> Access {
    Access(
      library: LibraryAccess(isOpen: isOpen, key: "K"),
      adminToken: token,
      isForThisMachine: false
    )
  }

  private func address(listen: String, publicURL: String? = nil) -> ServerAddress {
    ServerAddress(
      publicURL: publicURL.flatMap(PublicURL.init),
      listen: listen,
      port: 8080,
      machine: machine()
    )
  }

  @Test("a server on the loopback is reached from this machine alone and says so")
  func loopback() {
    let here = address(listen: "127.0.0.1")
    #expect(here.base == "http://127.0.0.1:8080" && here.reach == .machine && here.others.isEmpty)
    #expect(
      greeting(here, access(isOpen: true)) == """
        Lectern is open at http://127.0.0.1:8080/
        Only this machine can connect to it; --listen 0.0.0.0 lets others on the network in.

        """
    )
    #expect(address(listen: "::1").base == "http://[::1]:8080")
  }

  @Test("a server on all addresses is reached at those of the network, private ones first")
  func allAddresses() {
    let four = address(listen: "0.0.0.0")
    #expect(four.base == "http://192.168.1.20:8080" && four.reach == .network)
    #expect(four.others == ["http://203.0.113.9:8080"])
    #expect(
      greeting(four, access(isOpen: false)) == """
        Lectern is open at http://192.168.1.20:8080/#key=K
          and at http://203.0.113.9:8080/#key=K

        """
    )
    let end = "Everybody who reaches it sees the whole library"
    let open = greeting(four, access(isOpen: true))
    #expect(open.hasPrefix("Lectern is open at http://192.168.1.20:8080/\n"))
    #expect(open.hasSuffix("\(end); to change it, open http://192.168.1.20:8080/#key=K.\n"))
    let governed = greeting(four, access(isOpen: true, token: "T"))
    #expect(governed.hasSuffix("\(end).\n") && !governed.contains("key"))
    #expect(address(listen: "::").others.last == "http://[2001::]:8080")
    #expect(address(listen: "10.0.0.5").base == "http://10.0.0.5:8080")
  }

  private func greeting(
    _ address: ServerAddress,
    _ access: Access,
    location: KeyLocation = .file("/data/library.key"),
    showsKey: Bool = true
  ) -> String {
    let greeting = Greeting(
      address: address,
      access: access,
      key: "K",
      location: location,
      adminURL: nil
    )
    return greeting.text(showsKey: showsKey)
  }

  @Test("an output that is no terminal says where the key is, and not the key")
  func hiddenKey() {
    let four = address(listen: "0.0.0.0")
    let closed = access(isOpen: false)
    #expect(
      greeting(four, closed, showsKey: false) == """
        Lectern is open at http://192.168.1.20:8080/
          and at http://203.0.113.9:8080/
        The library's key is in /data/library.key; the address with it ends in /#key=KEY

        """
    )
    for location in [KeyLocation.option("--library-key"), .variable("LECTERN_LIBRARY_KEY")] {
      let text = greeting(four, closed, location: location, showsKey: false)
      #expect(text.contains("The library's key is \(location);") && !text.contains("=K\n"))
    }
    let open = greeting(four, access(isOpen: true), showsKey: false)
    #expect(open.hasSuffix("library; the key for changing it is in /data/library.key.\n"))
  }

  @Test("a server without a network is reached from this machine alone")
  func withoutNetwork() {
    let alone = ServerAddress(publicURL: nil, listen: "0.0.0.0", port: 1, machine: [])
    #expect(alone.base == "http://127.0.0.1:1" && alone.reach == .machine)
    #expect(
      greeting(alone, access(isOpen: false)).contains("Only this machine can connect to it")
    )
  }

  @Test("a public address comes before all others")
  func publicAddress() {
    let known = address(listen: "127.0.0.1", publicURL: "https://Books.example/")
    #expect(known.base == "https://books.example" && known.reach == .everybody)
    #expect(known.others == ["http://127.0.0.1:8080"])
    let text = greeting(known, access(isOpen: false))
    #expect(text.hasPrefix("Lectern is open at https://books.example/#key=K\n"))
  }

  @Test(
    "a text that is not the plain address of a host cannot be a public address",
    arguments: [
      "books.example", "ftp://books.example", "https://", "https://books.example/a b",
      "https://books.example/api", "https://books.example/a/../b",
      "https://a b",
      "https://books.example:0", "https://books.example:99999", "https://user@books.example",
      "https://books.example?x",
    ]
  )
  func invalidPublicAddress(text: String) {
    #expect(PublicURL(text) == nil)
  }

  @Test("a public address may have a port or consist of numbers")
  func publicAddressForms() {
    #expect(PublicURL("http://books.example:81")?.host == "books.example")
    #expect(PublicURL("https://[2001:db8::1]:444/")?.base == "https://[2001:db8::1]:444")
    #expect(PublicURL("https://[2001:db8::1]")?.host == "2001:db8::1")
  }

  @Test("addresses of the loopback, of links and of containers are left out")
  func unusableAddresses() {
    #expect(NetworkAddress([127, 0, 0, 1], text: "127.0.0.1", interface: "lo") == nil)
    for (bytes, interface) in [([169, 254, 1, 1], "eth0"), ([10, 0, 0, 1], "veth12")]
      as [([UInt8], String)]
    {
      #expect(NetworkAddress(bytes, text: "", interface: interface)?.kind == .inner)
    }
    for address in NetworkAddress.all() { #expect(!address.text.hasPrefix("127.")) }
  }

  @Test("links to this server are distinguished from others")
  func ownLinks() {
    let four = address(listen: "0.0.0.0")
    for good in [
      "http://192.168.1.20:8080/r/X#s", "http://203.0.113.9:8080", "http://desk.local:8080/r/X",
      "https://desk.local:8080/",
    ] {
      #expect(four.leads(good, host: "desk.local:8080"), "\(good)")
    }
    for bad in [
      "http://192.168.1.20:80801/r/X", "http://evil.example/", "javascript:alert(1)", "",
      "http://192.168.1.20:8080.evil.example/",
    ] {
      #expect(!four.leads(bad, host: "desk.local:8080"), "\(bad)")
    }
  }

  @Test("a machine has its name with and without its domain, and its local name")
  func machineNames() {
    #expect(
      HostNames.variants(of: "Desk.example.org") == ["desk", "desk.example.org", "desk.local"]
    )
    #expect(HostNames.variants(of: "") == [])
  }
}

@Suite("QR codes")
struct QRCodeTests {
  @Test("a code has its marks in three corners and a quiet zone around it")
  func marks() throws {
    let code = try #require(QRCode("http://192.168.1.20:8080/r/ABCDEF#0123456789abcdefghijkl"))
    #expect((code.side - 17) % 4 == 0 && code.modules.count == code.side * code.side)
    let finder = ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"]
    for (left, top) in [(0, 0), (code.side - 7, 0), (0, code.side - 7)] {
      let rows = (0..<7).map { y in
        String((0..<7).map { code.modules[(top + y) * code.side + left + $0] ? "#" : "." })
      }
      #expect(rows == finder)
    }
    #expect(code.svg.contains("viewBox=\"0 0 \(code.side + 8) \(code.side + 8)\""))
    #expect(code.svg.contains("shape-rendering=\"crispEdges\""))
    #expect(code.svg.contains("M4 4h7v1h-7z"))
  }

  @Test("a drawing contains every dark module once and no light one")
  func modules() throws {
    let code = try #require(QRCode("x"))
    var drawn = [Bool](repeating: false, count: code.modules.count)
    for match in code.svg.matches(of: /M(\d+) (\d+)h(\d+)v1h-(\d+)z/) {
      let numbers = try [match.output.1, match.output.2, match.output.3].map {
        try #require(Int($0))
      }
      #expect(match.output.3 == match.output.4)
      for x in 0..<numbers[2] {
        let index = (numbers[1] - 4) * code.side + numbers[0] - 4 + x
        #expect(!drawn[index])
        drawn[index] = true
      }
    }
    #expect(drawn == code.modules)
  }

  @Test("only a text that fits becomes a code")
  func capacity() {
    #expect(QRCode(String(repeating: "a", count: 512)) != nil)
    #expect(QRCode(String(repeating: "a", count: 513)) == nil)
    #expect(QRCode("") == nil && QRCode("a\0b") == nil)
  }
}

import Testing

@testable import WebServer

@Suite("The options of a server")
struct OptionsTests {
  @Test("the time for a transfer grows with its size")
  func transferTime() {
    let time = ServerOptions.TransferTime(seconds: 30, bytesPerSecond: 1000)
    #expect(time.seconds(for: 0) == 30 && time.seconds(for: 5000) == 35)
  }

  @Test("limits shrink to the available descriptors, and each address gets a fraction of them")
  func fit() {
    var limits = ServerOptions.Limits()
    limits.fit(FileDescriptors(connections: 2048, of: .max))
    #expect(limits == ServerOptions.Limits())
    limits.fit(FileDescriptors(connections: 2048, of: 200))
    let total = limits.connections.total
    #expect(total < 200)
    #expect(limits.connections.perAddress == total * 3 / 4)
    #expect(limits.connections.pendingPerAddress == total / 4)
    #expect(limits.responses.longPerAddress == total * 3 / 8)
    #expect(limits.requests == .init() && limits.webSockets == .init())
  }

  @Test("limits for a number of connections give each address a share")
  func connections() {
    let usual = ServerOptions.Limits.Connections()
    let same = ServerOptions.Limits(connections: usual.total, perAddress: usual.perAddress)
    #expect(same == ServerOptions.Limits())
    let many = ServerOptions.Limits(connections: 12_000, perAddress: 3000)
    #expect(many.connections.total == 12_000 && many.connections.perAddress == 3000)
    #expect(many.webSockets.handshakesPerAddress.burst == 3000)
    #expect(many.connections.pendingPerAddress == 64 && many.responses.longPerAddress == 256)
    let few = ServerOptions.Limits(connections: 16, perAddress: 500)
    #expect(few.connections.perAddress == 16 && few.connections.pendingPerAddress == 4)
    #expect(few.responses.longPerAddress == 8)
  }

  @Test("a page may come from the host itself, from a list, or from either")
  func origins() {
    func admitted(_ rule: ServerOptions.OriginRule) -> [Bool] {
      let options = ServerOptions(origins: rule)
      return ["http://desk:80", "https://desk:80", "http://desk", "https://books.example"].map {
        options.admits(origin: $0, host: "desk:80")
      }
    }
    #expect(admitted(.sameHost) == [true, true, false, false])
    #expect(admitted(.listed(["https://books.example"])) == [false, false, false, true])
    #expect(admitted(.sameHostOrListed(["http://desk"])) == [true, true, true, false])
    #expect(!ServerOptions().admits(origin: "http://", host: ""))
  }

  @Test("only a proxy on this machine is trusted, and only if the options say so")
  func proxies() {
    let trusting = ServerOptions(proxies: .loopback)
    #expect(trusting.isProxy("127.0.0.1") && trusting.isProxy("::1"))
    #expect(!trusting.isProxy("192.0.2.1") && !trusting.isProxy("nobody"))
    #expect(!ServerOptions().isProxy("127.0.0.1"))
  }
}

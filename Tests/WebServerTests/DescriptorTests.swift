import Glibc
import Testing

@testable import WebServer

/// A process that runs out of descriptors; each test has a process of its own.
@Suite("Without descriptors")
struct DescriptorTests {
  /// Uses all descriptors of the process except some.
  private static func exhaust(leaving count: Int) -> [Int32] {
    var taken: [Int32] = []
    while case let one = dup(0), one >= 0 { taken.append(one) }
    for _ in 0..<count { close(taken.removeLast()) }
    return taken
  }

  /// Opens a WebSocket while some descriptors are left, on a new connection or on one that has had
  /// a request before.
  /// - Returns: Whether the server closes that connection and opens a later one.
  /// - Throws: Why the server did not start.
  private static func survives(leaving count: Int, isUsed: Bool) throws -> Bool {
    let server = try TestServer()
    let client = RawSocket(port: server.port)
    if isUsed { guard client.request("GET", "/healthz")?.status == 200 else { return false } }
    // The server has accepted the connection once it has answered another.
    guard RawSocket(port: server.port).request("GET", "/healthz")?.status == 200 else {
      return false
    }
    let taken = exhaust(leaving: count)
    _ = client.upgrade()
    guard client.isHungUp() else { return false }
    for one in taken { close(one) }
    let next = RawSocket(port: server.port)
    guard next.upgrade()?.status == 101 else { return false }
    next.writeFrame(opcode: 2, [4])
    guard next.readFrame() == .init(opcode: 2, payload: [4]) else { return false }
    server.stop()
    return server.ends(within: 5)
  }

  @Test("the same holds on a connection that has had a request before")
  func usedConnection() async {
    await #expect(processExitsWith: .success) {
      for count in 0..<2 {
        let isGood = try Self.survives(leaving: count, isUsed: true)
        guard isGood else { exit(1) }
      }
      exit(0)
    }
  }

  @Test("a WebSocket whose head cannot be passed on is closed, and later ones open")
  func newConnection() async {
    await #expect(processExitsWith: .success) {
      for count in 0..<2 {
        let isGood = try Self.survives(leaving: count, isUsed: false)
        guard isGood else { exit(1) }
      }
      exit(0)
    }
  }
}

import CForbid
import Glibc
import Testing

@testable import WebServer

@Suite("A server where io_uring is forbidden")
struct RingTests {
  /// Sends a message to ten readers at once, and returns how many receive it.
  private func receivers(of server: TestServer) throws -> Int {
    let clients = (0..<10).map { _ in RawSocket(port: server.port) }
    for client in clients { try #require(client.upgrade()?.status == 101) }
    while server.ask({ $0.webSockets.table.count }) != 10 {}
    let refused = server.ask { server -> [Int] in
      var refused: [Int] = []
      let all = server.webSockets.table.connections
      [UInt8(6), 7].withUnsafeBytes {
        server.webSockets.send($0, [0..<1, 1..<2], to: all, refused: &refused)
      }
      return refused
    }
    #expect(refused == [])
    return clients.filter { client in
      [6, 7].allSatisfy { client.readFrame() == .init(opcode: 2, payload: [$0]) }
    }
    .count
  }

  @Test("messages to many are sent one by one", arguments: [EPERM, ENOSYS])
  func forbidden(error: Int32) throws {
    // This is called on the thread of the server, which alone it affects.
    let server = try TestServer { _ in
      #expect(forbid_ring(error) == 0)
      #expect(BatchSender.openRing(depth: 8) == nil)
    }
    #expect(try receivers(of: server) == 10)
    #expect(server.ask { $0.webSockets.sender.hasRing } == false)
  }

  @Test("without the option, no ring is opened")
  func unwanted() throws {
    let server = try TestServer { $0.usesRing = false }
    #expect(try receivers(of: server) == 10)
    #expect(server.ask { $0.webSockets.sender.hasRing } == false)
  }
}

import Fabric
import Foundation
import Testing

@testable import FabricNATS

@Suite("Messages over NATS")
struct MessageTests {
  private func numbered(_ number: Int, count: Int = 8) -> [UInt8] {
    Array("\(number)".utf8) + [0] + [UInt8](repeating: 7, count: count)
  }

  @Test("messages arrive in order at the others only, and large ones whole")
  func order() throws {
    let server = try NATSServer(configuration: "max_payload: 2048")
    let (ana, ben, cleo) = (
      try BusClient([server]), try BusClient([server]), try BusClient([server])
    )
    let sizes = [0, 8, 2027, 2028, 5000, 100_000]
    let messages = (0..<600).map { numbered($0, count: $0 < 6 ? sizes[$0] : $0 % 50) }
    for message in messages {
      ana.bus.send(message, to: ben.node)
      ana.bus.broadcast(message)
    }
    let unicast = messages.map { BusEvent.message($0, from: ana.node) }
    let broadcast = messages.map { BusEvent.broadcast($0, from: ana.node) }
    try ben.wait("everything") { $0.count == 1 + 1200 }
    try cleo.wait("the broadcasts") { $0.count == 1 + 600 }
    #expect(ben.received.filter { unicast.contains($0) } == unicast)
    #expect(cleo.received == [.connected] + broadcast)
    #expect(ana.received == [.connected])
  }

  @Test("what cannot be sent is reported to the sender, and missed by the receiver")
  func dropped() throws {
    let server = try NATSServer()
    let (ana, ben) = (
      try BusClient([server]) { $0.messageBytesMax = 5000 }, try BusClient([server])
    )
    ana.bus.send([1], to: ben.node)
    ana.bus.send([UInt8](repeating: 0, count: 5001), to: ben.node)
    ana.bus.send([2], to: ben.node)
    try ben.wait("the second message") { $0.contains(.message([2], from: ana.node)) }
    #expect(
      ben.received == [
        .connected, .message([1], from: ana.node), .dropped(1, from: ana.node),
        .message([2], from: ana.node),
      ]
    )
    try ana.wait("the report") { $0.contains(.dropped(1, from: nil)) }
  }

  @Test("a server that is lost is reported, and messages flow again when it is back")
  func reconnection() throws {
    let server = try NATSServer()
    let (ana, ben) = (try BusClient([server]), try BusClient([server]))
    ana.bus.send([1], to: ben.node)
    try ben.wait("the first message") { $0.contains(.message([1], from: ana.node)) }
    server.kill()
    for client in [ana, ben] {
      try client.wait("the loss") {
        $0.contains { if case .disconnected = $0 { true } else { false } }
      }
      client.clear()
    }
    for number in 2...9 { ana.bus.send([UInt8(number)], to: ben.node) }
    // The client library keeps one message for the next connection, which must not be the request.
    try ana.wait("the report of the loss") { events in
      events.contains { if case .dropped(_, nil) = $0 { true } else { false } }
    }
    let refused = try ana.write(.rooms, "a", [1], after: .any)
    guard case .failure(let failure) = refused, case .unavailable = failure else {
      Issue.record("\(refused)")
      return
    }
    try server.start()
    for client in [ana, ben] { try client.wait("a connection") { $0.contains(.connected) } }
    // The answer to a request shows that the server knows the subscriptions again.
    _ = try ben.writeWhenPossible(.rooms, "b", [1])
    ana.bus.send([10], to: ben.node)
    try ben.wait("the last message") { $0.contains(.message([10], from: ana.node)) }
    // At most the first of them can have waited for the connection.
    let missed = ben.received.compactMap { event -> Int? in
      if case .dropped(let count, ana.node) = event { count } else { nil }
    }
    #expect([7, 8].contains(missed.reduce(0, +)))
    #expect(ana.received.contains { if case .dropped(_, nil) = $0 { true } else { false } })
    _ = try ana.writeWhenPossible(.rooms, "a", [1])
  }

  @Test("what waits is sent before the end, and requests after it are refused")
  func stop() throws {
    let server = try NATSServer()
    let (ana, ben) = (try BusClient([server]), try BusClient([server]))
    for number in 0..<500 { ana.bus.send(numbered(number, count: 1000), to: ben.node) }
    ana.bus.stop()
    try ben.wait("everything") { $0.count == 501 }
    let result = try ana.write(.rooms, "a", [1], after: .any)
    guard case .failure(.unavailable) = result else {
      Issue.record("\(result)")
      return
    }
    ana.bus.send([1], to: ben.node)
    ana.bus.stop()
    #expect(!ana.received.contains { if case .disconnected = $0 { true } else { false } })
  }
}

import Fabric
import Scene
import TestVectors
import Testing
import Wire

@testable import Gateway

@Suite("The intake of a gateway")
struct IntakeTests {
  private let client = ClientID(1)
  private let clients = CollectingClients()
  private var gateway = Gateway()

  init() { gateway.opened(client, as: MemberID(1), from: "10.0.0.1", now: 5) }

  private mutating func say(_ bytes: [UInt8], now: Double = 5) {
    bytes.withUnsafeBytes { gateway.received($0, from: client, now: now, clients: clients) }
  }

  private mutating func taken() -> [GatewayMessage] {
    var messages: [GatewayMessage] = []
    gateway.drainMessages(into: &messages)
    return messages
  }

  @Test("a hello is forwarded with the address of its sender")
  mutating func hello() {
    say(ClientMessage.hello(Hello(room: "R", viewport: .plain)).encoded())
    #expect(taken() == [.hello(MemberID(1), Hello(room: "R", viewport: .plain), peer: "10.0.0.1")])
    #expect(gateway.wakeTime == nil)
  }

  @Test("a message before hello closes the connection, and so does a second hello")
  mutating func order() {
    say(ClientMessage.key(.enter).encoded())
    #expect(clients.closed[client] == CloseCode.policyViolation.rawValue)
    #expect(taken() == [])
    let other = ClientID(2)
    gateway.opened(other, as: MemberID(2), from: "", now: 5)
    let hello = ClientMessage.hello(Hello(viewport: .plain)).encoded()
    for _ in 0..<2 {
      hello.withUnsafeBytes { gateway.received($0, from: other, now: 5, clients: clients) }
    }
    #expect(clients.closed[other] == CloseCode.policyViolation.rawValue)
  }

  @Test("a connection without a hello is closed after ten seconds")
  mutating func late() {
    #expect(gateway.wakeTime == 15)
    gateway.wake(now: 14.9, clients: clients)
    #expect(clients.closed.isEmpty)
    gateway.wake(now: 15, clients: clients)
    #expect(clients.closed[client] == CloseCode.policyViolation.rawValue)
    #expect(gateway.wakeTime == nil)
  }

  @Test("a malformed message is answered with an error, and the ninth closes the connection")
  mutating func malformed() throws {
    say(ClientMessage.hello(Hello(viewport: .plain)).encoded())
    for _ in 0..<Intake.errorsMax { say([0x04, 99]) }
    #expect(clients.closed.isEmpty && clients.drainKinds(client).count == Intake.errorsMax)
    say([0x77])
    #expect(clients.closed[client] == CloseCode.tooManyErrors.rawValue)
  }

  @Test("no sequence of bytes traps a gateway, and no malformed message is forwarded")
  mutating func anyBytes() throws {
    var random = SplitMix64(seed: 3)
    for turn in 0..<5000 {
      let client = ClientID(UInt64(10 + turn))
      gateway.opened(client, as: MemberID(UInt32(10 + turn)), from: "", now: 6)
      if turn.isMultiple(of: 2) {
        ClientMessage.hello(Hello(viewport: .plain)).encoded().withUnsafeBytes {
          gateway.received($0, from: client, now: 6, clients: clients)
        }
      }
      let count = Int.random(in: 0...40, using: &random)
      var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      if count > 0 { bytes[0] = UInt8.random(in: 0...40, using: &random) }
      bytes.withUnsafeBytes { gateway.received($0, from: client, now: 6, clients: clients) }
      for case .packet(_, let packet) in taken() {
        #expect(try ClientPacket(decoding: packet.message.encoded(role: packet.role)) == packet)
      }
      gateway.closed(client, code: 1006)
    }
  }

  @Test("a message over the quota is forwarded later if it reports the last state")
  mutating func later() {
    say(ClientMessage.hello(Hello(viewport: .plain)).encoded())
    for _ in 0..<20 { say(ClientMessage.visibility(isVisible: false).encoded()) }
    say(ClientMessage.visibility(isVisible: true).encoded())
    let heard = taken().count - 1
    #expect(heard < 20 && gateway.droppedCount == 21 - heard)
    while let wake = gateway.wakeTime { gateway.wake(now: wake, clients: clients) }
    let visible = ClientPacket(.visibility(isVisible: true))
    #expect(taken() == [.packet(MemberID(1), visible)])
  }
}

import Fabric
import Notices
import Scene
import Testing
import Wire

@testable import Gateway

@Suite("A gateway")
struct GatewayTests {
  private let a = MemberID(1)
  private let b = MemberID(2)
  private let clientA = ClientID(11)
  private let clientB = ClientID(12)
  private let clients = CollectingClients()
  private var gateway = Gateway()
  private var stream = PublishedStream()

  init() {
    gateway.opened(clientA, as: a, from: "10.0.0.1", now: 0)
    gateway.opened(clientB, as: b, from: "10.0.0.2", now: 0)
    for client in [clientA, clientB] { say(.hello(Hello(viewport: .plain)), client, now: 0) }
    stream.introduce([1, 2])
    stream.snapshot(stream.frame([1], angle: 0), at: 1)
    publishCaption()
    for member in [a, b] { stream.messages.append(.attach(member, to: stream.id)) }
    deliver(now: 1)
    var hello: [GatewayMessage] = []
    gateway.drainMessages(into: &hello)
    clients.sent = [:]
  }

  private mutating func say(_ message: ClientMessage, _ client: ClientID, now: Double) {
    message.encoded().withUnsafeBytes {
      gateway.received($0, from: client, now: now, clients: clients)
    }
  }

  private mutating func publishCaption() {
    stream.messages.publish(.caption, on: stream.id) {
      ServerMessage.caption(Caption(screen: .book)).encode(into: &$0)
    }
  }

  private mutating func deliver(now: Double) {
    gateway.deliver(stream.take(), now: now, clients: clients)
  }

  private mutating func turn(_ angle: Double, at time: Double) {
    stream.delta(stream.frame([1, 2], angle: angle), at: time)
    deliver(now: time)
  }

  private mutating func taken() -> [GatewayMessage] {
    var messages: [GatewayMessage] = []
    gateway.drainMessages(into: &messages)
    return messages
  }

  @Test("a member that begins to watch receives the caption, all elements and the frame")
  mutating func attaching() throws {
    stream.messages.append(.attach(a, to: stream.id))
    deliver(now: 2)
    #expect(clients.drainKinds(clientA) == [0x89, 0x82, 0x83])
    #expect(clients.drainKinds(clientB) == [])
    turn(0.1, at: 2)
    #expect(clients.drainKinds(clientA) == [0x84] && clients.drainKinds(clientB) == [0x84])
  }

  @Test("a connection that moves to another gateway keeps its member, its quotas and its hello")
  mutating func moving() throws {
    let removed = gateway.remove(b)
    let moved = try #require(removed)
    var other = Gateway()
    let client = ClientID(31)
    other.adopt(moved, as: client)
    #expect(taken() == [] && !gateway.hasMemberChanges && !other.hasMemberChanges)
    #expect(gateway.client(of: b) == nil && other.client(of: b) == client)
    turn(0.1, at: 2)
    #expect(clients.drainKinds(clientA) == [0x84] && clients.drainKinds(clientB) == [])
    stream.messages.send(to: b) { ServerMessage.error(code: 1, Notice(.other)).encode(into: &$0) }
    other.deliver(stream.take(), now: 2, clients: clients)
    #expect(clients.drainKinds(client).count == 1)
    // A second hello is against the protocol wherever it arrives.
    ClientMessage.hello(Hello(viewport: .plain)).encoded().withUnsafeBytes {
      other.received($0, from: client, now: 2, clients: clients)
    }
    #expect(clients.closed[client] == CloseCode.policyViolation.rawValue)
    other.closed(client, code: 1006)
    var messages: [GatewayMessage] = []
    other.drainMessages(into: &messages)
    #expect(messages == [.left(b, code: 1006)])
  }

  @Test("a blocked member misses frames, is reported once, and then receives the current picture")
  mutating func blocking() throws {
    clients.full = [clientB]
    for step in 1...5 { turn(Double(step) / 10, at: 2 + Double(step) / 60) }
    #expect(taken() == [.blocked(b)])
    #expect(clients.drainKinds(clientA) == [0x84, 0x84, 0x84, 0x84, 0x84])
    clients.full = []
    gateway.writable(clientB, now: 3, clients: clients)
    #expect(taken() == [.unblocked(b)])
    #expect(clients.drainKinds(clientB) == [0x89, 0x83])
  }

  @Test("a member that missed elements gets them before the frame that names them")
  mutating func missedElements() throws {
    clients.full = [clientB]
    turn(0.1, at: 2)
    stream.introduce([3])
    stream.delta(stream.frame([3], angle: 0), at: 2.1)
    deliver(now: 2.1)
    clients.full = []
    gateway.writable(clientB, now: 3, clients: clients)
    var page = FrameDecoder()
    try page.handle(clients.sent[clientB] ?? [])
    #expect(page.latest?.number == 3)
  }

  @Test("messages for a blocked member alone wait in order, and no message overtakes them")
  mutating func waiting() throws {
    clients.full = [clientB]
    for code in UInt16(1)...3 {
      stream.messages.send(to: b) {
        ServerMessage.error(code: code, Notice(.other)).encode(into: &$0)
      }
    }
    deliver(now: 2)
    clients.full = []
    turn(0.1, at: 2)
    #expect(clients.drainKinds(clientB) == [])
    gateway.writable(clientB, now: 3, clients: clients)
    let codes = try (clients.sent[clientB] ?? []).compactMap { bytes -> UInt16? in
      if case .error(let code, _) = try ServerMessage(decoding: bytes) { code } else { nil }
    }
    #expect(codes == [1, 2, 3])
    #expect(clients.drainKinds(clientB).suffix(2) == [0x89, 0x83])
  }

  @Test("the connection of a member that reads nothing and requests megabytes is closed")
  mutating func overflow() {
    clients.full = [clientB]
    for _ in 0..<40 {
      stream.messages.send(to: b) { $0 += [UInt8](repeating: 0, count: 200_000) }
      deliver(now: 2)
    }
    #expect(clients.closed[clientB] == CloseCode.tooManyErrors.rawValue)
    #expect(clients.closed[clientA] == nil)
  }

  @Test("a member with a reduced frame rate receives snapshots, the last frame among them")
  mutating func fewFrames() throws {
    stream.messages.append(.setInterval(0.1, of: b))
    deliver(now: 2)
    for step in 1...60 { turn(Double(step) / 60, at: 2 + Double(step) / 60) }
    #expect((9...12).contains(clients.sent[clientB, default: []].count { $0[0] == 0x83 }))
    while let wake = gateway.wakeTime { gateway.wake(now: wake, clients: clients) }
    let last = try #require(clients.sent[clientB]?.last.map { try ServerMessage(decoding: $0) })
    guard case .snapshot(let update) = last else {
      Issue.record("the last message is no snapshot")
      return
    }
    #expect(update.number == stream.number)
    // At an interval of 0 the member receives all frames again, and the picture immediately.
    stream.messages.append(.setInterval(0, of: b))
    deliver(now: 4)
    clients.sent = [:]
    turn(2, at: 4)
    #expect(clients.drainKinds(clientB) == [0x84])
  }

  @Test("a member that prefers reduced motion receives stills and no frames between them")
  mutating func reducedMotion() throws {
    let still = stream.frame([2], angle: 1)
    func publishStill(_ stream: inout PublishedStream) {
      var own = stream.encoder
      own.rebase(on: still, number: stream.number, time: 2)
      stream.messages.publish(.still, on: stream.id) { own.snapshotOfLast(into: &$0) }
    }
    publishStill(&stream)
    stream.messages.append(.setReducesMotion(true, of: b))
    deliver(now: 2)
    clients.sent = [:]
    for step in 1...10 { turn(Double(step) / 10, at: 2 + Double(step) / 60) }
    #expect(clients.drainKinds(clientB) == [])
    publishStill(&stream)
    deliver(now: 3)
    #expect(clients.drainKinds(clientB) == [0x83])
    #expect(!clients.drainKinds(clientA).contains(0x83))
  }

  @Test("a fork continues from the picture without a message to its watcher")
  mutating func forking() throws {
    var own = stream
    let id = StreamID(room: "R", wanderer: b)
    stream.messages.append(.fork(id, from: stream.id, for: b))
    deliver(now: 2)
    #expect(clients.drainKinds(clientB) == [])
    turn(0.5, at: 2)
    #expect(clients.drainKinds(clientB) == [] && clients.drainKinds(clientA) == [0x84])
    own.delta(own.frame([1], angle: 0.2), at: 2)
    let bytes = own.take()
    var forked = HostMessages()
    for case .publish(let range, let kind, _) in bytes.list {
      forked.publish(kind, on: id) { $0 += bytes.bytes[range] }
    }
    gateway.deliver(forked, now: 2, clients: clients)
    #expect(clients.drainKinds(clientB) == [0x84] && clients.drainKinds(clientA) == [])
  }

  @Test("a pointer event reaches the other members, but no connection with a reduced frame rate")
  mutating func pointers() {
    let event = PointerEvent(member: 1, kind: .laser, time: 2)
    func point(_ stream: inout PublishedStream) {
      stream.messages.publish(.pointer(of: MemberID(1)), on: stream.id) {
        ServerMessage.pointer(event).encode(into: &$0)
      }
    }
    point(&stream)
    deliver(now: 2)
    #expect(clients.drainKinds(clientA) == [] && clients.drainKinds(clientB) == [0x8e])
    stream.messages.append(.setInterval(0.1, of: b))
    deliver(now: 2)
    clients.sent = [:]
    point(&stream)
    deliver(now: 2)
    #expect(clients.drainKinds(clientB) == [])
  }

  @Test("an adopted connection speaks for the other member, whose own connection is closed")
  mutating func adopting() {
    let clientC = ClientID(13)
    gateway.opened(clientC, as: MemberID(3), from: "", now: 2)
    say(.hello(Hello(viewport: .plain)), clientC, now: 2)
    stream.messages.append(.adopt(MemberID(3), as: b))
    stream.messages.append(.attach(b, to: stream.id))
    deliver(now: 2)
    #expect(clients.closed[clientB] == CloseCode.replaced.rawValue)
    #expect(clients.drainKinds(clientC) == [0x89, 0x82, 0x83])
    _ = taken()
    gateway.closed(clientB, code: CloseCode.replaced.rawValue)
    #expect(taken() == [])
    gateway.closed(clientC, code: 1006)
    #expect(taken() == [.left(b, code: 1006)])
    #expect(gateway.connections.compactMap { $0 }.count == 1)
    let changes = [
      MemberChange(b, isHere: false), MemberChange(MemberID(3), isHere: false),
      MemberChange(b, isHere: true), MemberChange(b, isHere: false),
    ]
    #expect(gateway.hasMemberChanges && gateway.drainMemberChanges() == changes)
    #expect(!gateway.hasMemberChanges)
  }

  @Test("a clock probe is answered at once, unless the host may still answer earlier messages")
  mutating func probes() throws {
    func answers() throws -> [ServerMessage] {
      let sent = clients.sent.removeValue(forKey: clientA) ?? []
      return try sent.map { try ServerMessage(decoding: $0) }
    }
    let probe = ClientMessage.clock(clientTime: 7)
    // The first one tells the host that the member has received its welcome.
    for message in [probe, .key(.enter), probe, probe] { say(message, clientA, now: 10) }
    #expect(taken().count == 4)
    #expect(try answers() == [])
    for _ in 0..<3 {
      stream.messages.send(to: a) {
        ServerMessage.clock(clientTime: 7, serverTime: 10).encode(into: &$0)
      }
      deliver(now: 10)
      #expect(try answers() == [.clock(clientTime: 7, serverTime: 10)])
    }
    say(.ack(Ack(frame: 1, lateness: 0, syncError: 0, roundTrip: 0)), clientA, now: 11)
    #expect(taken().count == 1)
    for now in [12.0, 13] {
      say(probe, clientA, now: now)
      #expect(try answers() == [.clock(clientTime: 7, serverTime: now)])
      #expect(taken() == [])
    }
    say(.key(.enter), clientA, now: 14)
    say(probe, clientA, now: 14)
    #expect(try answers() == [])
    #expect(taken().count == 2)
  }

  @Test("pictures and answers to probes follow the clock of the stream's host")
  mutating func hostClock() throws {
    let probe = ClientMessage.clock(clientTime: 7)
    for step in 1...30 {
      stream.delta(stream.frame([1], angle: Double(step) / 100), at: 2 + Double(step) / 60)
    }
    deliver(now: 502)
    func picture(at now: Double) throws -> [Int] {
      stream.messages.append(.attach(b, to: stream.id))
      clients.sent = [:]
      deliver(now: now)
      var page = FrameDecoder()
      try page.handle(clients.sent.removeValue(forKey: clientB) ?? [])
      return page.queue.map { Int($0.number) }
    }
    gateway.clockLead = { $0 == StreamID(room: $0.room) ? -500 : 0 }
    #expect(try picture(at: 502.26) == Array(16...31))
    say(probe, clientB, now: 503)
    #expect(taken().count == 1 && clients.sent[clientB] == nil)
    stream.messages.send(to: b) { $0 += [0x87] }
    deliver(now: 503)
    clients.sent = [:]
    say(probe, clientB, now: 504)
    #expect(clients.sent[clientB] == [ServerMessage.clock(clientTime: 7, serverTime: 4).encoded()])
    // While the clock is not known, members see the newest frame, and the host answers probes.
    gateway.clockLead = { _ in nil }
    #expect(try picture(at: 502.26) == [31])
    say(probe, clientB, now: 505)
    #expect(taken().count == 1 && clients.sent[clientB] == nil)
  }

  @Test("a stream at rest is kept as it is, with little memory, and goes on from there")
  mutating func rest() throws {
    turn(0.1, at: 2)
    clients.sent = [:]
    while let wake = gateway.wakeTime { gateway.wake(now: wake, clients: clients) }
    #expect(clients.sent.isEmpty)
    for step in 0..<2 {
      stream.messages.append(.attach(b, to: stream.id))
      deliver(now: 10 + Double(step))
      #expect(clients.drainKinds(clientB) == [0x89, 0x82, 0x83])
      turn(0.2 + Double(step) / 10, at: 10.5 + Double(step))
      stream.introduce([5 + step])
      stream.delta(stream.frame([1, 5 + step], angle: 0), at: 10.6 + Double(step))
      deliver(now: 10.6 + Double(step))
      var page = FrameDecoder()
      stream.messages.append(.attach(b, to: stream.id))
      clients.sent = [:]
      deliver(now: 10.7 + Double(step))
      try page.handle(clients.sent[clientB] ?? [])
      #expect(page.latest?.number == stream.number && page.elements.count == 3 + step)
      clients.sent = [:]
      while let wake = gateway.wakeTime { gateway.wake(now: wake, clients: clients) }
    }
  }

  @Test("a closed connection leaves no state behind, and its slot is reused")
  mutating func leaving() {
    for turn in 0..<100 {
      let client = ClientID(UInt64(100 + turn))
      gateway.opened(client, as: MemberID(UInt32(100 + turn)), from: "", now: 3)
      gateway.closed(client, code: 1006)
    }
    #expect(gateway.connections.count <= 3)
    gateway.wake(now: 3, clients: clients)
    #expect(gateway.wakeTime == nil && gateway.slotsByMember.count == 2)
    stream.messages.append(.end(stream.id))
    deliver(now: 3)
    #expect(gateway.streams.isEmpty)
  }
}

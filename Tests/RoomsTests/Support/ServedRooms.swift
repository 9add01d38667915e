import Fabric
import Gateway
import Scene
import Staging
import Wire

@testable import Rooms

/// Rooms behind a gateway, with connections that accept everything except those after
/// ``block(_:)``.
///
/// A member's connection has the member's number.
@dynamicMemberLookup
struct ServedRooms {
  var registry: RoomRegistry
  var gateway = Gateway()
  private let clients = TestClients()
  private var turn: Turn
  /// A hash of all messages with their times and recipients.
  private(set) var trace = Trace()
  /// The member that last spoke over each connection.
  private var speakers: [ClientID: MemberID] = [:]
  private var messages: [GatewayMessage] = []

  init(
    _ registry: RoomRegistry,
    environment: Environment = .counted(libraryKey: .libraryKey)
  ) {
    self.registry = registry
    turn = Turn(environment: environment)
  }

  init(
    catalogue: Catalogue,
    notes: Bool = false,
    bookmarks: [String: [Bookmark]] = [:],
    records: [RoomRecord] = []
  ) {
    self.init(
      RoomRegistry(catalogue: catalogue, notes: notes, bookmarks: bookmarks, records: records)
    )
  }

  /// Creates the rooms of a library without a key.
  init(openTo catalogue: Catalogue, notes: Bool = false) {
    self.init(RoomRegistry(catalogue: catalogue, notes: notes), environment: .counted())
  }

  subscript<Value>(dynamicMember path: KeyPath<RoomRegistry, Value>) -> Value {
    registry[keyPath: path]
  }

  /// The time at which the rooms or the gateway have work to do; nil at rest.
  var wakeTime: Double? {
    let next = min(registry.wakeTime ?? .infinity, gateway.wakeTime ?? .infinity)
    return next.isFinite ? next : nil
  }

  func room(named name: String) -> Room? { registry.room(named: name) }

  // MARK: Events

  mutating func opened(_ id: MemberID, from address: String = "", now: Double) {
    gateway.opened(id.client, as: id, from: address, now: now)
    speakers[id.client] = id
  }

  mutating func join(
    _ id: MemberID,
    room: String,
    now: Double,
    reportsImages: Bool = false,
    into sent: inout Sent
  ) {
    opened(id, from: "the address of \(room)", now: now)
    // A room's owner connects without the room's name; an invalid name is sent unchanged. Where
    // the owner is, another reader joins with the library's key.
    let isName = Hello.isRoomName(room)
    let isOwner = self.room(named: room)?.roster.hasWindow(of: .of(room)) != true
    let secret = isOwner ? ReaderID.secret(of: room) : "guest-\(id.rawValue)-with-the-key"
    let hello = Hello(
      room: isName && isOwner ? "" : room,
      key: .libraryKey,
      reader: isName ? secret : "",
      viewport: .plain,
      reportsImages: reportsImages
    )
    NextNumber.$wantedName.withValue(room) {
      handle(.hello(hello), from: id, now: now, into: &sent)
    }
  }

  /// Receives a message as its bytes.
  mutating func handle(
    _ message: ClientMessage,
    from id: MemberID,
    role: UInt16 = 0,
    now: Double,
    into sent: inout Sent
  ) {
    handle(bytes: message.encoded(role: role), from: id, now: now, into: &sent)
  }

  mutating func handle(bytes: [UInt8], from id: MemberID, now: Double, into sent: inout Sent) {
    let client = client(of: id)
    bytes.withUnsafeBytes { gateway.received($0, from: client, now: now, clients: clients) }
    exchange(now: now, into: &sent)
  }

  mutating func leave(
    _ id: MemberID,
    code: UInt16 = 1006,
    now: Double,
    into sent: inout Sent
  ) {
    gateway.closed(client(of: id), code: code)
    exchange(now: now, into: &sent)
  }

  mutating func wake(now: Double, into sent: inout Sent) {
    gateway.wake(now: now, clients: clients)
    registry.wake(in: &turn[at: now])
    exchange(now: now, into: &sent)
  }

  /// Wakes the rooms and the gateway whenever they have to be woken up to a time.
  mutating func pass(to end: Double, into sent: inout Sent) {
    while let wake = wakeTime, wake <= end { self.wake(now: wake, into: &sent) }
  }

  /// Makes a member's connection accept nothing.
  mutating func block(_ id: MemberID) { clients.full.insert(client(of: id)) }

  /// Makes a member's connection accept messages again.
  mutating func unblock(_ id: MemberID, now: Double, into sent: inout Sent) {
    guard clients.full.remove(client(of: id)) != nil else { return }
    gateway.writable(client(of: id), now: now, clients: clients)
    exchange(now: now, into: &sent)
  }

  /// Replaces the state of the library.
  mutating func replace(catalogue: Catalogue, now: Double, into sent: inout Sent) {
    registry.replace(catalogue: catalogue, in: &turn[at: now])
    exchange(now: now, into: &sent)
  }

  /// Changes the rooms directly, without the gateway.
  mutating func host(
    now: Double,
    into sent: inout Sent,
    _ act: (inout RoomRegistry, inout Turn) -> Void
  ) {
    act(&registry, &turn[at: now])
    exchange(now: now, into: &sent)
  }

  /// Sends the goodbye of a process that stops.
  mutating func sayGoodbye(into sent: inout Sent, now: Double) {
    gateway.sayGoodbye(clients: clients)
    exchange(now: now, into: &sent)
  }

  /// Computes at once the arrangements that effects requested.
  /// - Returns: Whether there were any.
  @discardableResult
  mutating func arrange(asked: [Effects.Effect], now: Double, into sent: inout Sent) -> Bool {
    defer { exchange(now: now, into: &sent) }
    return registry.arrange(asked: asked, in: &turn[at: now])
  }

  // MARK: Messages

  private func client(of id: MemberID) -> ClientID {
    speakers.first { $0.value == id }?.key ?? id.client
  }

  private mutating func exchange(now: Double, into sent: inout Sent) {
    repeat {
      gateway.drainMessages(into: &messages)
      for message in messages { registry.receive(message, in: &turn[at: now]) }
      sent.list += turn.effects.list
      trace.add(turn.effects, at: now)
      for case .adopt(let newer, let member) in turn.effects.messages.list {
        sent.adoptions.append((newer, member))
        for (client, speaker) in speakers where speaker == member { speakers[client] = nil }
        for (client, speaker) in speakers where speaker == newer { speakers[client] = member }
      }
      gateway.deliver(turn.effects.messages, now: now, clients: clients)
      turn.effects.removeAll()
      for (client, bytes) in clients.sent {
        if let member = speakers[client] { sent.messages.append((member, bytes)) }
      }
      for (client, code) in clients.closed {
        if let member = speakers[client] { sent.closes.append((member, code)) }
      }
      (clients.sent, clients.closed) = ([], [])
    } while gateway.hasMessages
  }
}

extension MemberID {
  /// The first connection of a member in tests.
  var client: ClientID { ClientID(UInt64(rawValue)) }
}

/// The effects of rooms, and the messages to their members.
struct Sent {
  var list: [Effects.Effect] = []
  var messages: [(member: MemberID, bytes: [UInt8])] = []
  var closes: [(member: MemberID, code: UInt16)] = []
  /// The members that newer connections were adopted by, with the connections' own numbers.
  var adoptions: [(newer: MemberID, member: MemberID)] = []

  mutating func removeAll() { self = Sent() }

  /// Returns the messages to a member, in order.
  func messages(to id: MemberID) -> [[UInt8]] {
    messages.filter { $0.member == id }.map(\.bytes)
  }

  /// Returns the codes with which a member is closed.
  func closes(of id: MemberID) -> [UInt16] {
    closes.filter { $0.member == id }.map(\.code)
  }

  /// The members that receive anything.
  var addressees: Set<MemberID> { Set(messages.map(\.member)) }

  var inputs: [Input] {
    list.compactMap { if case .noteInput(let input, _, _) = $0 { input } else { nil } }
  }
}

/// Connections that accept everything, or nothing.
private final class TestClients: Clients {
  var full: Set<ClientID> = []
  var sent: [(client: ClientID, bytes: [UInt8])] = []
  var closed: [(client: ClientID, code: UInt16)] = []

  func send(_ bytes: UnsafeRawBufferPointer, to client: ClientID) -> Bool {
    guard !full.contains(client) else { return false }
    sent.append((client, Array(bytes)))
    return true
  }

  func close(_ client: ClientID, code: UInt16, reason: String) { closed.append((client, code)) }
}

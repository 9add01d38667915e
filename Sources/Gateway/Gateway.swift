package import Fabric
internal import Notices
internal import Rates
internal import Wire

/// Manages the connections of a process: limits what they send, knows the member behind each, and
/// delivers what each has not received yet.
///
/// A gateway knows no rooms. It forwards the members' messages as ``GatewayMessage`` values, which
/// ``drainMessages(into:)`` returns, and executes the ``HostMessages`` of a room host. It keeps the
/// current picture of each stream, so it can bring members up to date without the host. The caller
/// passes the time in, and sockets are behind ``Clients``; the same value serves real and simulated
/// connections.
package struct Gateway: Sendable {
  var connections: [Connection?] = []
  var streams: [StreamID: WatchedStream] = [:]
  private var freeSlots: [Int] = []
  private var slotsByClient: [ClientID: Int] = [:]
  var slotsByMember: [MemberID: Int] = [:]
  /// When each connection needs attention without input, by slot.
  private var wakeTimes = WakeTimes<Int>()
  /// When to free what streams need only in motion.
  var restTimes = WakeTimes<StreamID>()
  var outgoing: [GatewayMessage] = []
  /// The messages that are being published; kept to reuse its memory.
  var fanOut = FanOut()
  /// The members that have begun or ended to be here since they were last taken.
  var memberChanges: [MemberChange] = []
  /// The slot of the connection that sent a message last.
  var lastSender: Int?
  /// The bytes of an answer; kept to reuse their memory.
  private var answer: [UInt8] = []
  /// How far the clock of a stream's host is ahead of the one whose times are passed in, in
  /// seconds; nil if that is not known.
  ///
  /// The times of a stream are those of its host.
  package var clockLead: @Sendable (StreamID) -> Double? = { _ in 0 }
  /// The number of messages over their quota that were dropped or forwarded later.
  package internal(set) var droppedCount = 0

  /// Creates a gateway without connections.
  package init() {}

  /// When ``wake(now:clients:)`` has something to do, in seconds; nil at rest.
  package var wakeTime: Double? {
    guard let wake = wakeTimes.soonest else { return restTimes.soonest }
    return min(wake, restTimes.soonest ?? wake)
  }

  /// Removes and returns the messages for the room host, in order.
  package mutating func drainMessages(into messages: inout [GatewayMessage]) {
    messages.removeAll(keepingCapacity: true)
    swap(&messages, &outgoing)
  }

  /// Whether there are messages for the room host.
  package var hasMessages: Bool { !outgoing.isEmpty }

  /// Removes and returns what has changed about which members are here, in order, except the new
  /// ones that ``opened(_:as:from:now:)`` has named.
  package mutating func drainMemberChanges() -> [MemberChange] {
    defer { memberChanges = [] }
    return memberChanges
  }

  /// Whether there are such changes.
  package var hasMemberChanges: Bool { !memberChanges.isEmpty }

  /// Returns the connection of a member; nil if it has none here.
  package func client(of member: MemberID) -> ClientID? {
    slotsByMember[member].flatMap { connections[$0]?.client }
  }

  // MARK: Connections

  /// Handles a connection that opened; it has ``Intake/helloSeconds`` to send hello.
  /// - Parameters:
  ///   - client: The connection.
  ///   - member: A new number, by which a room host identifies the member behind the connection.
  ///   - peer: The peer's address in digits; for IPv6 its /64 prefix.
  ///   - now: The time, in seconds.
  package mutating func opened(
    _ client: ClientID,
    as member: MemberID,
    from peer: String,
    now: Double
  ) { add(Connection(client: client, peer: peer, member: member, intake: Intake(at: now))) }

  /// Continues with a connection that another gateway has removed, as a client of this one.
  package mutating func adopt(_ connection: Connection, as client: ClientID) {
    var connection = connection
    connection.client = client
    add(connection)
  }

  private mutating func add(_ connection: Connection) {
    let slot = freeSlots.popLast() ?? connections.count
    if slot == connections.count {
      connections.append(connection)
    } else {
      connections[slot] = connection
    }
    slotsByClient[connection.client] = slot
    if let member = connection.member { slotsByMember[member] = slot }
    noteWakeTime(of: slot)
  }

  /// Removes the connection of a member that watches nothing yet, so that another gateway can
  /// ``adopt(_:as:)`` it.
  package mutating func remove(_ member: MemberID) -> Connection? {
    guard let client = client(of: member) else { return nil }
    return remove(client)
  }

  private mutating func remove(_ client: ClientID) -> Connection? {
    guard let slot = slotsByClient.removeValue(forKey: client) else { return nil }
    unwatch(slot)
    if let member = connections[slot]?.member { slotsByMember[member] = nil }
    wakeTimes[slot] = nil
    freeSlots.append(slot)
    defer { connections[slot] = nil }
    return connections[slot]
  }

  /// Handles a message that a connection received.
  /// - Parameters:
  ///   - bytes: The whole message, which may be any bytes; valid during the call.
  ///   - client: The connection.
  ///   - now: The time, in seconds.
  ///   - clients: The connections.
  package mutating func received(
    _ bytes: UnsafeRawBufferPointer,
    from client: ClientID,
    now: Double,
    clients: some Clients
  ) {
    guard let slot = slotsByClient[client] else { return }
    do {
      let packet = try ClientPacket(decoding: bytes)
      guard let (member, verdict) = connections[slot]?.judge(packet, at: now) else { return }
      switch verdict {
      case .hello(let hello):
        outgoing.append(.hello(member, hello, peer: connections[slot]?.peer ?? ""))
      case .forward: forward(packet, from: member, at: slot, now: now, clients: clients)
      case .drop: droppedCount += 1
      case .tooOften:
        droppedCount += 1
        outgoing.append(.tooOften(member))
      case .close(let code): close(slot, code, clients: clients)
      }
    } catch {
      guard connections[slot]?.isClosing == false, connections[slot]?.member != nil else { return }
      guard let (code, closes) = connections[slot]?.intake.fail(error) else { return }
      let text = ServerMessage.error(
        code: code.rawValue,
        Notice(other: error.description)
      )
      send(text.encoded(), to: slot, clients: clients)
      if closes { close(slot, code, clients: clients) }
    }
    noteWakeTime(of: slot)
  }

  /// Forwards a message to the host, or answers a clock probe of an idle member.
  private mutating func forward(
    _ packet: ClientPacket,
    from member: MemberID,
    at slot: Int,
    now: Double,
    clients: some Clients
  ) {
    if connections[slot]?.probes.answers(packet.message) == true,
      case .clock(let clientTime) = packet.message, let stream = connections[slot]?.stream,
      let lead = clockLead(stream)
    {
      return answerProbe(clientTime, of: slot, serverTime: now + lead, clients: clients)
    }
    lastSender = slot
    outgoing.append(.packet(member, packet))
  }

  private mutating func answerProbe(
    _ clientTime: Double,
    of slot: Int,
    serverTime: Double,
    clients: some Clients
  ) {
    var bytes: [UInt8] = []
    swap(&bytes, &answer)
    ServerMessage.clock(clientTime: clientTime, serverTime: serverTime).encode(into: &bytes)
    send(bytes, to: slot, clients: clients)
    bytes.removeAll(keepingCapacity: true)
    swap(&bytes, &answer)
  }

  /// Handles a connection that rejected a message and accepts messages again.
  package mutating func writable(_ client: ClientID, now: Double, clients: some Clients) {
    guard let slot = slotsByClient[client], connections[slot]?.isClosing == false else { return }
    connections[slot]?.outbox.drain { clients.send($0, to: client) }
    guard connections[slot]?.outbox.isBlocked == false, let member = connections[slot]?.member
    else { return }
    switch connections[slot]?.outbox.resetMissed() {
    case .nothing, nil: break
    case .picture: showPicture(to: slot, withElements: false, now: now, clients: clients)
    case .elements: showPicture(to: slot, withElements: true, now: now, clients: clients)
    }
    if connections[slot]?.outbox.isBlocked == false { outgoing.append(.unblocked(member)) }
    noteWakeTime(of: slot)
  }

  /// Handles a connection that closed.
  /// - Parameters:
  ///   - client: The connection.
  ///   - code: The code with which it was closed; 1006 if it was lost.
  package mutating func closed(_ client: ClientID, code: UInt16) {
    guard let member = remove(client)?.member else { return }
    memberChanges.append(MemberChange(member, isHere: false))
    outgoing.append(.left(member, code: code))
  }

  /// Closes connections that sent no hello in time, forwards held messages, and sends frames to
  /// members that get few frames.
  package mutating func wake(now: Double, clients: some Clients) {
    for slot in dueSlots(at: now) {
      if connections[slot]?.intake.isLate(at: now) == true {
        close(slot, .policyViolation, clients: clients)
      } else if let member = connections[slot]?.member {
        let due = connections[slot]?.intake.due(at: now) ?? []
        outgoing += due.map { .packet(member, $0) }
      }
    }
    showOwedFrames(now: now, clients: clients)
    freeStreamsAtRest(now: now)
  }

  /// The time over which the members rejoin after a goodbye, and the time between two of them if
  /// they are few, in seconds.
  static let goodbyeSeconds = 5.0
  static let goodbyeApart = 0.005

  /// Sends a goodbye to all members because the process stops, with a different time to rejoin for
  /// each, so that they do not all rejoin at once.
  package mutating func sayGoodbye(clients: some Clients) {
    let members = slotsByMember.sorted { $0.key.rawValue < $1.key.rawValue }
    let apart = min(Self.goodbyeApart, Self.goodbyeSeconds / Double(max(1, members.count)))
    for (place, (_, slot)) in members.enumerated() where connections[slot]?.intake.isWelcome == true
    {
      send(
        ServerMessage.goodbye(comeBackAfter: Double(place) * apart).encoded(),
        to: slot,
        clients: clients
      )
    }
  }

  // MARK: Internal helpers

  /// Frees what streams need only in motion, where nothing has moved for long enough.
  private mutating func freeStreamsAtRest(now: Double) {
    for stream in restTimes.due(at: now) {
      let rest = streams[stream]?.replica.rest(at: now)
      restTimes[stream] = rest ?? nil
    }
  }

  /// Updates the time at which a connection next needs attention.
  mutating func noteWakeTime(of slot: Int) { wakeTimes[slot] = connections[slot]?.wakeTime }

  /// Returns the slots of the connections that need attention by a given time, in ascending order.
  func dueSlots(at now: Double) -> [Int] { wakeTimes.due(at: now) }

  mutating func close(_ slot: Int, _ code: CloseCode, clients: some Clients) {
    close(slot, code: code.rawValue, reason: code.meaning, clients: clients)
  }

  mutating func close(_ slot: Int, code: UInt16, reason: String, clients: some Clients) {
    guard let client = connections[slot]?.client, connections[slot]?.isClosing == false else {
      return
    }
    connections[slot]?.isClosing = true
    unwatch(slot)
    noteWakeTime(of: slot)
    clients.close(client, code: code, reason: reason)
  }
}

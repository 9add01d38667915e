package import Fabric
internal import Notices
internal import Rates
internal import Wire

/// Manages the connections of a process: limits what they send, knows the member behind each, and
/// delivers what each has not received yet.
///
/// A gateway knows no rooms. It forwards the members' messages as ``GatewayMessage`` values, which
/// ``takeMessages(into:)`` returns, and executes the ``HostMessages`` of a room host. It keeps the
/// current picture of each stream, so it can bring members up to date without the host. The caller
/// passes the time in, and sockets are behind ``Lines``; the same value serves real and simulated
/// connections.
package struct Gateway: Sendable {
  var connections: [Connection?] = []
  var streams: [StreamID: WatchedStream] = [:]
  private var freeSlots: [Int] = []
  private var slotsByLine: [LineID: Int] = [:]
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

  /// When ``wake(now:lines:)`` has something to do, in seconds; nil at rest.
  package var wakeTime: Double? {
    guard let wake = wakeTimes.soonest else { return restTimes.soonest }
    return min(wake, restTimes.soonest ?? wake)
  }

  /// Removes and returns the messages for the room host, in order.
  package mutating func takeMessages(into messages: inout [GatewayMessage]) {
    messages.removeAll(keepingCapacity: true)
    swap(&messages, &outgoing)
  }

  /// Whether there are messages for the room host.
  package var hasMessages: Bool { !outgoing.isEmpty }

  /// Removes and returns what has changed about which members are here, in order, except the new
  /// ones that ``opened(_:as:from:now:)`` has named.
  package mutating func takeMemberChanges() -> [MemberChange] {
    defer { memberChanges = [] }
    return memberChanges
  }

  /// Whether there are such changes.
  package var hasMemberChanges: Bool { !memberChanges.isEmpty }

  /// Returns the connection of a member; nil if it has none here.
  package func line(of member: MemberID) -> LineID? {
    slotsByMember[member].flatMap { connections[$0]?.line }
  }

  // MARK: Connections

  /// Handles a connection that opened; it has ``Intake/helloSeconds`` to send hello.
  /// - Parameters:
  ///   - line: The connection.
  ///   - member: A new number, by which a room host identifies the member behind the connection.
  ///   - peer: The peer's address in digits; for IPv6 its /64 prefix.
  ///   - now: The time, in seconds.
  package mutating func opened(
    _ line: LineID,
    as member: MemberID,
    from peer: String,
    now: Double
  ) { add(Connection(line: line, peer: peer, member: member, intake: Intake(at: now))) }

  /// Continues with a connection that another gateway has removed, as a line of this one.
  package mutating func adopt(_ connection: Connection, as line: LineID) {
    var connection = connection
    connection.line = line
    add(connection)
  }

  private mutating func add(_ connection: Connection) {
    let slot = freeSlots.popLast() ?? connections.count
    if slot == connections.count {
      connections.append(connection)
    } else {
      connections[slot] = connection
    }
    slotsByLine[connection.line] = slot
    if let member = connection.member { slotsByMember[member] = slot }
    noteWakeTime(of: slot)
  }

  /// Removes the connection of a member that watches nothing yet, so that another gateway can
  /// ``adopt(_:as:)`` it.
  package mutating func remove(_ member: MemberID) -> Connection? {
    guard let line = line(of: member) else { return nil }
    return remove(line)
  }

  private mutating func remove(_ line: LineID) -> Connection? {
    guard let slot = slotsByLine.removeValue(forKey: line) else { return nil }
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
  ///   - line: The connection.
  ///   - now: The time, in seconds.
  ///   - lines: The connections.
  package mutating func received(
    _ bytes: UnsafeRawBufferPointer,
    over line: LineID,
    now: Double,
    lines: some Lines
  ) {
    guard let slot = slotsByLine[line] else { return }
    do {
      let packet = try ClientPacket(decoding: bytes)
      guard let (member, verdict) = connections[slot]?.judge(packet, at: now) else { return }
      switch verdict {
      case .hello(let hello):
        outgoing.append(.hello(member, hello, peer: connections[slot]?.peer ?? ""))
      case .forward: forward(packet, from: member, at: slot, now: now, lines: lines)
      case .drop: droppedCount += 1
      case .tooOften:
        droppedCount += 1
        outgoing.append(.tooOften(member))
      case .close(let code): close(slot, code, lines: lines)
      }
    } catch {
      guard connections[slot]?.isClosing == false, connections[slot]?.member != nil else { return }
      guard let (code, closes) = connections[slot]?.intake.fail(error) else { return }
      let text = ServerMessage.error(
        code: code.rawValue,
        Notice(other: error.description)
      )
      send(text.encoded(), to: slot, lines: lines)
      if closes { close(slot, code, lines: lines) }
    }
    noteWakeTime(of: slot)
  }

  /// Forwards a message to the host, or answers a clock probe of an idle member.
  private mutating func forward(
    _ packet: ClientPacket,
    from member: MemberID,
    at slot: Int,
    now: Double,
    lines: some Lines
  ) {
    if connections[slot]?.probes.answers(packet.message) == true,
      case .clock(let clientTime) = packet.message, let stream = connections[slot]?.stream,
      let lead = clockLead(stream)
    {
      return answerProbe(clientTime, of: slot, serverTime: now + lead, lines: lines)
    }
    lastSender = slot
    outgoing.append(.packet(member, packet))
  }

  private mutating func answerProbe(
    _ clientTime: Double,
    of slot: Int,
    serverTime: Double,
    lines: some Lines
  ) {
    var bytes: [UInt8] = []
    swap(&bytes, &answer)
    ServerMessage.clock(clientTime: clientTime, serverTime: serverTime).encode(into: &bytes)
    send(bytes, to: slot, lines: lines)
    bytes.removeAll(keepingCapacity: true)
    swap(&bytes, &answer)
  }

  /// Handles a connection that rejected a message and accepts messages again.
  package mutating func writable(_ line: LineID, now: Double, lines: some Lines) {
    guard let slot = slotsByLine[line], connections[slot]?.isClosing == false else { return }
    connections[slot]?.outbox.drain { lines.send($0, over: line) }
    guard connections[slot]?.outbox.isBlocked == false, let member = connections[slot]?.member
    else { return }
    switch connections[slot]?.outbox.takeMissed() {
    case .nothing, nil: break
    case .picture: showPicture(to: slot, withElements: false, now: now, lines: lines)
    case .elements: showPicture(to: slot, withElements: true, now: now, lines: lines)
    }
    if connections[slot]?.outbox.isBlocked == false { outgoing.append(.unblocked(member)) }
    noteWakeTime(of: slot)
  }

  /// Handles a connection that closed.
  /// - Parameters:
  ///   - line: The connection.
  ///   - code: The code with which it was closed; 1006 if it was lost.
  package mutating func closed(_ line: LineID, code: UInt16) {
    guard let member = remove(line)?.member else { return }
    memberChanges.append(MemberChange(member, isHere: false))
    outgoing.append(.left(member, code: code))
  }

  /// Closes connections that sent no hello in time, forwards held messages, and sends frames to
  /// members that get few frames.
  package mutating func wake(now: Double, lines: some Lines) {
    for slot in dueSlots(at: now) {
      if connections[slot]?.intake.isLate(at: now) == true {
        close(slot, .policyViolation, lines: lines)
      } else if let member = connections[slot]?.member {
        let due = connections[slot]?.intake.due(at: now) ?? []
        outgoing += due.map { .packet(member, $0) }
      }
    }
    showOwedFrames(now: now, lines: lines)
    freeStreamsAtRest(now: now)
  }

  /// The time over which the members rejoin after a goodbye, and the time between two of them if
  /// they are few, in seconds.
  static let goodbyeSeconds = 5.0
  static let goodbyeApart = 0.01

  /// Sends a goodbye to all members because the process stops, with a different time to rejoin for
  /// each, so that they do not all rejoin at once.
  package mutating func sayGoodbye(lines: some Lines) {
    let members = slotsByMember.sorted { $0.key.rawValue < $1.key.rawValue }
    let apart = min(Self.goodbyeApart, Self.goodbyeSeconds / Double(max(1, members.count)))
    for (place, (_, slot)) in members.enumerated() where connections[slot]?.intake.isWelcome == true
    {
      send(
        ServerMessage.goodbye(comeBackAfter: Double(place) * apart).encoded(),
        to: slot,
        lines: lines
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

  mutating func close(_ slot: Int, _ code: CloseCode, lines: some Lines) {
    close(slot, code: code.rawValue, reason: code.meaning, lines: lines)
  }

  mutating func close(_ slot: Int, code: UInt16, reason: String, lines: some Lines) {
    guard let line = connections[slot]?.line, connections[slot]?.isClosing == false else { return }
    connections[slot]?.isClosing = true
    unwatch(slot)
    noteWakeTime(of: slot)
    lines.close(line, code: code, reason: reason)
  }
}

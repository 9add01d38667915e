public import Fabric
internal import Wire

/// Manages the connections of a process: limits what they send, knows the member behind each, and
/// delivers what each has not received yet.
///
/// A gateway knows no rooms. It forwards the members' messages as ``GatewayMessage`` values, which
/// ``takeMessages(into:)`` returns, and carries out the ``HostMessages`` of a room host. It keeps
/// the current picture of each stream, so it can bring members up to date by itself. The caller
/// passes the time in, and sockets are behind ``Lines``; the same value serves real and simulated
/// connections.
public struct Gateway: Sendable {
  var connections: [Connection?] = []
  var streams: [StreamID: WatchedStream] = [:]
  private var freeSlots: [Int] = []
  private var slotsByLine: [LineID: Int] = [:]
  var slotsByMember: [MemberID: Int] = [:]
  /// When connections have something to do by themselves, by their slots.
  private var wakeTimes: [Int: Double] = [:]
  var outgoing: [GatewayMessage] = []
  /// How many messages came too often and were dropped, or were forwarded only later.
  public internal(set) var droppedCount = 0

  /// Creates a gateway without connections.
  public init() {}

  /// How many connections there are.
  public var connectionCount: Int { slotsByLine.count }

  /// When ``wake(now:lines:)`` has something to do, in seconds; nil at rest.
  public var wakeTime: Double? { wakeTimes.isEmpty ? nil : wakeTimes.values.min() }

  /// Hands out what a room host has to hear, in order.
  public mutating func takeMessages(into messages: inout [GatewayMessage]) {
    messages.removeAll(keepingCapacity: true)
    swap(&messages, &outgoing)
  }

  /// Whether a room host has to hear something.
  public var hasMessages: Bool { !outgoing.isEmpty }

  /// The member that speaks over a connection; nil if none does.
  public func member(of line: LineID) -> MemberID? {
    slotsByLine[line].flatMap { connections[$0]?.member }
  }

  // MARK: Connections

  /// A connection opened; it has ``Intake/helloSeconds`` to say hello.
  /// - Parameters:
  ///   - line: The connection.
  ///   - member: A new number, under which a room host will know whoever speaks over it.
  ///   - peer: The address that it comes from, in digits; of IPv6 the /64.
  ///   - now: The time, in seconds.
  public mutating func opened(
    _ line: LineID,
    as member: MemberID,
    from peer: String,
    now: Double
  ) {
    let intake = Intake(at: now)
    let connection = Connection(line: line, peer: peer, member: member, intake: intake)
    let slot = freeSlots.popLast() ?? connections.count
    if slot == connections.count {
      connections.append(connection)
    } else {
      connections[slot] = connection
    }
    slotsByLine[line] = slot
    slotsByMember[member] = slot
    noteWakeTime(of: slot)
  }

  /// A connection sent a message.
  /// - Parameters:
  ///   - bytes: The whole message, any bytes at all; valid during the call.
  ///   - line: The connection.
  ///   - now: The time, in seconds.
  ///   - lines: The connections.
  public mutating func received(
    _ bytes: UnsafeRawBufferPointer,
    over line: LineID,
    now: Double,
    lines: some Lines
  ) {
    guard let slot = slotsByLine[line], let member = connections[slot]?.member,
      connections[slot]?.isClosing == false
    else { return }
    do {
      let packet = try ClientPacket(decoding: bytes)
      switch connections[slot]?.intake.judge(packet, at: now) {
      case .hello(let hello):
        outgoing.append(.hello(member, hello, peer: connections[slot]?.peer ?? ""))
      case .forward: outgoing.append(.packet(member, packet))
      case .drop: droppedCount += 1
      case .tooOften:
        droppedCount += 1
        outgoing.append(.tooOften(member))
      case .close(let code): close(slot, code, lines: lines)
      case nil: break
      }
    } catch {
      let code = connections[slot]?.intake.fail(error)
      let text = ServerMessage.error(code: error.closeCode.rawValue, message: error.description)
      send(text.encoded(), to: slot, lines: lines)
      if let code { close(slot, code, lines: lines) }
    }
    noteWakeTime(of: slot)
  }

  /// A connection that refused a message takes messages again.
  public mutating func writable(_ line: LineID, now: Double, lines: some Lines) {
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

  /// A connection is gone.
  /// - Parameters:
  ///   - line: The connection.
  ///   - code: The code that it was closed with; 1006 if it was lost.
  public mutating func closed(_ line: LineID, code: UInt16) {
    guard let slot = slotsByLine.removeValue(forKey: line) else { return }
    unwatch(slot)
    if let member = connections[slot]?.member {
      slotsByMember[member] = nil
      outgoing.append(.left(member, code: code))
    }
    connections[slot] = nil
    wakeTimes[slot] = nil
    freeSlots.append(slot)
  }

  /// Closes connections without a hello, forwards messages that had to wait, and shows frames to
  /// members that get few.
  public mutating func wake(now: Double, lines: some Lines) {
    for slot in wakeTimes.filter({ $0.value <= now }).keys.sorted() {
      if connections[slot]?.intake.isLate(at: now) == true {
        close(slot, .policyViolation, lines: lines)
      } else if let member = connections[slot]?.member {
        let due = connections[slot]?.intake.due(at: now) ?? []
        outgoing += due.map { .packet(member, $0) }
      }
    }
    showOwedFrames(now: now, lines: lines)
  }

  // MARK: For its own use

  /// Notes when a connection has something to do by itself.
  mutating func noteWakeTime(of slot: Int) {
    guard let time = connections[slot]?.wakeTime else {
      if !wakeTimes.isEmpty { wakeTimes[slot] = nil }
      return
    }
    if wakeTimes[slot] != time { wakeTimes[slot] = time }
  }

  /// The connections that have something to do by an instant, in the order of their slots.
  func dueSlots(at now: Double) -> [Int] {
    wakeTimes.isEmpty ? [] : wakeTimes.filter { $0.value <= now }.keys.sorted()
  }

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

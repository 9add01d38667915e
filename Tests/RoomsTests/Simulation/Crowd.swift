import Fabric
import Scene
import Staging
import TestVectors
import Wire

@testable import Gateway
@testable import Rooms

/// People on connections of all kinds, and a server that serves them as the real one does;
/// everything follows from a seed.
///
/// The checks are in `Crowd+Checks.swift`; a fault ends the simulation with a ``Violation``.
final class Crowd {
  enum Event {
    case come(CrowdMember)
    case act(CrowdConnection)
    case ack(CrowdConnection)
    case up(CrowdConnection, ClientMessage, role: UInt16)
    case down(CrowdConnection, CrowdParcel)
    case writable(CrowdConnection)
    case closed(CrowdConnection, code: UInt16?)
    case load(room: String, MemberID)
    case library
  }

  /// Knowledge about a room that is independent of the room.
  struct RoomModel {
    var truth = CrowdTruth()
    var own: [MemberID: CrowdTruth] = [:]
    var recorder: CrowdRecorder?
    var links: LinksEvent?
  }

  /// How far a simulation came; a simulation in which nothing happens tests nothing.
  struct Counts: Equatable {
    var frames = 0, unknownFrames = 0, stale = 0, refused = 0, adopted = 0, wanderers = 0
    var recordings = 0, playbacks = 0, passages = 0, tooSlow = 0, thinned = 0
    var comings = 0, catchUps = 0, presenterLost = 0
    var shownToGuests = 0, hostsOut = 0, guestsOut = 0, brought = 0
    /// The frames with a bent leaf, and how many of them were the first of a member or made up for
    /// lost ones.
    var bent = 0, bentSnapshots = 0
    /// The maximum that ever waited for one member, beyond the buffer of its connection.
    var waitingBytes = 0, waitingMessages = 0
  }

  static let roomNames = ["EAST", "WEST"]

  var now = 100.0
  var random: SplitMix64
  var rooms: RoomRegistry
  var gateway = Gateway()
  var turn = Turn(environment: .counted())
  let clients = CrowdClients()
  var agenda = CrowdAgenda<Event>()
  var members: [CrowdMember] = []
  var connections: [MemberID: CrowdConnection] = [:]
  var models: [String: RoomModel] = [:]
  var roomOf: [MemberID: String] = [:]
  /// The session of each member when it was last looked at.
  var truthOf: [MemberID: CrowdTruth] = [:]
  /// The sessions whose frames each member may receive in the current step.
  var truthsNow: [MemberID: [CrowdTruth]] = [:]
  var transcripts: [Transcript] = []
  /// The books that guests were allowed to see at the end of the last step, by the room's name.
  var sharedBefore: [String: Set<String>] = [:]
  /// The members that were outside the shared book at the end of the last step.
  var outBefore: Set<MemberID> = []
  var counts = Counts()
  /// A hash of all messages with their times and recipients.
  var trace = Trace()
  /// Since when the shared book of a room is closed although nothing moves.
  var closedSince: [String: Double] = [:]
  /// Whether members start nothing new.
  var isEnding = false
  let notes: Bool
  /// The pause between two actions of a member, in seconds.
  let leisure: Double
  var inbox: [GatewayMessage] = []
  private var lastMember: UInt32 = 0

  init(seed: UInt64, people: Int) {
    random = SplitMix64(seed: seed)
    notes = seed.isMultiple(of: 3)
    leisure = 0.25 + Double(people) / 100
    rooms = RoomRegistry(catalogue: .varied, notes: notes)
    for place in 0..<people {
      let name = Self.roomNames[place < 2 ? place : random.happens(0.85) ? 0 : 1]
      members.append(CrowdMember(place: place, room: name, seed: random.next()))
      let time = place < 2 ? now : now + .random(in: 0.5...4, using: &random)
      agenda.add(.come(members[place]), at: time)
    }
    clients.crowd = self
    for place in 1...10 { agenda.add(.library, at: now + 7 * Double(place)) }
  }

  func run(seconds: Double) throws {
    try pass(until: now + seconds)
    try end()
  }

  /// The time at which the rooms or the gateway have work to do; nil at rest.
  var wakeTime: Double? {
    let next = min(rooms.wakeTime ?? .infinity, gateway.wakeTime ?? .infinity)
    return next.isFinite ? next : nil
  }

  /// Runs all events until a given time.
  func pass(until end: Double) throws {
    var wakes = 0
    while true {
      let next = agenda.nextTime
      if let wake = wakeTime, wake <= next {
        guard wake <= end else { break }
        wakes = wake <= now ? wakes + 1 : 0
        guard wakes < 100 else { throw Violation("the rooms want to be woken again and again") }
        now = max(now, wake)
        gateway.wake(now: now, clients: clients)
        rooms.wake(in: &turn[at: now])
        try carryOut()
      } else {
        guard next <= end, let event = agenda.removeFirst() else { break }
        now = max(now, next)
        try happen(event)
      }
    }
    now = end
  }

  private func happen(_ event: Event) throws {
    switch event {
    case .come(let member): come(member)
    case .act(let connection): try act(connection)
    case .ack(let connection):
      guard connection.person.connection === connection else { return }
      if let ack = connection.person.ack() { say(ack, connection.person) }
      if !isEnding { agenda.add(event, at: now + 1) }
    case .up(let connection, let message, let role):
      guard !connection.isTorn, !connection.isClosing,
        connections[connection.member] === connection
      else { return }
      try handle(message, role: role, connection)
    case .down(let connection, let parcel):
      guard connection.person.connection === connection else { return }
      try deliver(parcel, connection)
    case .writable(let connection): try drain(connection)
    case .closed(let connection, let code): try closed(connection, code: code)
    case .load(let room, let member):
      guard let transcript = transcripts.last else { return }
      rooms.play(
        Playback(transcript, numbers: rooms.library.numbers, at: 0),
        in: room,
        for: member,
        in: &turn[at: now]
      )
      counts.playbacks += 1
      try carryOut()
    case .library: try changeLibrary()
    }
  }

  // MARK: People

  private func come(_ member: CrowdMember) {
    guard !member.isGone, !isEnding, member.connection == nil else { return }
    let name = member.room
    var isByCode = false
    if let links = models[name]?.links, member.key.isEmpty || random.happens(0.1) {
      let chance = Double.random(in: 0..<1, using: &random)
      member.key =
        chance < 0.5 ? links.follow : chance < 0.75 ? links.present : links.host
      isByCode = chance < 0.12
      if isByCode { (member.key, member.room) = (links.code, "") }
      if chance > 0.98 { member.key = "nonsense" }
    }
    lastMember += 1
    let id = MemberID(lastMember)
    let connection = CrowdConnection(member, member: id, seed: random.next())
    connections[id] = connection
    member.connection = connection
    counts.comings += 1
    gateway.opened(connection.id, as: id, from: member.address, now: now)
    clients.connections[connection.id] = connection
    say(member.hello(), member)
    if isByCode { (member.room, member.key) = (name, "") }
    // The owners share their rooms immediately; nobody else can join before that.
    let pause = Double.random(in: 0...leisure, using: &random)
    agenda.add(.act(connection), at: now + (member.place < 2 ? min(pause, 0.2) : pause))
    agenda.add(.ack(connection), at: now + 1)
  }

  /// Sends a message with the role's number that the page last received.
  func say(_ message: ClientMessage, _ member: CrowdMember) {
    guard let connection = member.connection else { return }
    let time = connection.link.say(at: now)
    agenda.add(.up(connection, message, role: member.role?.number ?? 0), at: time)
  }

  private func act(_ connection: CrowdConnection) throws {
    let member = connection.person
    guard member.connection === connection, !isEnding else { return }
    // The owners share their rooms before they do anything else.
    if member.place < 2, models[member.room]?.links == nil, member.role != nil {
      say(.go(book: "0/4", opens: true, page: 20), member)
      say(.share, member)
      say(.settings(RoomSettings(policy: .passTheBook)), member)
      return agenda.add(.act(connection), at: now + 1)
    }
    if member.drag == nil, random.happens(0.04) { try disturb(connection) }
    guard member.connection === connection else { return }
    let (messages, soon) = member.action(now: now)
    for message in messages { say(message, member) }
    let pause = soon ?? .random(in: 0...2 * leisure, using: &random)
    agenda.add(.act(connection), at: now + pause)
  }

  /// Disturbs a connection in a random way.
  private func disturb(_ connection: CrowdConnection) throws {
    let member = connection.person
    switch Double.random(in: 0..<1, using: &random) {
    case ..<0.4:
      let seconds = random.happens(0.15) ? 14 : Double.random(in: 0.2...3, using: &random)
      connection.link.stall(for: seconds, at: now)
    case ..<0.85:
      connection.isTorn = true
      connection.link.tear(at: now)
      member.connection = nil
      let notice = Double.random(in: 0.01...(random.happens(0.5) ? 0.3 : 13), using: &random)
      agenda.add(.closed(connection, code: nil), at: now + notice)
      comeBack(member)
    default:
      // The owner stays reachable, because it shares a room again after the session has ended.
      member.isGone = random.happens(0.3) && member.place >= 2
      member.connection = nil
      agenda.add(.closed(connection, code: nil), at: now + connection.link.delay)
      member.resume = ""
      agenda.add(.come(member), at: now + .random(in: 0.2...5, using: &random))
    }
  }

  private func comeBack(_ member: CrowdMember) {
    if random.happens(0.12) { member.resume = "" }
    let chance = Double.random(in: 0..<1, using: &random)
    let pause: ClosedRange<Double> = chance < 0.7 ? 0.02...3 : chance < 0.95 ? 3...30 : 61...70
    let seconds = Double.random(in: pause, using: &random)
    // When a session has ended, all others wait for the room's owner.
    agenda.add(.come(member), at: now + (member.place < 2 ? min(seconds, 1) : seconds))
  }

  /// Closes a connection: the page learns the reason, and the server that the connection is gone.
  private func closed(_ connection: CrowdConnection, code: UInt16?) throws {
    guard !connection.isOver else { return }
    connection.isOver = true
    let member = connection.person
    if member.connection === connection {
      member.connection = nil
      try react(member, to: code.flatMap { CloseCode(rawValue: $0) })
    }
    clients.connections[connection.id] = nil
    let isCurrent = connections[connection.member] === connection
    if isCurrent { connections[connection.member] = nil }
    if isCurrent, rooms.room(named: roomOf[connection.member] ?? "")?.presenter == connection.member
    {
      counts.presenterLost += 1
    }
    gateway.closed(connection.id, code: code ?? 1006)
    try carryOut()
  }

  private func react(_ member: CrowdMember, to code: CloseCode?) throws {
    switch code {
    case .keyNeeded: (member.key, member.resume) = ("", "")
    // The room's owner has not joined yet, or its lost connection is not closed yet.
    case .locked, .roomGone, .elsewhere: break
    case .shownOut, .ended: (member.key, member.resume) = ("", "")
    case .tooSlow: counts.tooSlow += 1
    case .tooManyTries: member.isGone = true
    default: throw Violation("member \(member.place) was closed with \(code.map { "\($0)" } ?? "")")
    }
    // Members that wait for a room to be shared try again soon.
    let waits: ClosedRange<Double> = models[member.room]?.links == nil ? 0.1...0.4 : 1...8
    let soon = code == .tooSlow ? 0.1 : Double.random(in: waits, using: &random)
    agenda.add(.come(member), at: now + soon)
  }

  private func changeLibrary() throws {
    guard !isEnding else { return }
    var next = Catalogue.varied
    for shelf in next.collections.indices {
      next.collections[shelf].books.removeAll { $0.id != "0/4" && random.happens(0.2) }
      for book in next.collections[shelf].books.indices where random.happens(0.3) {
        next.collections[shelf].books[book].lastRead = .random(in: 0...9, using: &random)
      }
    }
    if random.happens(0.1) { next.collections.removeFirst() }
    rooms.replace(catalogue: next, in: &turn[at: now])
    try carryOut()
  }

  // MARK: Effects

  /// Carries messages between the gateway and the rooms, as a server does.
  func carryOut() throws {
    repeat {
      gateway.drainMessages(into: &inbox)
      for message in inbox { rooms.receive(message, in: &turn[at: now]) }
      try deliver()
    } while gateway.hasMessages
    for name in Self.roomNames { rooms.room(named: name).map(noteShared) }
  }

  private func deliver() throws {
    let done = turn.effects
    turn.effects.removeAll()
    guard !done.list.isEmpty || !done.messages.isEmpty else { return }
    trace.add(done, at: now)
    // Recorded events first: they determine what the frames must be.
    for effect in done.list { try note(effect) }
    try noteShared()
    truthsNow.removeAll(keepingCapacity: true)
    for case .adopt(let newer, let member) in done.messages.list { adopt(newer, as: member) }
    // A guest may leave the shared book for its shelf and open it again in a single step.
    for case .end(let stream) in done.messages.list {
      guard let member = stream.wanderer, let room = room(of: member),
        room.libraryOutside(for: member) != nil
      else { continue }
      outBefore.insert(member)
    }
    for connection in clients.connections.values where connection.awaitsWritable {
      connection.noteWaiting(try truths(for: connection.member))
    }
    gateway.deliver(done.messages, now: now, clients: clients)
    if let fault = clients.drainFault() { throw fault }
    for case .loadRecording(_, let room, let id) in done.list {
      agenda.add(.load(room: room, id), at: now + .random(in: 0.01...0.3, using: &random))
    }
    try checkStep(done)
    if rooms.arrange(asked: done.list, in: &turn[at: now]) { try deliver() }
  }

  /// Sends a message over a connection, if its buffer accepts it.
  func send(_ bytes: UnsafeRawBufferPointer, over connection: CrowdConnection) throws -> Bool {
    guard !connection.isClosing else { return false }
    guard connection.link.takes(at: now) else {
      counts.refused += 1
      connection.noteWaiting(try truths(for: connection.member))
      if !connection.awaitsWritable, let time = connection.link.writableTime(at: now) {
        connection.awaitsWritable = true
        agenda.add(.writable(connection), at: time)
      }
      return false
    }
    let parcel = try CrowdParcel(Array(bytes))
    if (0x83...0x85).contains(parcel.bytes[0]) {
      parcel.truths = try truths(for: connection.member)
      if clients.waitingCount > 0 { parcel.truths += connection.waitingTruths }
    }
    // Messages that waited were allowed for their member when they were sent.
    if clients.waitingCount > 0 {
      clients.waitingCount -= 1
    } else {
      try checkIntroduced(parcel, to: [connection.member])
    }
    if let time = connection.link.send(parcel.bytes.count, at: now) {
      agenda.add(.down(connection, parcel), at: time)
    }
    return true
  }

  private func drain(_ connection: CrowdConnection) throws {
    connection.awaitsWritable = false
    guard !connection.isTorn, !connection.isOver, connections[connection.member] === connection
    else { return }
    let waiting = gateway.waiting(for: connection.member)
    counts.waitingBytes = max(counts.waitingBytes, waiting.bytes)
    counts.waitingMessages = max(counts.waitingMessages, waiting.messages)
    clients.waitingCount = waiting.messages
    gateway.writable(connection.id, now: now, clients: clients)
    clients.waitingCount = 0
    if gateway.waiting(for: connection.member).messages == 0 { connection.noteDrained() }
    if let fault = clients.drainFault() { throw fault }
    try carryOut()
  }

  func close(_ connection: CrowdConnection?, code: UInt16) {
    guard let connection, !connection.isClosing else { return }
    connection.isClosing = true
    // A reader that reads nothing never leaves room for a goodbye.
    let time = min(connection.link.send(20, at: now) ?? .infinity, now + 5)
    agenda.add(.closed(connection, code: code), at: time)
  }

  private func adopt(_ newer: MemberID, as member: MemberID) {
    guard let connection = connections.removeValue(forKey: newer) else { return }
    counts.adopted += 1
    connections[member] = connection
    connection.member = member
  }
}

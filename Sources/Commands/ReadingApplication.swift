internal import Foundation
internal import Library
internal import Recording
internal import Rooms
internal import Scene
internal import Staging
internal import Telemetry
internal import WebServer
internal import Wire

/// Joins the sockets to the rooms: hands messages in, carries the rooms' effects out.
///
/// Lives on the service thread.
final class ReadingApplication: WebApplication {
  private(set) weak var server: WebServer?
  private(set) var address: ServerAddress?

  private let library: BookLibrary
  private let sources: Site.Sources
  /// Made when it is first asked for, since it asks the rooms in turn.
  private lazy var site = Site(sources, host: self)
  private let recorders: RoomRecorders
  private let keeper: PlaceKeeper
  private let roomKeeper: RoomKeeper
  private var rooms: RoomRegistry
  private var effects = Effects()
  private var members: [ConnectionID: MemberID] = [:]
  private var connections: [MemberID: ConnectionID] = [:]
  /// What was said to one member alone and its socket has not taken yet, oldest first.
  private var waiting: [MemberID: [[UInt8]]] = [:]
  /// Where members come from, for the audit.
  private var peers: [MemberID: String] = [:]
  private var audit: Audit { sources.audit }
  private var lastMember: UInt32 = 0
  /// Rooms for which a recording is being read, and what reads them.
  private var loading: Set<String> = []
  private let loader = WorkerPool(width: 1)
  private let arranger = Arranger()
  private let numbers: ElementNumbers
  private var metrics: MessageMetrics { sources.metrics.messages }

  /// Opens the rooms of a library, which is shown with its numbers.
  init(
    _ sources: Site.Sources,
    shown: ShownLibrary,
    numbers: ElementNumbers,
    recorders: RoomRecorders,
    log: Log
  ) {
    self.sources = sources
    self.numbers = numbers
    self.recorders = recorders
    let (library, access) = (sources.library, sources.access)
    self.library = library
    keeper = PlaceKeeper(library: library, log: log)
    roomKeeper = RoomKeeper(library: library, log: log)
    rooms = RoomRegistry(
      library: shown,
      environment: .ofThisServer(
        libraryKey: access.library.isOpen ? nil : access.library.digest,
        adminKey: access.admin
      ),
      notes: recorders.recordsAll,
      readers: keeper.load(),
      records: roomKeeper.load()
    )
  }

  /// A server listens for this application.
  func listens(_ server: WebServer, at address: ServerAddress) {
    self.server = server
    self.address = address
  }

  /// The library has changed.
  func libraryChanged(_ update: LibraryUpdate) {
    rooms.replace(update, now: WebServer.now(), into: &effects)
    _ = carryOut()
  }

  /// The recording of a room has ended by itself, for a reason.
  func recordingEnded(room: String, reason: String) {
    rooms.endRecording(room, reason: reason, now: WebServer.now(), into: &effects)
    _ = carryOut()
  }

  /// Waits until all that was to be kept is kept.
  func finish() {
    recorders.finish(at: WebServer.now())
    keeper.finish()
    roomKeeper.finish()
  }

  func refused(_ cause: String, to peer: String) { audit.noteRefusal(cause, to: peer) }

  /// The codes that somebody is refused with: keys, locks, bans and numbers.
  private static let refusals = Set(
    [
      CloseCode.policyViolation, .tooManyErrors, .roomFull, .keyNeeded, .locked, .tooManyTries,
      .tooManyRooms,
    ].map(\.rawValue)
  )

  // MARK: WebSocket

  func opened(_ connection: ConnectionID, from peer: String, now: Double) {
    lastMember &+= 1
    let member = MemberID(lastMember)
    members[connection] = member
    connections[member] = connection
    peers[member] = peer
    rooms.opened(member, from: peer, now: now)
    server?.schedule(at: rooms.wakeTime)
  }

  func received(_ connection: ConnectionID, _ bytes: UnsafeRawBufferPointer, now: Double) {
    guard let member = members[connection] else { return }
    rooms.receive(bytes, from: member, now: now, into: &effects)
    metrics.received.add()
    guard carryOut() else { return }
    metrics.inputToFrame.observe(WebServer.now() - now)
  }

  func becameWritable(_ connection: ConnectionID, now: Double) {
    guard let member = members[connection], sendWaiting(to: member) else { return }
    rooms.becameWritable(member, now: now, into: &effects)
    _ = carryOut()
  }

  func closed(_ connection: ConnectionID, code: UInt16, now: Double) {
    guard let member = members.removeValue(forKey: connection) else { return }
    connections[member] = nil
    waiting[member] = nil
    rooms.leave(member, code: code, now: now, into: &effects)
    _ = carryOut()
    peers[member] = nil
  }

  func tick(now: Double) {
    rooms.wake(now: now, into: &effects)
    _ = carryOut()
  }

  func willStop(now: Double) {
    rooms.sayGoodbye(into: &effects)
    _ = carryOut()
  }

  // MARK: Effects

  /// Carries out what the rooms want.
  /// - Returns: Whether a frame or other news went to a whole room.
  private func carryOut() -> Bool {
    var hasBroadcast = false
    effects.bytes.withUnsafeBytes { bytes in
      for effect in effects.list {
        switch effect {
        case .broadcast(let message, let recipients, let introduction):
          let began = WebServer.now()
          for member in effects.recipients[recipients] {
            if !send(UnsafeRawBufferPointer(rebasing: bytes[message]), to: member) {
              rooms.refused(member, introduction: introduction, now: WebServer.now())
              metrics.choked.add()
            }
            hasBroadcast = true
          }
          metrics.fanOut.observe(WebServer.now() - began)
        case .send(let message, let member):
          let message = UnsafeRawBufferPointer(rebasing: bytes[message])
          if !send(message, to: member) {
            keep(message, for: member)
            rooms.refused(member, now: WebServer.now())
          }
        case .audit(let act, let room, let member):
          audit.note(act, room: room, by: member, from: peers[member] ?? "")
        case .close(let member, let code, let reason):
          if Self.refusals.contains(code) {
            audit.noteRefusal("room: \(code)", to: peers[member] ?? "")
          }
          if let connection = connections[member] {
            server?.close(connection, code: code, reason: reason)
          }
        case .keepPlace(let place, let reader): keeper.keep(place, of: reader)
        case .keepReader(let reader, let room): keeper.keep(reader, room: room)
        case .arrange(let request, let room, let reader):
          arrange(request, for: Arranger.Stage(room: room, reader: reader))
        case .bookOpened(let book, _): keeper.noteReading(book)
        case .adopt(let newer, let member): adopt(newer, as: member)
        case .keepRoom(let record): roomKeeper.keep(record)
        case .forgetRoom(let name): roomKeeper.forget(name)
        case .beginRecording, .endRecording, .loadRecording: carryOutRecording(effect)
        case .noteAck(let lateness, let syncError, let roundTrip):
          metrics.noteAck(lateness: lateness, syncError: syncError, roundTrip: roundTrip)
        case .noteOpening, .noteLibrary, .noteInput, .noteFrame: recorders.write(effect)
        }
      }
    }
    effects.removeAll()
    server?.schedule(at: rooms.wakeTime)
    return hasBroadcast
  }

  private func carryOutRecording(_ effect: Effects.Effect) {
    switch effect {
    case .beginRecording(let room, let title, let book, let time):
      let facts = LogHeader.RoomFacts(
        title: title,
        book: book,
        recorded: Date().timeIntervalSince1970
      )
      let outline = rooms.room(named: room)?.stage.outline ?? LibraryOutline(collections: [])
      recorders.begin(room: room, facts: facts, library: outline, at: time)
    case .endRecording(let room, let time): recorders.end(room: room, at: time)
    case .loadRecording(let id, let room, let member): load(id, room: room, for: member)
    default: break
    }
  }

  private func arrange(_ request: ArrangementRequest, for stage: Arranger.Stage) {
    guard let mailbox = server?.mailbox else { return }
    let application = OnServiceThread(self)
    arranger.arrange(request, for: stage) { stage, request, library in
      mailbox.perform { _ in application.value?.arranged(library, for: request, stage) }
    }
  }

  private func arranged(
    _ library: ShownLibrary,
    for request: ArrangementRequest,
    _ stage: Arranger.Stage
  ) {
    rooms.take(
      library,
      for: request,
      room: stage.room,
      reader: stage.reader,
      now: WebServer.now(),
      into: &effects
    )
    _ = carryOut()
  }

  /// How many rooms may wait for a recording to be read.
  private static let loadingMax = 8

  /// Reads a recording, away from this thread, and plays it; one at a time, because a long one
  /// takes seconds and hundreds of megabytes.
  private func load(_ id: String, room: String, for member: MemberID) {
    guard let mailbox = server?.mailbox else { return }
    let application = OnServiceThread(self)
    guard loading.count < Self.loadingMax, loading.insert(room).inserted else {
      let words = "A recording is being opened already. Wait a moment."
      // Later: the effects at hand are not all carried out.
      return mailbox.perform { _ in application.value?.tell(member, words) }
    }
    loader.run { [recordings = sources.recordings, numbers] in
      do throws(RecordingFault) {
        let playback = Playback(try recordings.load(id), numbers: numbers, at: 0)
        mailbox.perform { _ in application.value?.play(playback, in: room, for: member) }
      } catch {
        let words = "\(error)"
        mailbox.perform { _ in application.value?.notLoaded(in: room, for: member, words) }
      }
    }
  }

  private func notLoaded(in room: String, for member: MemberID, _ words: String) {
    loading.remove(room)
    tell(member, words)
  }

  private func play(_ playback: Playback, in room: String, for member: MemberID) {
    loading.remove(room)
    rooms.play(playback, in: room, for: member, now: WebServer.now(), into: &effects)
    _ = carryOut()
  }

  private func tell(_ member: MemberID, _ words: String) {
    rooms.tell(member, words, into: &effects)
    _ = carryOut()
  }

  /// Lets a connection speak for a member that came back over it.
  private func adopt(_ newer: MemberID, as member: MemberID) {
    metrics.resumed.add()
    guard let connection = connections.removeValue(forKey: newer) else { return }
    peers[member] = peers.removeValue(forKey: newer)
    waiting[member] = nil
    if let old = connections[member] {
      members[old] = nil
      let code = CloseCode.replaced
      server?.close(old, code: code.rawValue, reason: code.meaning)
    }
    connections[member] = connection
    members[connection] = member
  }

  /// Sends a message at once, unless earlier ones are still waiting.
  private func send(_ bytes: UnsafeRawBufferPointer, to member: MemberID) -> Bool {
    guard let connection = connections[member], let server, waiting[member] == nil,
      server.send(connection, bytes)
    else { return false }
    metrics.noteSent(bytes)
    return true
  }

  /// The most that waits for one member, in bytes; more is asked for only by one that never reads.
  private static let waitingMax = 4 << 20

  /// Keeps a message for one member until its socket takes it: what is said to one is not said
  /// again, and a table of elements may be longer than a slow line takes at once.
  private func keep(_ bytes: UnsafeRawBufferPointer, for member: MemberID) {
    guard let connection = connections[member] else { return }
    let size = waiting[member, default: []].reduce(bytes.count) { $0 + $1.count }
    guard size <= Self.waitingMax else {
      let code = CloseCode.tooManyErrors
      server?.close(connection, code: code.rawValue, reason: code.meaning)
      return
    }
    waiting[member, default: []].append(Array(bytes))
  }

  /// Sends what waits for a member.
  /// - Returns: Whether nothing waits any more.
  private func sendWaiting(to member: MemberID) -> Bool {
    guard let messages = waiting.removeValue(forKey: member) else { return true }
    for (index, message) in messages.enumerated()
    where !message.withUnsafeBytes({ send($0, to: member) }) {
      waiting[member] = Array(messages[index...])
      return false
    }
    return true
  }

  // MARK: HTTP

  func respond(to request: HTTPRequest, as id: RequestID) -> HTTPAnswer {
    guard request.isForAdmin else { return site.respond(to: request, as: id) }
    switch request.path {
    case "/healthz" where request.method.isSafe: return .now(health())
    case "/readyz" where request.method.isSafe: return site.readiness(id)
    case "/metrics" where request.method.isSafe: return site.measures()
    default:
      return .now(.text(status: 404, "Here are /healthz, /readyz and /metrics.\n"))
    }
  }

  func bodyReceived(_ id: RequestID, _ bytes: UnsafeRawBufferPointer) {
    site.bodyReceived(id, bytes)
  }

  func bodyEnded(_ id: RequestID) { site.bodyEnded(id) }

  func requestGone(_ id: RequestID) { site.requestGone(id) }

  private func health() -> HTTPResponse {
    .json(
      HealthJSON(
        rooms: rooms.roomCount,
        members: rooms.memberCount,
        messagesSent: metrics.messagesSent,
        inputToFrameMilliseconds: HealthJSON.Latency(metrics.inputToFrame),
        library: HealthJSON.Shelf(library)
      )
    )
  }
}

extension ReadingApplication: SiteHost {
  func isPass(_ pass: String) -> Bool { rooms.isPass(pass) }

  func opens(_ part: LibraryPart, to pass: String) -> Bool {
    switch part {
    case .book(let book): rooms.opens(book: book, to: pass)
    case .collection(let collection): rooms.opens(collection: collection, to: pass)
    }
  }

  func isShown(_ page: Int, of book: String) -> Bool { rooms.shows(book: book, page: page) }

  func measure() { sources.metrics.rooms.note(rooms.figures) }
}

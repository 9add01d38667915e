internal import Foundation
internal import Library
internal import Recording
internal import Rooms
internal import Scene
internal import WebServer
internal import Wire

/// Joins the sockets to the rooms: hands messages in, carries the rooms' effects out.
///
/// Lives on the service thread.
final class ReadingApplication: WebApplication {
  weak var server: WebServer? {
    didSet { site.server = server }
  }

  private let library: Library
  let site: Site
  private let recorder: Recorder?
  private let keeper: PlaceKeeper
  private var rooms: Rooms
  private var effects = Effects()
  private var members: [ConnectionID: MemberID] = [:]
  private var connections: [MemberID: ConnectionID] = [:]
  /// What was said to one member alone and its socket has not taken yet, oldest first.
  private var waiting: [MemberID: [[UInt8]]] = [:]
  private var lastMember: UInt32 = 0
  private var latency = LatencyHistogram()
  private var messagesSent: UInt64 = 0

  init(library: Library, uploads: Uploads?, access: Access, recorder: Recorder? = nil) {
    self.library = library
    self.recorder = recorder
    keeper = PlaceKeeper(library: library)
    site = Site(library: library, uploads: uploads, access: access)
    rooms = Rooms(
      catalogue: library.catalogue(),
      notes: recorder != nil,
      places: keeper.load()
    )
    site.isShown = { [unowned self] in rooms.shows(book: $0, page: $1) }
  }

  /// The library's catalogue is another.
  func libraryChanged() {
    rooms.replace(catalogue: library.catalogue(), now: WebServer.now(), into: &effects)
    _ = carryOut()
  }

  /// Waits until all that was to be kept is kept.
  func finish() { keeper.finish() }

  // MARK: WebSocket

  func opened(_ connection: ConnectionID, from peer: String, now: Double) {
    lastMember &+= 1
    let member = MemberID(lastMember)
    members[connection] = member
    connections[member] = connection
    rooms.opened(member, now: now)
    server?.schedule(at: rooms.wakeTime)
  }

  func received(_ connection: ConnectionID, _ bytes: UnsafeRawBufferPointer, now: Double) {
    guard let member = members[connection] else { return }
    rooms.receive(bytes, from: member, now: now, into: &effects, freshName: Self.freshName)
    if carryOut() { latency.add(WebServer.now() - now) }
  }

  func becameWritable(_ connection: ConnectionID, now: Double) {
    guard let member = members[connection], sendWaiting(to: member) else { return }
    rooms.becameWritable(member, into: &effects)
    _ = carryOut()
  }

  func closed(_ connection: ConnectionID, now: Double) {
    guard let member = members.removeValue(forKey: connection) else { return }
    connections[member] = nil
    waiting[member] = nil
    rooms.leave(member, now: now, into: &effects)
    _ = carryOut()
  }

  func tick(now: Double) {
    rooms.wake(now: now, into: &effects)
    _ = carryOut()
  }

  func willStop(now: Double) {
    keeper.keep(rooms.places)
  }

  /// Letters that cannot be taken for one another when read aloud.
  private static let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ")

  private static func freshName() -> String {
    String((0..<6).map { _ in letters[Int.random(in: 0..<letters.count)] })
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
          for member in effects.recipients[recipients] {
            if !send(UnsafeRawBufferPointer(rebasing: bytes[message]), to: member) {
              rooms.refused(member, introduction: introduction)
            }
            hasBroadcast = true
          }
        case .send(let message, let member):
          let message = UnsafeRawBufferPointer(rebasing: bytes[message])
          if !send(message, to: member) {
            keep(message, for: member)
            rooms.refused(member)
          }
        case .close(let member, let code, let reason):
          if let connection = connections[member] {
            server?.close(connection, code: code, reason: reason)
          }
        case .keepPlaces: keeper.keep(rooms.places)
        case .bookOpened(let book, _): keeper.noteReading(book)
        case .noteOpening, .noteLibrary, .noteInput, .noteFrame: recorder?.write(effect)
        }
      }
    }
    effects.removeAll()
    server?.schedule(at: rooms.wakeTime)
    return hasBroadcast
  }

  /// Sends a message at once, unless earlier ones are still waiting.
  private func send(_ bytes: UnsafeRawBufferPointer, to member: MemberID) -> Bool {
    guard let connection = connections[member], let server, waiting[member] == nil,
      server.send(connection, bytes)
    else { return false }
    messagesSent &+= 1
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
    if request.path == "/healthz", request.method.isSafe { return .now(health()) }
    return site.respond(to: request, as: id)
  }

  func bodyReceived(_ id: RequestID, _ bytes: UnsafeRawBufferPointer) {
    site.bodyReceived(id, bytes)
  }

  func bodyEnded(_ id: RequestID) { site.bodyEnded(id) }

  func requestGone(_ id: RequestID) { site.requestGone(id) }

  private func health() -> HTTPResponse {
    let text = """
      {"status":"ok","rooms":\(rooms.roomCount),"members":\(rooms.memberCount),\
      "messagesSent":\(messagesSent),"inputToFrameMilliseconds":{\
      "p50":\(JSON.number(latency.quantile(0.5) * 1000)),\
      "p99":\(JSON.number(latency.quantile(0.99) * 1000)),"count":\(latency.count)},\
      "library":{"books":\(library.bookCount),"waiting":\(library.waiting),\
      "scanSeconds":\(library.scanSeconds.map(JSON.number) ?? "null")}}

      """
    return HTTPResponse(contentType: "application/json", body: .bytes(Array(text.utf8)))
  }
}

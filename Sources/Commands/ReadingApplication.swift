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
  weak var server: WebServer?

  private let library: FolderLibrary
  private let ledges: [[UInt8]]
  private let recorder: Recorder?
  private let places: PlaceStore?
  private var rooms: Rooms
  private var effects = Effects()
  private var members: [ConnectionID: MemberID] = [:]
  private var connections: [MemberID: ConnectionID] = [:]
  /// What was said to one member alone and its socket has not taken yet, oldest first.
  private var waiting: [MemberID: [[UInt8]]] = [:]
  private var lastMember: UInt32 = 0
  private var latency = LatencyHistogram()
  private var messagesSent: UInt64 = 0

  init(library: FolderLibrary, recorder: Recorder? = nil, places: PlaceStore? = nil) {
    self.library = library
    self.recorder = recorder
    self.places = places
    ledges = library.catalogue.collections.indices.map {
      Array((library.ledge(collection: $0) ?? "").utf8)
    }
    rooms = Rooms(
      catalogue: library.catalogue,
      notes: recorder != nil,
      places: places?.load()
    )
  }

  // MARK: WebSocket

  func opened(_ connection: ConnectionID, now: Double) {
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
    places?.save(rooms.places)
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
        case .keepPlaces: places?.save(rooms.places)
        case .noteOpening, .noteLibrary, .noteInput, .noteFrame: recorder?.write(effect)
        // A library that keeps nothing has no use for it.
        case .bookOpened: break
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

  func respond(to request: HTTPRequest) -> HTTPResponse? {
    let parts = request.path.split(separator: "/")
    switch parts.first {
    case "healthz" where parts.count == 1: return health()
    case "books" where parts.count == 4:
      guard let collection = Int(parts[1]), let book = Int(parts[2]), let page = Int(parts[3]),
        let file = library.file(collection: collection, book: book, page: page)
      else { return .text(status: 404, "There is no page \(request.path) in this library.\n") }
      return HTTPResponse(
        contentType: file.contentType,
        body: .file(file.path),
        caching: request.query.isEmpty ? .revalidate : .immutable
      )
    case "ledges" where parts.count == 2 && parts[1].hasSuffix(".svg"):
      guard let index = Int(parts[1].dropLast(4)), ledges.indices.contains(index) else {
        return .text(status: 404, "There is no collection \(parts[1]) in this library.\n")
      }
      return HTTPResponse(
        contentType: "image/svg+xml",
        body: .bytes(ledges[index]),
        caching: request.query.isEmpty ? .revalidate : .immutable
      )
    default: return nil
    }
  }

  private func health() -> HTTPResponse {
    let text = """
      {"status":"ok","rooms":\(rooms.roomCount),"members":\(rooms.memberCount),\
      "messagesSent":\(messagesSent),"inputToFrameMilliseconds":{\
      "p50":\(JSON.number(latency.quantile(0.5) * 1000)),\
      "p99":\(JSON.number(latency.quantile(0.99) * 1000)),"count":\(latency.count)}}

      """
    return HTTPResponse(contentType: "application/json", body: .bytes(Array(text.utf8)))
  }
}

internal import Fabric
internal import Gateway
internal import Motion
internal import Rooms
internal import Scene
internal import Wire

/// Rooms and a gateway without sockets, and the members in front of them.
final class IdleRooms {
  /// The members that are connected, in the order in which they joined.
  private(set) var present: [MemberID] = []
  /// The messages and bytes that members were sent since the last call of ``forget()``.
  var messages: Int { clients.messages }
  var bytes: Int { clients.bytes }
  /// The time that the rooms and the gateway have used since then, in seconds.
  private(set) var spent = 0.0
  /// The name of the room that was last created.
  private(set) var name = ""
  /// The links that were last sent to a member.
  var links: LinksEvent? { clients.links }

  private var rooms: RoomRegistry
  private var gateway = Gateway()
  private let clients = CountedClients()
  private var turn: Turn
  private var inbox: [GatewayMessage] = []
  private var now = 100.0
  private var joined: UInt32 = 0

  /// Creates rooms over a library of books with a number of pages each.
  init(pages: Int) {
    let names = Names()
    turn = Turn(
      environment: Environment(
        freshName: { "ROOM\(names.next())" },
        secret: { "secret-of-22-letters-\(names.next())" },
        code: { "ABCDEF" },
        digest: { text in
          let bytes = Array(text.utf8)
          return (0..<32).map { place in place < bytes.count ? bytes[bytes.count - 1 - place] : 0 }
        },
        unixOffset: 0
      )
    )
    rooms = RoomRegistry(
      library: ShownLibrary(Self.catalogue(pages: pages)),
      directory: RoomDirectory(unixOffset: 0)
    )
  }

  /// Returns shelves of books whose addresses are as long as those of a server.
  private static func catalogue(pages: Int) -> Catalogue {
    Catalogue(
      collections: (0..<4).map { shelf in
        CatalogueCollection(
          id: "\(shelf)",
          title: "Shelf \(shelf)",
          ledgeURL: "/ledges/\(shelf).svg",
          books: (0..<12).map { book in
            CatalogueBook(
              id: "\(shelf)/\(book)",
              title: "The book with the number \(book)",
              author: "A writer of many books",
              pageURLs: (0..<pages).map { page in
                "/books/0123456789abcdef/\(shelf)-\(book)/pages/\(page).webp?v=0123456789ab"
              },
              pageSize: Books.pageSize,
              progression: .leftToRight
            )
          }
        )
      }
    )
  }

  // MARK: Members

  /// Connects a member; without a room it gets one of its own.
  func join(room: String = "", key: String = "", reader: String) -> MemberID {
    joined += 1
    let id = MemberID(joined)
    let address = "10.0.\(joined >> 8).\(joined & 255)"
    timed { gateway.opened(ClientID(UInt64(joined)), as: id, from: address, now: now) }
    let window = Viewport(size: Size(width: 1024, height: 768))
    present.append(id)
    let hello = Hello(room: room, key: key, reader: reader, viewport: window, reportsImages: true)
    say(.hello(hello), id)
    if let welcome = clients.welcome { name = welcome.room }
    return id
  }

  /// Disconnects a member for good.
  func leave(_ id: MemberID) {
    timed {
      gateway.closed(ClientID(UInt64(id.rawValue)), code: 1000)
      exchange()
    }
    present.removeAll { $0 == id }
  }

  /// Sends a message of a member.
  func say(_ message: ClientMessage, _ id: MemberID) {
    let bytes = message.encoded(role: clients.roles[id] ?? 0)
    timed {
      bytes.withUnsafeBytes {
        gateway.received($0, from: ClientID(UInt64(id.rawValue)), now: now, clients: clients)
      }
      exchange()
    }
  }

  /// Lets a member report that it has seen the last frame and decoded its images, and probe the
  /// clock, as pages do.
  func report(_ id: MemberID) {
    say(.ack(Ack(frame: clients.frame, lateness: -0.01, syncError: 0.002, roundTrip: 0.03)), id)
    say(.clock(clientTime: now), id)
    if !clients.elements.isEmpty { say(.ready(clients.elements), id) }
  }

  // MARK: Time

  /// Lets time pass until nothing moves, and then some seconds more.
  func rest(seconds: Double = 3) {
    while let wake = soonest, wake < now + 60 { wakeUp(at: wake) }
    pass(seconds)
  }

  /// Lets time pass.
  func pass(_ seconds: Double) {
    let end = now + seconds
    while let wake = soonest, wake <= end { wakeUp(at: wake) }
    now = end
  }

  /// Resets the counts.
  func forget() {
    spent = 0
    clients.forget()
  }

  private var soonest: Double? {
    let next = min(rooms.wakeTime ?? .infinity, gateway.wakeTime ?? .infinity)
    return next < .infinity ? next : nil
  }

  private func wakeUp(at time: Double) {
    now = max(now, time)
    timed {
      gateway.wake(now: now, clients: clients)
      rooms.wake(in: &turn[at: now])
      exchange()
    }
  }

  private func timed(_ work: () -> Void) {
    spent += secondsEach(turns: 1) { _ in work() }
  }

  private func exchange() {
    repeat {
      gateway.drainMessages(into: &inbox)
      for message in inbox { rooms.receive(message, in: &turn[at: now]) }
      gateway.deliver(turn.effects.messages, now: now, clients: clients)
      turn.effects.removeAll()
    } while gateway.hasMessages
  }
}

/// Different numbers for names and secrets.
private final class Names: @unchecked Sendable {
  private(set) var last = 0

  func next() -> Int {
    last += 1
    return last
  }
}

/// Clients that count what they accept, and keep what members have to know.
private final class CountedClients: Clients {
  private(set) var messages = 0
  private(set) var bytes = 0
  private(set) var links: LinksEvent?
  private(set) var welcome: Welcome?
  private(set) var roles: [MemberID: UInt16] = [:]
  /// The number of the last frame, and the elements that were introduced last.
  private(set) var frame: UInt32 = 0
  private(set) var elements: [UInt64] = []

  func send(_ message: UnsafeRawBufferPointer, to client: ClientID) -> Bool {
    messages += 1
    bytes += message.count
    note(message, client)
    return true
  }

  private func note(_ message: UnsafeRawBufferPointer, _ client: ClientID) {
    guard let kind = message.first, [0x81, 0x82, 0x83, 0x84, 0x8b, 0x90].contains(kind),
      let message = try? ServerMessage(decoding: message)
    else { return }
    switch message {
    case .welcome(let news): welcome = news
    case .elements(let news): elements = news.map(\.id)
    case .snapshot(let update), .delta(let update): frame = update.number
    case .role(let news): roles[MemberID(UInt32(truncatingIfNeeded: client.rawValue))] = news.number
    case .links(let news): links = news
    default: break
    }
  }

  func forget() { (messages, bytes) = (0, 0) }

  func close(_ client: ClientID, code: UInt16, reason: String) {}
}

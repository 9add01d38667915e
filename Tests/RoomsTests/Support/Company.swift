import Fabric
import Motion
import Notices
import Scene
import Staging
import TestVectors
import Wire

@testable import Rooms

/// Some people on perfect connections: the messages that each received, and a virtual clock.
struct Company {
  let anna = MemberID(1)
  let ben = MemberID(2)
  let cleo = MemberID(3)

  var rooms: ServedRooms
  var now = 100.0
  var pages: [MemberID: Page] = [:]
  var effects = Sent()
  /// The effects since the last call of ``forget()``, without messages.
  var wants: [Effects.Effect] = []
  /// The connections that were closed since then, and the close codes.
  var closes: [(MemberID, UInt16)] = []

  /// The state of one member's page.
  struct Page {
    var decoder = FrameDecoder()
    var role = RoleEvent(number: 0, role: .follower, rights: [])
    var welcome = Welcome(room: "", memberID: 0, serverTime: 0)
    var people: [UInt32: PersonEvent] = [:]
    var links: LinksEvent?
    /// All messages since the last call of ``forget()``.
    var heard: [ServerMessage] = []
    var closed: UInt16?

    mutating func handle(_ message: ServerMessage) throws {
      heard.append(message)
      try decoder.apply(message)
      switch message {
      case .role(let news): role = news
      case .welcome(let news): welcome = news
      case .pass(let pass): welcome.pass = pass
      case .links(let news): links = news
      case .people(let news):
        if news.isWhole { people = [:] }
        for person in news.people { people[person.id] = person }
        for id in news.gone { people[id] = nil }
      default: break
      }
    }
  }

  /// Creates a room with Anna, in front of the shelves of a library.
  init(_ catalogue: Catalogue) throws {
    rooms = ServedRooms(openTo: catalogue)
    try come(anna)
  }

  /// Creates a room with Anna and an open book.
  init(libraryKey: String? = nil) throws {
    let environment = Environment.counted(libraryKey: libraryKey)
    rooms = ServedRooms(RoomRegistry(catalogue: .varied), environment: environment)
    try come(anna, key: libraryKey ?? "")
    try say(.go(book: "0/4", opens: true, page: 20), anna, pause: 5)
  }

  /// Creates a room in which Anna has shared a book.
  ///
  /// Ben and Cleo have joined through the links with these grants.
  init(_ policy: Policy, _ grants: Grant...) throws {
    try self.init()
    try say(.share, anna)
    try say(.settings(RoomSettings(policy: policy)), anna, pause: 1)
    for (id, grant) in zip([ben, cleo], grants) { try come(id, key: link(grant)) }
    try pass(1)
    forget()
  }

  var room: Room? { rooms.room(named: "R") }
  /// The page that is open for all members of the session.
  var page: Int? { room?.stage.firstPage }

  func page(of id: MemberID) -> Page { pages[id] ?? Page() }

  func link(_ grant: Grant) -> String {
    let links = page(of: anna).links
    switch grant {
    case .follow: return links?.follow ?? ""
    case .present: return links?.present ?? ""
    case .host: return links?.host ?? ""
    }
  }

  /// Clears the received messages but keeps the state that they led to.
  mutating func forget() {
    for id in pages.keys { pages[id]?.heard = [] }
    (wants, closes) = ([], [])
  }

  mutating func come(
    _ id: MemberID,
    to room: String = "R",
    key: String = "",
    resume: String = "",
    reader: String? = nil,
    from address: String = "10.0.0.1",
    viewport: Viewport = .plain,
    reducesMotion: Bool = false
  ) throws {
    rooms.opened(id, from: address, now: now)
    pages[id] = Page()
    let hello = Hello(
      room: rooms.registry.isKnown("R") ? room : "",
      key: key,
      resume: resume,
      reader: reader ?? secret(of: id),
      viewport: viewport,
      reducesMotion: reducesMotion
    )
    try NextNumber.$wantedName.withValue(room) { try say(.hello(hello), id) }
  }

  /// Returns a member's reader secret; the room is Anna's.
  func secret(of id: MemberID) -> String {
    ReaderID.secret(of: id == anna ? "R" : "own-\(id.rawValue)")
  }

  /// Sends a message with the role's number that the member last received, or another one.
  mutating func say(
    _ message: ClientMessage,
    _ id: MemberID,
    role: UInt16? = nil,
    pause: Double = 0
  ) throws {
    let number = role ?? page(of: id).role.number
    rooms.handle(message, from: id, role: number, now: now, into: &effects)
    try carryOut()
    try pass(pause)
  }

  mutating func finger(
    _ phase: PointerPhase,
    _ x: Double,
    _ id: MemberID,
    y: Double = 400,
    role: UInt16? = nil,
    pause: Double = 0.02
  ) throws {
    let sample = PointerSample(id: 0, phase: phase, x: x, y: y)
    try say(.pointers(Pointers(target: 0, samples: [sample])), id, role: role, pause: pause)
  }

  /// Drags a leaf from the right to the left up to a position, and holds it.
  mutating func drag(_ id: MemberID, to end: Double = 500) throws {
    try finger(.down, 850, id)
    for step in 1...10 { try finger(.move, 850 + (end - 850) * Double(step) / 10, id) }
  }

  mutating func lose(_ id: MemberID, code: UInt16 = 1006) throws {
    rooms.leave(id, code: code, now: now, into: &effects)
    try carryOut()
  }

  mutating func pass(_ seconds: Double) throws {
    let end = now + seconds
    while let wake = rooms.wakeTime, wake <= end {
      now = max(now, wake)
      rooms.wake(now: now, into: &effects)
      try carryOut()
    }
    now = end
  }

  mutating func carryOut() throws {
    let done = effects
    effects.removeAll()
    wants += done.list
    for (newer, id) in done.adoptions { pages[id] = pages.removeValue(forKey: newer) }
    for (id, bytes) in done.messages { try pages[id]?.handle(try ServerMessage(decoding: bytes)) }
    for (id, code) in done.closes {
      pages[id]?.closed = code
      closes.append((id, code))
    }
    if rooms.arrange(asked: done.list, now: now, into: &effects) { try carryOut() }
  }

  /// Returns the messages of one kind that a member received, oldest first.
  func heard<BroadcastKind>(
    _ id: MemberID,
    _ pick: (ServerMessage) -> BroadcastKind?
  ) -> [BroadcastKind] {
    page(of: id).heard.compactMap(pick)
  }

  func playbacks(_ id: MemberID) -> [PlaybackEvent?] {
    heard(id) { if case .playback(let news) = $0 { .some(news) } else { nil } }
  }

  func places(_ id: MemberID) -> [PlaceEvent] {
    heard(id) { if case .place(let news) = $0 { news } else { nil } }
  }

  func pointers(_ id: MemberID) -> [PointerEvent] {
    heard(id) { if case .pointer(let news) = $0 { news } else { nil } }
  }

  func roomNews(_ id: MemberID) -> [RoomEvent] {
    heard(id) { if case .room(let news) = $0 { news } else { nil } }
  }

  func roles(_ id: MemberID) -> [RoleEvent] {
    heard(id) { if case .role(let news) = $0 { news } else { nil } }
  }

  func errors(_ id: MemberID) -> [Notice] {
    heard(id) { if case .error(let code, let notice) = $0, code != 1 { notice } else { nil } }
  }

  /// Returns what a member was told that others have done.
  func news(_ id: MemberID) -> [Notice] {
    heard(id) { if case .error(1, let notice) = $0 { notice } else { nil } }
  }

  /// Returns the number of frames that a member received since the last call of ``forget()``,
  /// including all of a batch.
  func frameCount(of id: MemberID) -> Int {
    page(of: id).heard.reduce(0) { count, message in
      switch message {
      case .snapshot, .delta: count + 1
      case .batch(let updates): count + updates.count
      default: count
      }
    }
  }

  /// Returns whether two members see the same last frame, down to the last bit.
  func seeTheSame(_ one: MemberID, _ other: MemberID) -> Bool {
    guard let first = page(of: one).decoder.latest, let second = page(of: other).decoder.latest
    else { return false }
    return first == second
  }
}

extension DecodedFrame {
  /// Whether a leaf is bent.
  var isBent: Bool { shown.contains { $0.part.strip != nil } }
}

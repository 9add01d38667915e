import Fabric
import Motion
import Scene
import Staging
import TestVectors
import Wire

@testable import Rooms

/// A fault that a simulation found.
struct Violation: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Two rooms, their members and a virtual clock: everything follows from a seed.
///
/// A separate stage for each room receives only the events that the room noted for a recording. The
/// state that every member has decoded from its messages must be that stage's frame, bit for bit at
/// wire precision.
struct Simulation {
  static let roomNames = ["EAST", "WEST"]

  private var catalogue = Catalogue.varied
  private var outlines: [String: LibraryLayout] = [:]
  private var shown: [String: [LibraryLayout]] = [:]
  /// The number of times that a room's library was exchanged.
  private(set) var exchanges = 0
  private var random: SplitMix64
  private(set) var now = 100.0
  private(set) var rooms: ServedRooms
  private(set) var clients: [SimulatedClient] = []
  private var shadows: [String: Stage] = [:]
  /// The rooms in which a finger was put down for the drag that begins next.
  private var touched: Set<String> = []
  private var frames: [String: [Frame]] = [:]
  private var times: [String: [Double]] = [:]
  private var effects = Sent()
  private var lastID: UInt32 = 0
  /// The number of frames that members have decoded; a simulation that sends nothing tests nothing.
  private(set) var framesSeen = 0
  private(set) var recalls = 0
  /// A hash of all messages with their times and recipients.
  var trace: Trace { rooms.trace }
  private(set) var bookFramesSeen = 0
  private(set) var bentFramesSeen = 0

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    // A reader left the first collection's last book at some spread in one of the rooms.
    let spread = Int.random(in: 1..<60, using: &random)
    let left = Bookmark(book: "0/4", spread: spread, isFlat: random.happens(0.5))
    rooms = ServedRooms(catalogue: catalogue, notes: true, bookmarks: ["EAST": [left]])
  }

  mutating func run(steps: Int) throws {
    for name in Self.roomNames { try join(name) }
    for _ in 0..<steps { try step() }
    try settle()
  }

  private mutating func step() throws {
    try pass(
      random.happens(0.05) ? 1.5 : [0, 0.001, 0.004, 0.016, 0.1].randomElement(using: &random) ?? 0
    )
    while let index = clients.firstIndex(where: \.isOver) { try leave(index) }
    if clients.isEmpty || (clients.count < 7 && random.happens(0.03)) {
      return try join(Self.roomNames.randomElement(using: &random) ?? "EAST")
    }
    let index = Int.random(in: clients.indices, using: &random)
    if random.happens(0.02) { return try leave(index) }
    if random.happens(0.03) { rooms.block(clients[index].id) }
    if random.happens(0.3) { try drain(index) }
    if random.happens(0.02) { try changeLibrary() }
    let message = clients[index].act(now: now, using: &random)
    try say(message, index)
  }

  /// Advances the time, and wakes the rooms when they are due.
  private mutating func pass(_ seconds: Double) throws {
    let end = now + seconds
    while let wake = rooms.wakeTime, wake <= end {
      now = max(now, wake)
      rooms.wake(now: now, into: &effects)
      try carryOut(from: nil)
    }
    now = end
  }

  private mutating func join(_ room: String) throws {
    lastID += 1
    let id = MemberID(lastID)
    let reports = random.happens(0.5)
    clients.append(SimulatedClient(id: id, room: room, reportsImages: reports))
    rooms.join(id, room: room, now: now, reportsImages: reports, into: &effects)
    try carryOut(from: room)
    guard let client = clients.last, client.isWelcome, client.decoder.latest != nil else {
      throw Violation("a joiner got no welcome or no frame")
    }
  }

  /// Adds, removes and reads books.
  private mutating func changeLibrary() throws {
    var next = Catalogue.varied
    for shelf in next.collections.indices {
      next.collections[shelf].books.removeAll { _ in random.happens(0.2) }
      for book in next.collections[shelf].books.indices where random.happens(0.3) {
        next.collections[shelf].books[book].lastRead = .random(in: 0...9, using: &random)
      }
      if random.happens(0.2) { next.collections[shelf].books.reverse() }
    }
    if random.happens(0.2) { next.collections.reverse() }
    if random.happens(0.2) { next.collections.removeLast() }
    catalogue = next
    rooms.replace(catalogue: next, now: now, into: &effects)
    try carryOut(from: nil)
  }

  private mutating func leave(_ index: Int) throws {
    let client = clients.remove(at: index)
    rooms.leave(client.id, now: now, into: &effects)
    try carryOut(from: client.room)
  }

  private mutating func say(_ message: ClientMessage, _ index: Int) throws {
    let client = clients[index]
    let before = rooms.room(named: client.room)
    rooms.handle(message, from: client.id, now: now, into: &effects)
    if let holder = before?.holder, holder != client.id, before?.stage.isDriven == true,
      !effects.inputs.isEmpty
    {
      throw Violation("\(client.id) acted while \(holder) held something")
    }
    try carryOut(from: client.room)
  }

  private mutating func drain(_ index: Int) throws {
    rooms.unblock(clients[index].id, now: now, into: &effects)
    try carryOut(from: clients[index].room)
  }

  // MARK: Effects

  private mutating func carryOut(from room: String?) throws {
    let done = effects
    effects.removeAll()

    let inRoom = Set(clients.filter { $0.room == room }.map(\.id))
    if room != nil, !done.addressees.isSubset(of: inRoom) {
      throw Violation("a message of room \(room ?? "") went to another")
    }
    // Recorded events first: they determine what the frames must be.
    for effect in done.list { try note(effect) }
    for (id, bytes) in done.messages {
      guard let index = clients.firstIndex(where: { $0.id == id }) else {
        throw Violation("a message went to nobody")
      }
      try deliver(bytes, index)
    }
    for (id, code) in done.closes {
      // Its connection accepted nothing for ten seconds.
      guard code == CloseCode.tooSlow.rawValue else {
        throw Violation("\(id) was closed with \(code)")
      }
      if let index = clients.firstIndex(where: { $0.id == id }) { clients[index].isOver = true }
    }
    if rooms.arrange(asked: done.list, now: now, into: &effects) { try carryOut(from: nil) }
  }

  private mutating func note(_ effect: Effects.Effect) throws {
    switch effect {
    case .noteOpening(let places, let library, let room, _):
      let layout = LibraryLayout(
        library ?? Catalogue.varied.outline,
        numbers: rooms.registry.library.numbers
      )
      var stage = Stage(library: layout)
      stage.restore(bookmarks: places)
      shadows[room] = stage
      outlines[room] = layout
    case .noteLibrary(let library, let room, let time):
      let layout = LibraryLayout(library, numbers: rooms.registry.library.numbers)
      shadows[room]?.replace(library: layout, at: time)
      outlines[room] = layout
      exchanges += 1
    case .noteInput(let input, let room, let time):
      guard var stage = shadows[room] else { throw Violation("no room \(room)") }
      let before = stage.frame(at: time)
      stage.apply(input, at: time)
      shadows[room] = stage
      // A drag begins at a distance from the point where its finger was put down.
      let isDrawn =
        touched.remove(room) != nil && before.placements.contains { $0.key.kind == .page }
      if case .touch = input { touched.insert(room) }
      if input.movesFinger || isDrawn { break }
      try Continuity.check(before, stage.frame(at: time), after: input)
    case .noteFrame(let room, let time):
      guard let stage = shadows[room] else { throw Violation("no room \(room)") }
      let frame = stage.frame(at: time)
      guard frame == rooms.room(named: room)?.stage.frame(at: time) else {
        let seen = rooms.room(named: room)?.stage.frame(at: time)
        throw Violation(
          """
          the recording of \(room) at \(time) is not what the room shows: \
          \(frame.placements.map(\.key.number)) \(frame.screen), \
          \(seen?.placements.map(\.key.number) ?? []) \(seen.map { "\($0.screen)" } ?? "")
          """
        )
      }
      if !stage.isDriven { try Continuity.checkSpeed(of: stage, at: time) }
      try Continuity.checkFinite(frame)
      frames[room, default: []].append(frame)
      shown[room, default: []].append(outlines[room] ?? LibraryLayout(shelves: []))
      times[room, default: []].append(time)
    default: break
    }
  }

  private mutating func deliver(_ bytes: [UInt8], _ index: Int) throws {
    let last = clients[index].decoder.latest?.number
    let lastTime = clients[index].decoder.latest?.time ?? -.infinity
    let isSnapshot = bytes.first == 0x83
    if isSnapshot, last != nil { recalls += 1 }
    for frame in try clients[index].receive(bytes) {
      framesSeen += 1
      if frame.screen == .book { bookFramesSeen += 1 }
      if frame.isBent { bentFramesSeen += 1 }
      if let last, frame.number < last, !isSnapshot {
        throw Violation("frame \(frame.number) after \(last)")
      }
      guard isSnapshot || frame.time >= lastTime else {
        throw Violation("frame \(frame.number) goes back in time and recalls nothing")
      }
      try compare(frame, clients[index])
    }
  }

  /// Compares a frame that a member decoded with the frame of the stage.
  private func compare(_ seen: DecodedFrame, _ client: SimulatedClient) throws {
    let place = Int(seen.number) - 1
    guard let all = frames[client.room], let times = times[client.room],
      all.indices.contains(place)
    else { throw Violation("no frame \(seen.number) in \(client.room)") }
    let frame = all[place]
    let outline = shown[client.room]?[place] ?? LibraryLayout(shelves: [])
    guard seen.time == times[place], seen.screen == frame.screen,
      seen.isSettled == frame.isSettled, seen.shown.count == frame.placements.count
    else { throw Violation("frame \(seen.number) of \(client.room) has another head or count") }
    for placement in frame.placements {
      let shown = seen.shown.first { shown in
        guard let element = client.decoder.elements[shown.id] else { return false }
        return shown.part == placement.key.part && element.id == placement.key.number
          && element.kind == placement.key.kind
          && element.imageURL == outline.url(of: placement.key)
      }
      guard let shown, shown == ShownElement(placement) else {
        throw Violation("frame \(seen.number) of \(client.room): \(placement.key) differs")
      }
    }
  }

  // MARK: The end

  private mutating func settle() throws {
    while let index = clients.firstIndex(where: \.isOver) { try leave(index) }
    for index in clients.indices {
      try drain(index)
      for message in clients[index].letGo() { try say(message, index) }
      if !clients[index].isVisible {
        clients[index].isVisible = true
        try say(.visibility(isVisible: true), index)
      }
    }
    // A lost member may return for a minute.
    let end = now + 90
    while let wake = rooms.wakeTime {
      guard wake < end else { throw Violation("something never settles") }
      try pass(max(wake - now, 0))
    }
    rooms.wake(now: now + 1000, into: &effects)
    guard effects.list.isEmpty else { throw Violation("something is sent at rest") }
    for client in clients {
      let room = rooms.room(named: client.room)
      let camera = room?.camera(of: client.id).map { WireMatrix($0) }
      guard client.camera == camera else {
        throw Violation("\(client.id) does not look as the room thinks it does")
      }
      guard let latest = client.decoder.latest, latest.isSettled,
        latest.number == room?.frameNumber, room?.holder == nil
      else { throw Violation("\(client.id) does not see the last frame at rest") }
    }
  }
}

extension LibraryLayout {
  /// Returns the address of an element's image, as in the sample library.
  fileprivate func url(of key: ElementKey) -> String {
    if let index = collection(of: key) { return "/ledges/\(shelves[index].outline.id).svg" }
    guard let place = index(of: key) else { return "?" }
    let book = shelves[place.collection].outline.books[place.book]
    switch key.kind {
    case .collection, .board: return ""
    case .cover: return "/books/\(book.id)/0"
    case .page: return key.page < book.pageCount ? "/books/\(book.id)/\(key.page)" : ""
    }
  }
}

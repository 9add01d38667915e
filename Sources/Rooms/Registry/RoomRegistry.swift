public import Fabric
public import Scene
public import Staging
internal import Wire

/// All rooms of a process, and the room of each member; two rooms never see each other's frames.
///
/// A room belongs to its owner, the reader for whom it was created. Empty rooms are kept, so that a
/// reader whose connection was lost finds everything unchanged. If there are more than
/// ``emptyRoomsMax`` of them, the one that has been empty for longest is forgotten, those of
/// strangers first; its owner and the places of its books remain known.
public struct RoomRegistry: Sendable {
  /// The maximum number of empty rooms that are kept.
  public static let emptyRoomsMax = 1000
  /// The maximum number of shared rooms.
  static let recordsMax = 10_000
  /// How long a place that has changed may wait to be stored, in seconds.
  static let placeSeconds = 0.1
  /// The time over which the members rejoin after a goodbye, and the time between two of them if
  /// they are few, in seconds.
  static let goodbyeSeconds = 5.0
  static let goodbyeApart = 0.01

  let environment: RoomEnvironment
  private(set) var library: ShownLibrary
  private var isReplaced = false
  private let notes: Bool
  var rooms: [String: Room] = [:]
  var names: [MemberID: String] = [:]
  /// The stored records of shared rooms by name, whether the rooms are open or not.
  private(set) var records: [String: RoomRecord]
  /// The members by their resume tokens and passes.
  var presences = Presences()
  /// The wrong keys of each address: a code of six letters has 190 million values and a secret has
  /// 128 bits, so five attempts a minute find neither.
  var wrongKeys = RateLimiter(attempts: 5)
  /// The known readers, each with its own room and its places in books.
  var readers: Readers
  /// The number of rooms that were opened from each address.
  var origins = Origins()
  /// When the place in a room's open book is to be stored, by the room's name.
  private var placeTimes = WakeTimes<String>()
  var wakeTimes = WakeTimes<String>()
  var emptySince: [String: Double] = [:]
  /// The counts of rooms that are gone.
  var tally = RoomTally()

  /// Creates the room registry.
  /// - Parameters:
  ///   - library: The library.
  ///   - environment: Names, secrets and the date.
  ///   - notes: Whether to record inputs and frames.
  ///   - readers: The stored records of readers.
  ///   - records: The stored records of shared rooms.
  public init(
    library: ShownLibrary,
    environment: RoomEnvironment,
    notes: Bool = false,
    readers: [ReaderRecord] = [],
    records: [RoomRecord] = []
  ) {
    self.library = library
    self.environment = environment
    self.records = records.reduce(into: [:]) { $0[$1.name] = $1 }
    self.notes = notes
    self.readers = Readers(readers, unixOffset: environment.unixOffset)
  }

  /// Returns where a reader left its books; the last one is at the end.
  public func places(of reader: ReaderID) -> [BookPlace] { readers[reader]?.places ?? [] }

  /// The number of rooms with at least one member present.
  public var roomCount: Int { rooms.count - emptySince.count }
  /// The number of members that are present.
  public var memberCount: Int { names.count }

  /// When to wake the rooms; nil if all of them rest and all places are stored.
  ///
  /// The cost does not depend on the number of rooms.
  public var wakeTime: Double? {
    guard let wake = wakeTimes.soonest else { return placeTimes.soonest }
    return min(wake, placeTimes.soonest ?? wake)
  }

  /// Returns a room, for tests and observers; nil if there is none with that name.
  public func room(named name: String) -> Room? { rooms[name] }

  /// Whether a member has a book open at a page, or is turning to it.
  ///
  /// The cost is proportional to the number of rooms and wanderers.
  func shows(book: String, page: Int) -> Bool {
    rooms.values.contains { room in
      ([room.shared] + room.wanderers.sessions).contains { session in
        session.memberCount > 0 && session.stage.openBook == book
          && session.openPages.contains(page)
      }
    }
  }

  /// Handles a message from a gateway.
  /// - Parameters:
  ///   - message: The message.
  ///   - now: When it was received, in seconds.
  ///   - effects: Receives the work to be done.
  public mutating func receive(
    _ message: GatewayMessage,
    now: Double,
    into effects: inout Effects
  ) {
    switch message {
    case .hello(let id, let hello, let peer):
      guard names[id] == nil else { return }
      enter(id, hello: hello, from: peer, now: now, into: &effects)
    case .packet(let id, let packet): handle(packet, from: id, now: now, into: &effects)
    case .tooOften(let id): tell(id, Answers.tooOften, into: &effects)
    case .blocked(let id):
      guard let name = names[id] else { return }
      rooms[name]?.blocked(id, now: now, into: &effects)
      notePendingWork(of: name, now: now)
    case .unblocked(let id):
      guard let name = names[id] else { return }
      rooms[name]?.unblocked(id)
    case .left(let id, let code): leave(id, code: code, now: now, into: &effects)
    }
  }

  private mutating func handle(
    _ packet: ClientPacket,
    from id: MemberID,
    now: Double,
    into effects: inout Effects
  ) {
    guard let name = names[id] else { return }
    if case .share = packet.message, let words = refusalToShare(name) {
      return tell(id, words, into: &effects)
    }
    // In place, because moving a room out of the dictionary and back costs more than the handling.
    guard let place = rooms.index(forKey: name) else { return }
    rooms.values[place]
      .receive(packet, from: id, environment: environment, now: now, into: &effects)
    notePendingWork(ofRoomAt: place, name, now: now)
  }

  /// Plays a recording in a room, at the request of one of its members.
  public mutating func play(
    _ playback: Playback,
    in name: String,
    for id: MemberID,
    now: Double,
    into effects: inout Effects
  ) {
    guard names[id] == name else { return }
    rooms[name]?.play(playback, now: now, into: &effects)
    notePendingWork(of: name, now: now)
  }

  /// Handles the end of a room's recording that no member requested.
  public mutating func endRecording(
    _ name: String,
    reason: String,
    now: Double,
    into effects: inout Effects
  ) {
    rooms[name]?.endRecording(reason: reason, now: now, into: &effects)
    notePendingWork(of: name, now: now)
  }

  /// Sends a member an explanation of why something was not done.
  public func tell(_ id: MemberID, _ words: String, into effects: inout Effects) {
    if let name = names[id] { rooms[name]?.tell(id, words, into: &effects) }
  }

  /// Sends a goodbye to all members because the server stops, with a different time to rejoin for
  /// each, so that they do not all rejoin at once.
  public mutating func sayGoodbye(into effects: inout Effects) {
    keepPlaces(until: .infinity, into: &effects)
    let ids = names.keys.sorted { $0.rawValue < $1.rawValue }
    let apart = min(Self.goodbyeApart, Self.goodbyeSeconds / Double(max(1, ids.count)))
    for (place, id) in ids.enumerated() {
      let message = ServerMessage.goodbye(comeBackAfter: Double(place) * apart)
      effects.send(to: id) { message.encode(into: &$0) }
    }
  }

  func open(
    _ name: String,
    owner: ReaderID,
    from address: String,
    now: Double,
    into effects: inout Effects
  ) -> Room {
    let places = readers[owner]?.places ?? []
    let room = Room(
      name: name,
      owner: owner,
      origin: address,
      library: library,
      at: now,
      notes: notes,
      places: places,
      record: records[name]
    )
    // Also without places: an earlier room may have had this name, and this is a new one.
    if notes {
      let places = room.stage.bookPlaces
      effects.list.append(
        .noteOpening(
          places: places,
          library: isReplaced || room.isShared ? room.shared.selection.shown.layout.outline : nil,
          room: name,
          time: now
        )
      )
    }
    return room
  }

  /// Stores another state of the library; each room shows it when the room rests.
  ///
  /// The cost is proportional to the number of rooms, regardless of the size of the library.
  public mutating func replace(
    _ update: LibraryUpdate,
    now: Double,
    into effects: inout Effects
  ) {
    effects.list.append(.release(library))
    library = update.library
    isReplaced = true
    for name in rooms.keys.sorted() {
      rooms[name]?.replace(update, now: now, into: &effects)
      notePendingWork(of: name, now: now)
    }
  }

  /// Passes an arranged library to the room that requested it.
  public mutating func take(
    _ library: ShownLibrary,
    for request: ArrangementRequest,
    stream: StreamID,
    now: Double,
    into effects: inout Effects
  ) {
    let reader = stream.wanderer
    rooms[stream.room]?.take(library, for: request, reader: reader, now: now, into: &effects)
    notePendingWork(of: stream.room, now: now)
  }

  /// Records what a room needs after it has done something: to be woken, and its places to be
  /// stored.
  mutating func notePendingWork(of name: String, now: Double) {
    guard let index = rooms.index(forKey: name) else { return }
    notePendingWork(ofRoomAt: index, name, now: now)
  }

  private mutating func notePendingWork(
    ofRoomAt index: [String: Room].Index,
    _ name: String,
    now: Double
  ) {
    let pending = rooms.values[index].takePendingWork()
    for digest in pending.spentTokens { presences.forget(digest) }
    if pending.hasNewRecord {
      let (isShared, wasShared) = (pending.record != nil, records[name] != nil)
      if isShared != wasShared { origins.shared(rooms.values[index].origin, isShared) }
      records[name] = pending.record
    }
    wakeTimes[name] = pending.wakeTime
    if pending.hasMovedBookmark, placeTimes[name] == nil {
      placeTimes[name] = now + Self.placeSeconds
    }
  }

  func close(_ id: MemberID, _ code: CloseCode, into effects: inout Effects) {
    effects.messages.append(.close(id, code: code.rawValue, reason: code.meaning))
  }

  /// Handles the end of a member's connection; only a member whose connection was lost may rejoin.
  private mutating func leave(
    _ id: MemberID,
    code: UInt16,
    now: Double,
    into effects: inout Effects
  ) {
    guard let name = names.removeValue(forKey: id) else { return }
    if CloseCode.mayComeBack(after: code) {
      rooms[name]?.lose(id, now: now, into: &effects)
    } else {
      rooms[name]?.remove(id, now: now, into: &effects)
    }
    if rooms[name]?.memberCount == 0 {
      rooms[name]?.keep(environment: environment, now: now, into: &effects)
    }
    notePendingWork(of: name, now: now)
    guard rooms[name]?.memberCount == 0 else { return }
    emptySince[name] = now
    forgetSurplus(into: &effects)
  }

  /// Records where the owner of a room left the books that are open there.
  mutating func noteBookmarks(of name: String, into effects: inout Effects) {
    placeTimes[name] = nil
    guard let room = rooms[name] else { return }
    for place in room.bookmarks where readers.note(place, of: room.owner, at: room.clock) {
      effects.list.append(.keepPlace(place, of: room.owner))
    }
  }

  private mutating func keepPlaces(until time: Double, into effects: inout Effects) {
    for name in placeTimes.due(at: time) {
      noteBookmarks(of: name, into: &effects)
    }
  }

  /// Wakes the rooms whose time has come, and requests that changed places are stored.
  public mutating func wake(now: Double, into effects: inout Effects) {
    for name in wakeTimes.due(at: now) {
      guard let place = rooms.index(forKey: name) else { continue }
      rooms.values[place].wake(now: now, into: &effects)
      notePendingWork(ofRoomAt: place, name, now: now)
    }
    keepPlaces(until: now, into: &effects)
  }
}

public import Fabric
public import Scene
public import Staging
internal import Wire

/// All rooms of a process and who is in which; two rooms never see each other's frames.
///
/// A room is its owner's: the reader for whom it was made. Empty rooms are kept, so that a reader
/// whose line broke finds everything as it was; when there are more than ``emptyRoomsMax`` of them,
/// the one empty for longest goes, those of strangers first, and what is remembered is whose it is
/// and where that reader left its books.
public struct RoomRegistry: Sendable {
  /// How many empty rooms are remembered.
  public static let emptyRoomsMax = 1000
  /// The most rooms that are shared.
  static let recordsMax = 10_000
  /// How long a place that has changed may wait to be kept, in seconds.
  static let placeSeconds = 0.1
  /// The time within which all come back that a server sent away, in seconds, and the time between
  /// two of them when they are few.
  static let goodbyeSeconds = 5.0
  static let goodbyeApart = 0.01

  let environment: RoomEnvironment
  private(set) var library: ShownLibrary
  private var isReplaced = false
  private let notes: Bool
  var rooms: [String: Room] = [:]
  var names: [MemberID: String] = [:]
  /// What is kept of shared rooms, by their names, whether they are open or not.
  private(set) var records: [String: RoomRecord]
  /// Who is where, by what they show.
  var presences = Presences()
  var keyAttempts = RateLimiter()
  /// Who has been here, with a room of its own and places in books.
  var readers: Readers
  /// Where rooms are opened from.
  var origins = Origins()
  /// When the place in a room's open book is to be kept, by the room's name.
  private var placeTimes: [String: Double] = [:]
  var wakeTimes: [String: Double] = [:]
  var emptySince: [String: Double] = [:]
  /// What was counted in rooms that are gone.
  var tally = RoomTally()

  /// Creates the room registry.
  /// - Parameters:
  ///   - library: What there is to read.
  ///   - environment: Names, secrets and the date.
  ///   - notes: Whether inputs and frames shall be noted for a recording.
  ///   - readers: What was kept of readers.
  ///   - records: What was kept of shared rooms.
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

  /// Where a reader left its books, the last at the end.
  public func places(of reader: ReaderID) -> [BookPlace] { readers[reader]?.places ?? [] }

  /// How many rooms have somebody in them.
  public var roomCount: Int { rooms.count - emptySince.count }
  /// How many members there are.
  public var memberCount: Int { names.count }

  /// When to wake the rooms; nil when all rest and all places are kept.
  ///
  /// Costs as much as there are rooms in motion, not as there are rooms.
  public var wakeTime: Double? {
    let soonest = min(wakeTimes.values.min() ?? .infinity, placeTimes.values.min() ?? .infinity)
    return soonest.isFinite ? soonest : nil
  }

  /// A room as it stands, for tests and observers; nil if there is none of that name.
  public func room(named name: String) -> Room? { rooms[name] }

  /// Whether somebody has a book open at a page, or is turning to it.
  ///
  /// Costs as much as there are rooms and wanderers.
  func shows(book: String, page: Int) -> Bool {
    rooms.values.contains { room in
      ([room.shared] + room.wanderers.sessions).contains { session in
        session.memberCount > 0 && session.stage.openBook == book
          && session.openPages.contains(page)
      }
    }
  }

  /// Hears a gateway.
  /// - Parameters:
  ///   - message: What it says.
  ///   - now: When it came, in seconds.
  ///   - effects: Takes what is to be done.
  public mutating func receive(
    _ message: GatewayMessage,
    now: Double,
    into effects: inout Effects
  ) {
    switch message {
    case .hello(let id, let hello, let peer):
      guard names[id] == nil else { return }
      enter(id, hello: hello, from: peer, now: now, into: &effects)
    case .packet(let id, let packet): hear(packet, from: id, now: now, into: &effects)
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

  private mutating func hear(
    _ packet: ClientPacket,
    from id: MemberID,
    now: Double,
    into effects: inout Effects
  ) {
    guard let name = names[id] else { return }
    if case .share = packet.message, let words = refusalToShare(name) {
      return tell(id, words, into: &effects)
    }
    // In its place: to move a room out of the dictionary and back costs more than what it does.
    guard let place = rooms.index(forKey: name) else { return }
    rooms.values[place]
      .receive(packet, from: id, environment: environment, now: now, into: &effects)
    notePendingWork(ofRoomAt: place, name, now: now)
  }

  /// Plays a recording in a room, as a member of it wanted.
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

  /// The recording of a room has ended by itself, for a reason.
  public mutating func endRecording(
    _ name: String,
    reason: String,
    now: Double,
    into effects: inout Effects
  ) {
    rooms[name]?.endRecording(reason: reason, now: now, into: &effects)
    notePendingWork(of: name, now: now)
  }

  /// Tells a member in words that something was not done.
  public func tell(_ id: MemberID, _ words: String, into effects: inout Effects) {
    if let name = names[id] { rooms[name]?.tell(id, words, into: &effects) }
  }

  /// Tells all members that the server goes, and each a moment of its own to come back, so that
  /// they do not all come at once.
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
    // Also without places: a room of this name may have been before, and this is another.
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

  /// Takes another state of the library; each room shows it when it rests.
  ///
  /// Costs as much as there are rooms, however large the library is.
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

  /// Takes a library that a room asked to be arranged.
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

  /// Notes what a room that has done something wants later: to be woken, its places to be kept.
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
    if wakeTimes[name] != pending.wakeTime { wakeTimes[name] = pending.wakeTime }
    if pending.hasMovedBookmark, placeTimes[name] == nil {
      placeTimes[name] = now + Self.placeSeconds
    }
  }

  func close(_ id: MemberID, _ code: CloseCode, into effects: inout Effects) {
    effects.messages.append(.close(id, code: code.rawValue, reason: code.meaning))
  }

  /// A member's connection is gone; only a member whose connection was lost may come back.
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

  /// Notes where the owner of a room leaves the books that are open there.
  mutating func noteBookmarks(of name: String, into effects: inout Effects) {
    placeTimes[name] = nil
    guard let room = rooms[name] else { return }
    for place in room.bookmarks where readers.note(place, of: room.owner, at: room.clock) {
      effects.list.append(.keepPlace(place, of: room.owner))
    }
  }

  private mutating func keepPlaces(until time: Double, into effects: inout Effects) {
    for name in placeTimes.filter({ $0.value <= time }).keys.sorted() {
      noteBookmarks(of: name, into: &effects)
    }
  }

  /// Wakes the rooms whose time has come, and asks for changed places to be kept.
  public mutating func wake(now: Double, into effects: inout Effects) {
    for name in wakeTimes.filter({ $0.value <= now }).keys.sorted() {
      rooms[name]?.wake(now: now, into: &effects)
      notePendingWork(of: name, now: now)
    }
    keepPlaces(until: now, into: &effects)
  }
}

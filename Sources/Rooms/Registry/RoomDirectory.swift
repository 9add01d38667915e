internal import Fabric
internal import Notices
internal import Rates
package import Scene
internal import Synchronization
package import Wire

/// What all room hosts of a process know together: which rooms and readers exist, what opens a
/// room, and how much each address has used.
///
/// Each host keeps the rooms themselves; see ``RoomRegistry``. Any thread may use the directory.
/// Its calls take constant time, except that a limit that is exceeded is enforced in one pass.
package final class RoomDirectory: Sendable {
  /// The maximum number of shared rooms.
  static let recordsMax = 10_000
  /// The maximum number of readers whose first room is not open yet.
  private static let claimsMax = 10_000

  private struct State {
    /// The stored records of shared rooms by name, whether the rooms are open or not.
    var records: [String: RoomRecord]
    /// The known readers, each with its own room and its bookmarks.
    var readers: Readers
    /// The number of rooms that were opened from each address.
    var origins = Origins()
    /// The wrong keys of each address: a code of six letters has 190 million values and a secret
    /// has 128 bits, so five attempts a minute find neither.
    var wrongKeys = RateLimiter(attempts: 5)
    /// The rooms that codes open, by the letters of the code.
    var codes: [String: CodedRoom] = [:]
    /// The codes of rooms, by the name of the room.
    var lettersByRoom: [String: String] = [:]
    /// The rooms of members that may rejoin, by the digests of their tokens.
    var roomsByToken: [[UInt8]: String] = [:]
    /// The names of rooms that are about to be opened for readers that have none.
    var claims: [ReaderID: String] = [:]

    func isKnown(_ room: String) -> Bool { records[room] != nil || readers.owner(of: room) != nil }
  }

  private struct CodedRoom {
    var room: String
    var until: Double
  }

  private let state: Mutex<State>

  /// Creates a directory.
  /// - Parameters:
  ///   - readers: The stored records of readers.
  ///   - records: The stored records of shared rooms.
  ///   - unixOffset: The Unix time minus the time of the rooms' clock, in seconds.
  package init(readers: [ReaderRecord] = [], records: [RoomRecord] = [], unixOffset: Double) {
    state = Mutex(
      State(
        records: records.reduce(into: [:]) { $0[$1.name] = $1 },
        readers: Readers(readers, unixOffset: unixOffset)
      )
    )
  }
}

// MARK: - Rooms

extension RoomDirectory {
  /// Returns the name of the room to which a hello leads, if its sender may enter it; empty if
  /// there is none.
  ///
  /// A reader without a room gets the name of a new one.
  package func destination(of hello: Hello, environment: Environment, now: Double) -> String {
    let reader = ReaderID(digest: environment.digest(hello.reader))
    if let room = room(resumedBy: hello.resume, environment: environment),
      !hello.room.isEmpty || owner(of: room) == reader
    {
      return room
    }
    guard hello.room.isEmpty else { return hello.room }
    if let room = room(ofCode: hello.key, at: now) { return room }
    guard hello.reader.utf8.count >= Arrival.secretMin else { return environment.freshName() }
    return ownRoom(of: reader) ?? claim(environment.freshName, for: reader)
  }

  private func room(resumedBy token: String, environment: Environment) -> String? {
    guard !token.isEmpty else { return nil }
    let digest = environment.digest(token)
    return state.withLock { $0.roomsByToken[digest] }
  }

  /// Returns the room that a code opens, at a time in seconds; nil if it opens none.
  func room(ofCode letters: String, at now: Double) -> String? {
    guard letters.utf8.count == RoomCode.letterCount else { return nil }
    let letters = letters.uppercased()
    return state.withLock { state -> String? in
      state.codes[letters].flatMap { $0.until > now ? $0.room : nil }
    }
  }

  /// Returns the room that a reader owns; nil if there is none.
  func ownRoom(of reader: ReaderID) -> String? {
    state.withLock { state -> String? in
      guard let room = state.readers[reader]?.room, !room.isEmpty else { return nil }
      return state.isKnown(room) ? room : nil
    }
  }

  /// Returns the name that a reader's first room is to have, the same for all windows of the
  /// reader.
  private func claim(_ fresh: () -> String, for reader: ReaderID) -> String {
    state.withLock { state in
      if let name = state.claims[reader] { return name }
      if state.claims.count >= Self.claimsMax { state.claims = [:] }
      let name = fresh()
      state.claims[reader] = name
      return name
    }
  }

  /// Returns the owner of a room that is not open; nil if it is unknown.
  ///
  /// The rooms for further windows belong to the owner of the first one, see ``OwnRoom``.
  func owner(of room: String) -> ReaderID? {
    state.withLock { state -> ReaderID? in
      state.records[room]?.owner ?? state.readers.owner(of: OwnRoom.first(of: room))
    }
  }

  /// Returns the stored record of a shared room; nil if the room is not shared.
  func record(of room: String) -> RoomRecord? { state.withLock { $0.records[room] } }

  /// Stores the record of a room that was opened from an address; nil ends the sharing.
  func setRecord(_ record: RoomRecord?, of room: String, origin: String) {
    state.withLock { state in
      let (isShared, wasShared) = (record != nil, state.records[room] != nil)
      if isShared != wasShared { state.origins.shared(origin, isShared) }
      state.records[room] = record
    }
  }

  /// Stores the code that opens a room for a limited time; nil for none.
  func setCode(_ code: RoomCode?, of room: String) {
    state.withLock { state in
      let letters = state.lettersByRoom.removeValue(forKey: room)
      if let letters, state.codes[letters]?.room == room { state.codes[letters] = nil }
      guard let code else { return }
      state.codes[code.letters] = CodedRoom(room: room, until: code.until)
      state.lettersByRoom[room] = code.letters
    }
  }

  /// Returns why another room may not be shared from an address; nil if it may.
  func refusalToShare(from origin: String) -> Notice? {
    state.withLock { state -> Notice? in
      if state.origins.sharedCount(of: origin) >= Origins.sharedMax {
        return Notice(.tooManySharedHere, ["count": "\(Origins.sharedMax)"])
      }
      return state.records.count >= Self.recordsMax
        ? Notice(.tooManyShared, ["count": "\(Self.recordsMax)"]) : nil
    }
  }
}

// MARK: - States of other processes

extension RoomDirectory {
  /// Records what the state of a room says about its owner, its record and its code.
  func restore(_ state: RoomState, at now: Double) {
    came(state.owner, room: state.name, hasReturned: true, at: now)
    setRecord(state.record, of: state.name, origin: "")
  }

  /// Records a shared room that another process has stored, unless it is known here.
  package func learn(_ record: RoomRecord) {
    if self.record(of: record.name) == nil { setRecord(record, of: record.name, origin: "") }
  }

  /// Records what another process knows of a reader; of two bookmarks of a book, the newer one
  /// holds.
  package func learn(_ record: ReaderRecord, at now: Double) {
    guard !record.room.isEmpty else { return }
    if state.withLock({ $0.readers[record.id]?.room.isEmpty != false }) {
      came(record.id, room: record.room, hasReturned: true, at: now)
    }
    state.withLock { state in
      for bookmark in record.bookmarks { state.readers.learn(bookmark, of: record.id) }
    }
  }

  /// Records the room of a code that another process opened.
  package func learn(_ code: RoomState.CodeEntry, unixOffset: Double) {
    state.withLock { state in
      state.codes[code.letters] = CodedRoom(room: code.room, until: code.until - unixOffset)
      state.lettersByRoom[code.room] = code.letters
    }
  }

  /// Whether a key may be a code.
  package static func isCode(_ key: String) -> Bool { RoomCode.isCode(key) }

  /// Returns what is known of a reader that has a room; nil otherwise.
  package func reader(_ id: ReaderID, unixOffset: Double) -> ReaderRecord? {
    state.withLock { state -> ReaderRecord? in
      guard let reader = state.readers[id], !reader.room.isEmpty else { return nil }
      return ReaderRecord(
        id: id,
        room: reader.room,
        bookmarks: reader.bookmarks,
        lastSeen: reader.seen + unixOffset
      )
    }
  }

  /// Whether a hello can be led to its room without asking other processes.
  package func knowsWay(of hello: Hello, environment: Environment, now: Double) -> Bool {
    guard room(resumedBy: hello.resume, environment: environment) == nil else { return true }
    if hello.room.isEmpty {
      guard room(ofCode: hello.key, at: now) == nil else { return true }
      if RoomCode.isCode(hello.key) { return false }
    } else {
      // The room for a further window is known through the reader's first one.
      let isFurther = OwnRoom.first(of: hello.room) != hello.room
      guard isFurther, owner(of: hello.room) == nil else { return true }
    }
    guard hello.reader.utf8.count >= Arrival.secretMin else { return true }
    return ownRoom(of: ReaderID(digest: environment.digest(hello.reader))) != nil
  }
}

// MARK: - Members

extension RoomDirectory {
  /// Records that a token brings a member back to a room; nil if it no longer does.
  func setRoom(_ room: String?, ofToken digest: [UInt8]) {
    state.withLock { $0.roomsByToken[digest] = room }
  }

  /// Whether an address is banned because it sent too many wrong keys.
  func isBanned(_ address: String, at now: Double) -> Bool {
    state.withLock { $0.wrongKeys.isBanned(address, at: now) }
  }

  /// Counts a wrong key of an address.
  func noteWrongKey(of address: String, at now: Double) {
    state.withLock { $0.wrongKeys.note(address, at: now) }
  }

  /// Returns whether another room may be created for an address, and takes it from its allowance.
  func mayMakeRoom(_ address: String, at now: Double) -> Bool {
    state.withLock { $0.origins.mayMake(address, at: now) }
  }

  /// The number of open rooms that were opened from an address.
  func roomCount(of address: String) -> Int { state.withLock { $0.origins.roomCount(of: address) } }

  /// Counts a room that is opened from an address.
  func noteOpened(from address: String) { state.withLock { $0.origins.opened(address) } }

  /// Records that a room that was opened from an address is forgotten.
  func noteForgotten(_ room: String, from address: String) {
    setCode(nil, of: room)
    state.withLock { $0.origins.closed(address) }
  }
}

// MARK: - Readers

extension RoomDirectory {
  /// Returns where a reader left its books; the last one is at the end.
  func bookmarks(of reader: ReaderID) -> [Bookmark] {
    state.withLock { $0.readers[reader]?.bookmarks ?? [] }
  }

  /// Whether a reader has been here more than once.
  func hasReturned(_ reader: ReaderID) -> Bool {
    state.withLock { $0.readers[reader]?.hasReturned ?? false }
  }

  /// Records that a reader is in a room of its own; it returns to the first of them.
  func came(_ reader: ReaderID, room: String, hasReturned: Bool, at now: Double) {
    let first = OwnRoom.first(of: room)
    state.withLock { state in
      state.readers.came(reader, room: first, hasReturned: hasReturned, at: now)
      state.claims[reader] = nil
    }
  }

  /// Records where a reader leaves a book now.
  /// - Returns: The bookmark to store; nil if it has not moved.
  func note(_ bookmark: Bookmark, of reader: ReaderID, at now: Double) -> Bookmark? {
    state.withLock { $0.readers.note(bookmark, of: reader, at: now) }
  }
}

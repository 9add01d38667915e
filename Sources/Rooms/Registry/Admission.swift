internal import Fabric
internal import Scene
internal import Wire

/// The decision on a hello: how its sender may enter, if at all.
enum Admission: Equatable, Sendable {
  /// Rejoins as the same member.
  case back(room: String, MemberID)
  /// Joins a known room, which is opened if necessary.
  case into(room: String, Grant, key: String)
  /// Joins a new room of its own.
  case alone
  /// Is sent to another room of its own, because it has a window in this one.
  case elsewhere(room: String)
  /// Is rejected.
  case refused(CloseCode)
}

extension RoomRegistry {
  /// Decides whether and how the sender of a hello may enter.
  func admission(of arrival: Arrival, in turn: Turn) -> Admission {
    if let known = resumed(arrival) { return known }
    let hello = arrival.hello
    // A hello to a room that is gone is rejected and does not create a room: its address was meant
    // to show one book, and not a library.
    if !hello.room.isEmpty, !isKnown(hello.room) { return .refused(.roomGone) }
    // Links and the library's key cannot be guessed, so their holders are admitted, however many
    // wrong codes a class behind the same address has typed.
    if owner(of: hello.room) == arrival.reader, isShared(hello.room) || arrival.opensLibrary {
      // The address of a shared reading is an invitation, which a reader may use on two screens.
      if !isShared(hello.room), let free = roomBesideWindow(arrival, in: hello.room) {
        return .elsewhere(room: free)
      }
      return .into(room: hello.room, .host, key: "")
    }
    if isShared(hello.room), let grant = grant(of: hello.key, room: hello.room, in: turn) {
      if grant < .host, settings(of: hello.room)?.isLocked == true { return .refused(.locked) }
      return .into(room: hello.room, grant, key: "")
    }
    guard arrival.hasLibraryKey || !directory.isBanned(arrival.address, at: turn.now) else {
      return .refused(.tooManyTries)
    }
    if hello.room.isEmpty { return admissionWithoutRoom(arrival, in: turn) }
    return arrival.hasLibraryKey ? .into(room: hello.room, .host, key: "") : .refused(.keyNeeded)
  }

  private func admissionWithoutRoom(_ arrival: Arrival, in turn: Turn) -> Admission {
    if let name = directory.room(ofCode: arrival.hello.key, at: turn.now), let room = rooms[name],
      let code = room.sharing.code
    {
      return room.settings.isLocked
        ? .refused(.locked) : .into(room: name, .follow, key: code.secret)
    }
    // If the library is open, a key that opens nothing is a code that was mistyped or has expired.
    let isCode = turn.environment.keys.library == nil && !arrival.hello.key.isEmpty
    guard arrival.opensLibrary, !isCode else { return .refused(.keyNeeded) }
    // A reader that has a room continues there.
    guard let own = directory.ownRoom(of: arrival.reader) else { return .alone }
    if let free = roomBesideWindow(arrival, in: own) { return .elsewhere(room: free) }
    return .into(room: own, .host, key: "")
  }

  /// Returns the room for a further window of a reader that has one in a room of its own, unless
  /// the window wants to share that stage.
  /// - Returns: The next room of the reader, which may have a window, too; nil if there is no
  ///   window in the room, or no further room.
  /// - Complexity: O(people in the room)
  private func roomBesideWindow(_ arrival: Arrival, in name: String) -> String? {
    guard !arrival.hello.sharesStage, rooms[name]?.roster.hasWindow(of: arrival.reader) == true
    else { return nil }
    return OwnRoom.next(after: name)
  }

  /// Returns how a resume token brings its sender back; nil if it does not.
  ///
  /// A window that opened the plain address comes back to a room of its own only: its connection
  /// there may not be closed yet.
  private func resumed(_ arrival: Arrival) -> Admission? {
    guard let digest = arrival.resumed, let one = presences[digest],
      let person = rooms[one.room]?.person(one.member),
      person.resumption.tokens.contains(digest),
      !arrival.hello.room.isEmpty || owner(of: one.room) == arrival.reader
    else { return nil }
    return .back(room: one.room, one.member)
  }

  private func isShared(_ name: String) -> Bool {
    rooms[name].map(\.isShared) ?? (directory.record(of: name) != nil)
  }

  private func settings(of name: String) -> RoomSettings? {
    rooms[name]?.settings ?? directory.record(of: name)?.settings
  }

  private func grant(of key: String, room name: String, in turn: Turn) -> Grant? {
    if let room = rooms[name] { return room.sharing.grant(of: key, in: turn) }
    return directory.record(of: name)?.grant(of: key, in: turn)
  }
}

extension RoomRecord {
  /// Returns what a secret grants; nil if it opens nothing.
  func grant(of key: String, in turn: Turn) -> Grant? {
    guard !key.isEmpty else { return nil }
    let digest = turn.environment.digest(key)
    let date = turn.now + turn.environment.unixOffset
    return keys.filter { $0.digest == digest && $0.expires > date }.map(\.grant).max()
  }
}

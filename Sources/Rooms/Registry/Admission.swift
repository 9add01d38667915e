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

/// The member that a resume token brings back, and its room.
struct Presence: Sendable {
  let room: String
  let member: MemberID
}

extension RoomRegistry {
  /// Decides whether and how the sender of a hello may enter.
  func admission(
    of hello: Hello,
    as who: Identity,
    from address: String,
    now: Double
  ) -> Admission {
    if !hello.resume.isEmpty, let known = resumed(hello, as: who) { return known }
    // A hello to a room that is gone is rejected and does not create a room: its address was meant
    // to show one book, and not a library.
    if !hello.room.isEmpty, !isKnown(hello.room) { return .refused(.roomGone) }
    // Links and the library's key cannot be guessed, so their holders are admitted, however many
    // wrong codes a class behind the same address has typed.
    if owner(of: hello.room) == who.reader, isShared(hello.room) || who.opensLibrary {
      // The address of a shared reading is an invitation, which a reader may use on two screens.
      if !isShared(hello.room), let free = roomBesideWindow(hello, of: who.reader, in: hello.room) {
        return .elsewhere(room: free)
      }
      return .into(room: hello.room, .host, key: "")
    }
    if isShared(hello.room), let grant = grant(of: hello.key, in: hello.room, now: now) {
      if grant < .host, settings(of: hello.room)?.isLocked == true { return .refused(.locked) }
      return .into(room: hello.room, grant, key: "")
    }
    guard environment.isLibraryKey(hello.key) || !directory.isBanned(address, at: now) else {
      return .refused(.tooManyTries)
    }
    if hello.room.isEmpty { return admissionWithoutRoom(hello, as: who, now: now) }
    return environment.isLibraryKey(hello.key)
      ? .into(room: hello.room, .host, key: "") : .refused(.keyNeeded)
  }

  private func admissionWithoutRoom(
    _ hello: Hello,
    as who: Identity,
    now: Double
  ) -> Admission {
    if let name = directory.room(ofCode: hello.key, at: now), let room = rooms[name],
      let code = room.sharing.code
    {
      return room.settings.isLocked
        ? .refused(.locked) : .into(room: name, .follow, key: code.secret)
    }
    // If the library is open, a key that opens nothing is a code that was mistyped or has expired.
    let isCode = environment.keys.library == nil && !hello.key.isEmpty
    guard who.opensLibrary, !isCode else { return .refused(.keyNeeded) }
    // A reader that has a room continues there.
    guard let own = directory.ownRoom(of: who.reader) else { return .alone }
    if let free = roomBesideWindow(hello, of: who.reader, in: own) { return .elsewhere(room: free) }
    return .into(room: own, .host, key: "")
  }

  /// Returns the room for a further window of a reader that has one in a room of its own, unless
  /// the window wants to share that stage.
  /// - Returns: The next room of the reader, which may have a window, too; nil if there is no
  ///   window in the room, or no further room.
  /// - Complexity: O(people in the room)
  private func roomBesideWindow(
    _ hello: Hello,
    of reader: ReaderID,
    in name: String
  ) -> String? {
    guard !hello.sharesStage, rooms[name]?.roster.hasWindow(of: reader) == true else { return nil }
    return OwnRoom.next(after: name)
  }

  /// Returns how a resume token brings its sender back; nil if it does not.
  ///
  /// A window that opened the plain address comes back to a room of its own only: its connection
  /// there may not be closed yet.
  private func resumed(_ hello: Hello, as who: Identity) -> Admission? {
    let digest = environment.digest(hello.resume)
    guard let one = presences[digest], let person = rooms[one.room]?.person(one.member),
      person.resumption.tokens.contains(digest),
      !hello.room.isEmpty || owner(of: one.room) == who.reader
    else { return nil }
    return .back(room: one.room, one.member)
  }

  private func isShared(_ name: String) -> Bool {
    rooms[name].map(\.isShared) ?? (directory.record(of: name) != nil)
  }

  private func settings(of name: String) -> RoomSettings? {
    rooms[name]?.settings ?? directory.record(of: name)?.settings
  }

  private func grant(of key: String, in name: String, now: Double) -> Grant? {
    if let room = rooms[name] {
      return room.sharing.grant(of: key, environment: environment, now: now)
    }
    return directory.record(of: name)?.grant(of: key, environment: environment, now: now)
  }
}

extension RoomRecord {
  /// Returns what a secret grants; nil if it opens nothing.
  func grant(of key: String, environment: RoomEnvironment, now: Double) -> Grant? {
    guard !key.isEmpty else { return nil }
    let digest = environment.digest(key)
    let date = now + environment.unixOffset
    return keys.filter { $0.digest == digest && $0.expires > date }.map(\.grant).max()
  }
}

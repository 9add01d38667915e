internal import Fabric
internal import Scene
internal import Wire

/// How somebody may come in.
enum Admission: Equatable, Sendable {
  /// As the member that it was.
  case back(room: String, MemberID)
  /// Into a room that is known, which is opened if need be.
  case into(room: String, Grant, key: String)
  /// Into a new room of its own.
  case alone
  /// Not.
  case refused(CloseCode)
}

/// Who has shown wrong keys, by the address they came from.
///
/// Six letters are 190 million codes, and a secret has 128 bits: five tries a minute find neither.
struct RateLimiter: Equatable, Sendable {
  /// So many wrong keys within ``seconds`` are too many.
  static let max = 5
  /// The time that they are counted over, and that an address then waits, in seconds.
  static let seconds = 60.0
  /// How many addresses are remembered.
  private static let addressesMax = 10_000

  private struct Count: Equatable, Sendable {
    var wrong = 0
    var since: Double
    var bannedUntil = -Double.infinity
  }

  private var counts: [String: Count] = [:]

  /// Whether an address has to wait.
  func isBanned(_ address: String, at now: Double) -> Bool {
    counts[address].map { $0.bannedUntil > now } ?? false
  }

  /// A wrong key came.
  mutating func note(_ address: String, at now: Double) {
    if counts.count >= Self.addressesMax {
      counts = counts.filter { $0.value.since + Self.seconds > now || $0.value.bannedUntil > now }
      // Whoever has so many addresses has more; nobody else shall wait for that.
      if counts.count >= Self.addressesMax { counts.removeAll() }
    }
    var count = counts[address] ?? Count(since: now)
    if now - count.since >= Self.seconds { count = Count(since: now) }
    count.wrong += 1
    if count.wrong >= Self.max { count.bannedUntil = now + Self.seconds }
    counts[address] = count
  }
}

extension RoomRegistry {
  /// Decides how a hello comes in.
  func admission(
    of hello: Hello,
    as who: Identity,
    from address: String,
    now: Double
  ) -> Admission {
    if !hello.resume.isEmpty, let known = resumed(hello.resume) { return known }
    // A room that is gone is told so, and is no new one: whoever has its address was to see one
    // book, and not a library.
    if !hello.room.isEmpty, !isKnown(hello.room) { return .refused(.roomGone) }
    // Nobody finds a secret of 128 bits by trying: whoever has one is let in, however many wrong
    // codes a class behind the same address has typed.
    if owner(of: hello.room) == who.reader, isShared(hello.room) || who.opensLibrary {
      return .into(room: hello.room, .host, key: "")
    }
    if isShared(hello.room), let grant = grant(of: hello.key, in: hello.room, now: now) {
      if grant < .host, settings(of: hello.room)?.isLocked == true { return .refused(.locked) }
      return .into(room: hello.room, grant, key: "")
    }
    guard !keyAttempts.isBanned(address, at: now) else { return .refused(.tooManyTries) }
    if hello.room.isEmpty { return admissionWithoutRoom(hello, as: who, now: now) }
    return environment.isLibraryKey(hello.key)
      ? .into(room: hello.room, .host, key: "") : .refused(.keyNeeded)
  }

  private func admissionWithoutRoom(
    _ hello: Hello,
    as who: Identity,
    now: Double
  ) -> Admission {
    let letters = hello.key.uppercased()
    for (name, room) in rooms where !letters.isEmpty {
      guard let code = room.sharing.code, code.letters == letters, code.until > now else {
        continue
      }
      return room.settings.isLocked
        ? .refused(.locked) : .into(room: name, .follow, key: code.secret)
    }
    // In an open house a word that opens nothing is a code that was mistyped, or is over.
    let isCode = environment.libraryKey == nil && !hello.key.isEmpty
    guard who.opensLibrary, !isCode else { return .refused(.keyNeeded) }
    // Who has a room goes on there.
    guard let own = readers[who.reader]?.room, isKnown(own) else { return .alone }
    return .into(room: own, .host, key: "")
  }

  private func resumed(_ token: String) -> Admission? {
    let digest = environment.digest(token)
    guard let one = presences[digest], let person = rooms[one.room]?.person(one.member),
      person.resumption.tokens.contains(digest)
    else { return nil }
    return .back(room: one.room, one.member)
  }

  private func isShared(_ name: String) -> Bool {
    rooms[name].map(\.isShared) ?? (records[name] != nil)
  }

  private func settings(of name: String) -> RoomSettings? {
    rooms[name]?.settings ?? records[name]?.settings
  }

  private func grant(of key: String, in name: String, now: Double) -> Grant? {
    if let room = rooms[name] {
      return room.sharing.grant(of: key, environment: environment, now: now)
    }
    return records[name]?.grant(of: key, environment: environment, now: now)
  }
}

extension RoomRecord {
  /// What a secret allows; nil if it opens nothing.
  func grant(of key: String, environment: RoomEnvironment, now: Double) -> Grant? {
    guard !key.isEmpty else { return nil }
    let digest = environment.digest(key)
    let date = now + environment.unixOffset
    return keys.filter { $0.digest == digest && $0.expires > date }.map(\.grant).max()
  }
}

internal import Scene
internal import Wire

/// Whether a room is shared, and how: its settings, its links and its code.
///
/// Of each link only a digest is kept, so that it is told when it is made and never again. Times
/// are seconds of the room's clock; those of the record are Unix times.
struct Sharing: Sendable {
  /// How long a link opens its room, in seconds.
  static let linkSeconds = 30.0 * 86_400
  /// How exactly it is kept when a room was last used, in seconds.
  static let useSeconds = 3600.0

  /// What is kept of the room; nil for one that is not shared.
  private(set) var record: RoomRecord? { didSet { hasNewRecord = true } }
  private(set) var settings: RoomSettings
  /// The code that opens the room for a while; nil if none was made.
  private(set) var code: RoomCode?
  private var hasNewRecord = false

  /// The secrets of a room's links; empty where they are not known.
  struct Links {
    var follow = ""
    var present = ""
    var host = ""
  }

  /// Continues with what was kept; nil for a room that was never shared.
  init(_ record: RoomRecord?) {
    self.record = record
    settings = record?.settings ?? RoomSettings()
  }

  /// Whether the room is shared.
  var isShared: Bool { record != nil }

  /// Shares the room, which has no links yet.
  mutating func begin(_ record: RoomRecord) { self.record = record }

  /// Ends the sharing: no link opens the room any more, and its settings are those of a new one.
  mutating func end() {
    record = nil
    code = nil
    settings = RoomSettings()
  }

  /// Makes another book the shared one.
  mutating func share(_ book: String, of collection: String) {
    record?.book = book
    record?.collection = collection
  }

  /// Takes other settings.
  mutating func decide(_ settings: RoomSettings) {
    self.settings = settings
    record?.settings = settings
  }

  // MARK: Keeping

  /// Notes that the room is in use.
  /// - Returns: What is to be kept of it; nil for a room that is not shared.
  mutating func use(environment: RoomEnvironment, now: Double) -> RoomRecord? {
    guard var record else { return nil }
    record.settings = settings
    record.lastUsed = now + environment.unixOffset
    self.record = record
    return record
  }

  /// Whether the use that was kept last is so long ago that another is to be kept.
  func isUseOld(environment: RoomEnvironment, now: Double) -> Bool {
    record.map { now + environment.unixOffset - $0.lastUsed > Self.useSeconds } ?? false
  }

  /// Tells whether the record has changed since this was last asked.
  mutating func hasChanged() -> Bool {
    defer { hasNewRecord = false }
    return hasNewRecord
  }

  // MARK: Links

  /// Makes new links and a new code; those before open nothing any more.
  mutating func renewLinks(environment: RoomEnvironment, now: Double) -> Links {
    record?.keys = []
    let links = Links(
      follow: makeKey(.follow, environment: environment, now: now),
      present: makeKey(.present, environment: environment, now: now),
      host: makeKey(.host, environment: environment, now: now)
    )
    let until = now + RoomCode.seconds
    code = RoomCode(letters: environment.code(), secret: links.follow, until: until)
    return links
  }

  /// Lets the code open the room for as long as a new one would; one that has expired is replaced.
  mutating func renewCode(environment: RoomEnvironment, now: Double) {
    let until = now + RoomCode.seconds
    if let old = code {
      let letters = old.until <= now ? environment.code() : old.letters
      code = RoomCode(letters: letters, secret: old.secret, until: until)
    } else {
      // The secrets of the links are not known any more, so that the code gets one of its own.
      let secret = makeKey(.follow, environment: environment, now: now)
      code = RoomCode(letters: environment.code(), secret: secret, until: until)
    }
  }

  private mutating func makeKey(
    _ grant: Grant,
    environment: RoomEnvironment,
    now: Double
  ) -> String {
    let secret = environment.secret()
    let expires = now + environment.unixOffset + Self.linkSeconds
    let key = RoomRecord.Key(digest: environment.digest(secret), grant: grant, expires: expires)
    record?.keys.append(key)
    return secret
  }

  /// What a host is told of links and of the code.
  func event(_ links: Links, now: Double) -> LinksEvent {
    LinksEvent(
      follow: links.follow,
      present: links.present,
      host: links.host,
      code: code?.letters ?? "",
      codeSeconds: max(0, (code?.until ?? now) - now)
    )
  }

  /// What a secret allows; nil if it opens nothing.
  func grant(of key: String, environment: RoomEnvironment, now: Double) -> Grant? {
    record?.grant(of: key, environment: environment, now: now)
  }
}

/// Six letters that open a room for a while.
struct RoomCode: Equatable, Sendable {
  /// How long a code opens a room, in seconds.
  static let seconds = 900.0
  /// How many letters it has.
  static let letterCount = 6

  var letters: String
  /// The secret of a link, with which whoever used the code comes back.
  var secret: String
  var until: Double
}

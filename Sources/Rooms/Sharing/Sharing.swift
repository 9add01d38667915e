internal import Fabric
internal import Scene
internal import Wire

/// Whether a room is shared, and how: its settings, its links and its code.
///
/// Only a digest of each link is stored, so a link is sent when it is created and never again.
/// Times are seconds of the room's clock; those of the record are Unix times.
struct Sharing: Sendable {
  /// How long a link is valid, in seconds.
  static let linkSeconds = 30.0 * 86_400
  /// How precisely the last use of the room is stored, in seconds.
  static let useSeconds = 3600.0

  /// The room's record; nil for a room that is not shared.
  private(set) var record: RoomRecord? { didSet { hasNewRecord = true } }
  private(set) var settings: RoomSettings
  /// The code that opens the room for a limited time; nil if there is none.
  private(set) var code: RoomCode? { didSet { hasNewCode = true } }
  private var hasNewRecord = false
  private var hasNewCode = false

  /// The secrets of a room's links; empty if they are not known.
  struct Links {
    var follow = ""
    var present = ""
    var host = ""
  }

  /// Continues with a stored record; nil for a room that was never shared.
  init(_ record: RoomRecord?) {
    self.record = record
    settings = record?.settings ?? RoomSettings()
  }

  /// Whether the room is shared.
  var isShared: Bool {
    // A comparison with nil would copy the record.
    if case .some = record { true } else { false }
  }

  /// Shares the room, which has no links yet.
  mutating func begin(_ record: RoomRecord) { self.record = record }

  /// Ends the sharing: links no longer open the room, and its settings are the defaults.
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

  /// Stores other settings.
  mutating func decide(_ settings: RoomSettings) {
    self.settings = settings
    record?.settings = settings
  }

  // MARK: Storing

  /// Records that the room is in use.
  /// - Returns: The record to store; nil for a room that is not shared.
  mutating func use(in turn: Turn) -> RoomRecord? {
    guard var record else { return nil }
    record.settings = settings
    record.lastUsed = turn.now + turn.environment.unixOffset
    self.record = record
    return record
  }

  /// Whether the last use that was stored is so long ago that the current one has to be stored.
  func isUseOld(in turn: Turn) -> Bool {
    record.map { turn.now + turn.environment.unixOffset - $0.lastUsed > Self.useSeconds } ?? false
  }

  /// Requests that the record is stored, with the current time as its last use.
  mutating func keep(in turn: inout Turn) {
    if let record = use(in: turn) { turn.effects.list.append(.keepRoom(record)) }
  }

  /// Requests that the record is stored if the last time was long ago: a server may end at any
  /// time.
  mutating func noteUse(in turn: inout Turn) {
    if isUseOld(in: turn) { keep(in: &turn) }
  }

  /// Returns whether the record has changed since the last call.
  mutating func hasChanged() -> Bool {
    defer { hasNewRecord = false }
    return hasNewRecord
  }

  /// Returns whether the code has changed since the last call.
  mutating func hasChangedCode() -> Bool {
    defer { hasNewCode = false }
    return hasNewCode
  }

  // MARK: Links

  /// Creates new links and a new code; the previous ones are no longer valid.
  mutating func renewLinks(in turn: Turn) -> Links {
    record?.keys = []
    let links = Links(
      follow: makeKey(.follow, in: turn),
      present: makeKey(.present, in: turn),
      host: makeKey(.host, in: turn)
    )
    let until = turn.now + RoomCode.seconds
    code = RoomCode(letters: turn.environment.code(), secret: links.follow, until: until)
    return links
  }

  /// Continues with the code of the room's previous owner.
  mutating func resume(_ code: RoomCode) { self.code = code }

  /// Extends the code to the validity of a new one; a code that has expired is replaced.
  mutating func renewCode(in turn: Turn) {
    let until = turn.now + RoomCode.seconds
    if let old = code {
      let letters = old.until <= turn.now ? turn.environment.code() : old.letters
      code = RoomCode(letters: letters, secret: old.secret, until: until)
    } else {
      // The secrets of the links are no longer known, so the code gets one of its own.
      let secret = makeKey(.follow, in: turn)
      code = RoomCode(letters: turn.environment.code(), secret: secret, until: until)
    }
  }

  private mutating func makeKey(_ grant: Grant, in turn: Turn) -> String {
    let secret = turn.environment.secret()
    let expires = turn.now + turn.environment.unixOffset + Self.linkSeconds
    let key = RoomRecord.Key(
      digest: turn.environment.digest(secret),
      grant: grant,
      expires: expires
    )
    record?.keys.append(key)
    return secret
  }

  /// Returns the links and the code, as they are sent to a host.
  func event(_ links: Links, now: Double) -> LinksEvent {
    LinksEvent(
      follow: links.follow,
      present: links.present,
      host: links.host,
      code: code?.letters ?? "",
      codeSeconds: max(0, (code?.until ?? now) - now)
    )
  }

  /// Sends a host the links and the code.
  func send(_ links: Links, to id: MemberID, in turn: inout Turn) {
    let event = event(links, now: turn.now)
    turn.effects.send(to: id) { ServerMessage.links(event).encode(into: &$0) }
  }

  /// Returns what a secret grants; nil if it opens nothing.
  func grant(of key: String, in turn: Turn) -> Grant? { record?.grant(of: key, in: turn) }
}

/// Six letters that open a room for a limited time.
struct RoomCode: Equatable, Sendable {
  /// How long a code is valid, in seconds.
  static let seconds = 900.0
  /// The number of letters.
  static let letterCount = 6

  /// Whether a key may be a code.
  static func isCode(_ key: String) -> Bool { key.utf8.count == letterCount }

  var letters: String
  /// The secret of a link, with which a member that used the code can join again.
  var secret: String
  var until: Double
}

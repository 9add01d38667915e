internal import Scene
internal import Staging
internal import Wire

/// What hosts decide: links, settings, guests.
extension Room {
  /// How long a link opens its room, in seconds.
  static let linkSeconds = 30.0 * 86_400
  /// How exactly it is kept when a room was last used, in seconds.
  static let useSeconds = 3600.0

  mutating func govern(
    _ message: ClientMessage,
    from id: MemberID,
    environment: RoomEnvironment,
    now: Double,
    into effects: inout Effects
  ) {
    switch message {
    case .share: share(by: id, environment: environment, now: now, into: &effects)
    case .settings(let settings):
      decide(settings, environment: environment, now: now, into: &effects)
    case .renewLinks: renewLinks(by: id, environment: environment, now: now, into: &effects)
    case .endReading: end(by: id, now: now, into: &effects)
    case .showOut(let guest): showOut(MemberID(guest), by: id, now: now, into: &effects)
    case .grant(let guest, let grant):
      give(grant, to: MemberID(guest), by: id, now: now, into: &effects)
    case .bring(let book?):
      bring(to: book, by: id, environment: environment, now: now, into: &effects)
    case .bring(nil): readAlone(id, now: now)
    case .lowerHand(let guest): lowerHand(of: MemberID(guest))
    case .record(let isOn): record(isOn, for: id, now: now, into: &effects)
    case .open(let recording): effects.list.append(.loadRecording(recording, room: name, id))
    default: return
    }
    if let act = HostAct(message) { effects.list.append(.audit(act, room: name, by: id)) }
  }

  // MARK: Links

  private mutating func share(
    by id: MemberID,
    environment: RoomEnvironment,
    now: Double,
    into effects: inout Effects
  ) {
    guard record == nil else {
      renewCode(environment: environment, now: now)
      return tell(links: ("", "", ""), to: id, now: now, into: &effects)
    }
    guard let book = shared.stage.openBook, !book.isEmpty,
      let shelf = library.shelf(of: book)
    else { return tell(id, Answers.openBookFirst, into: &effects) }
    record = RoomRecord(
      name: name,
      owner: owner,
      settings: settings,
      book: book,
      collection: shelf.content.id
    )
    shared.control.keepsBook = true
    narrow(now: now, into: &effects)
    for id in wanderers { keepOut(id, now: now, into: &effects) }
    renewLinks(by: id, environment: environment, now: now, into: &effects)
  }

  /// Gives new links; those before open nothing any more.
  private mutating func renewLinks(
    by id: MemberID,
    environment: RoomEnvironment,
    now: Double,
    into effects: inout Effects
  ) {
    guard record != nil else { return }
    record?.keys = []
    let follow = makeKey(.follow, environment: environment, now: now)
    let present = makeKey(.present, environment: environment, now: now)
    let host = makeKey(.host, environment: environment, now: now)
    code = RoomCode(letters: environment.code(), secret: follow, until: now + RoomCode.seconds)
    keep(environment: environment, now: now, into: &effects)
    tell(links: (follow, present, host), to: id, now: now, into: &effects)
  }

  /// Makes a secret that lets its bearer in, of which the digest is kept.
  private mutating func makeKey(_ grant: Grant, environment: RoomEnvironment, now: Double) -> String
  {
    let secret = environment.secret()
    let expires = now + environment.unixOffset + Self.linkSeconds
    let key = RoomRecord.Key(digest: environment.digest(secret), grant: grant, expires: expires)
    record?.keys.append(key)
    return secret
  }

  /// Lets the code open the room for as long as a new one would; one that is over is replaced.
  private mutating func renewCode(environment: RoomEnvironment, now: Double) {
    let until = now + RoomCode.seconds
    if let old = code {
      let letters = old.until <= now ? environment.code() : old.letters
      code = RoomCode(letters: letters, secret: old.secret, until: until)
    } else {
      // The secrets of before are not known any more; the code gives one of its own.
      let secret = makeKey(.follow, environment: environment, now: now)
      code = RoomCode(letters: environment.code(), secret: secret, until: until)
    }
  }

  private func tell(
    links secrets: (follow: String, present: String, host: String),
    to id: MemberID,
    now: Double,
    into effects: inout Effects
  ) {
    let links = LinksEvent(
      follow: secrets.follow,
      present: secrets.present,
      host: secrets.host,
      code: code?.letters ?? "",
      codeSeconds: max(0, (code?.until ?? now) - now)
    )
    effects.send(to: id) { ServerMessage.links(links).encode(into: &$0) }
  }

  /// What a secret allows; nil if it opens nothing.
  func grant(of key: String, environment: RoomEnvironment, now: Double) -> Grant? {
    record?.grant(of: key, environment: environment, now: now)
  }

  /// Asks for what is kept of the room to be kept anew, as one that is in use now.
  mutating func keep(environment: RoomEnvironment, now: Double, into effects: inout Effects) {
    guard var record else { return }
    record.settings = settings
    record.lastUsed = now + environment.unixOffset
    self.record = record
    effects.list.append(.keepRoom(record))
  }

  /// Asks for the room to be kept if that was long ago: a server may end at any time.
  mutating func noteUse(environment: RoomEnvironment, now: Double, into effects: inout Effects) {
    guard let record, now + environment.unixOffset - record.lastUsed > Self.useSeconds else {
      return
    }
    keep(environment: environment, now: now, into: &effects)
  }

  // MARK: Decisions

  private mutating func decide(
    _ settings: RoomSettings,
    environment: RoomEnvironment,
    now: Double,
    into effects: inout Effects
  ) {
    self.settings = settings
    record?.settings = settings
    leadership.setPolicy(settings.policy, at: now)
    hasNewRoles = true
    if !settings.sharesShelf {
      for id in wanderers where isOut(id) && person(id)?.grant != .host {
        rejoin(id, now: now, into: &effects)
      }
    }
    if !settings.mayWander {
      for id in wanderers
      where person(id)?.grant != .host { catchUp(id, now: now, into: &effects) }
    }
    keep(environment: environment, now: now, into: &effects)
  }

  /// Shows all that share a reading what they may see.
  private mutating func narrow(now: Double, into effects: inout Effects) {
    shared.exchange(library: shown, now: now, into: &effects)
  }

  /// Takes another state of the library; it is shown when the stage rests.
  ///
  /// Costs as much as there are wanderers, however large the library is.
  mutating func replace(_ update: LibraryUpdate, now: Double, into effects: inout Effects) {
    library = update.library
    let books = record.map { [$0.book] + (passage.map { [$0.from] } ?? []) }
    let isConcerned = books.map { $0.contains(where: update.concerns) } ?? true
    let shown = isConcerned ? shown : shared.selection.library
    let isReadingAlone = update.isReadingAlone || !isConcerned
    shared.replace(library: shown, isReadingAlone: isReadingAlone, now: now, into: &effects)
    for id in wanderers {
      let isOut = isOut(id)
      let library = isOut ? library(of: id) : shown
      let isReadingAlone = isOut ? update.isReadingAlone : isReadingAlone
      withReading(of: id) { own in
        own.replace(library: library, isReadingAlone: isReadingAlone, now: now, into: &effects)
      }
    }
    tendBook(now: now, into: &effects)
  }

  /// Takes a library that one of its stages asked to be arranged.
  mutating func take(
    _ library: ShownLibrary,
    for request: ArrangementRequest,
    reader: MemberID?,
    now: Double,
    into effects: inout Effects
  ) {
    if let reader {
      guard wanderings[reader] != nil else { return }
      withReading(of: reader) { $0.take(library, for: request, now: now, into: &effects) }
    } else {
      shared.take(library, for: request, now: now, into: &effects)
    }
    settle(now: now, into: &effects)
  }

  /// Whether somebody remains when the reading has ended: the owner, who may see the library.
  private func remains(_ person: Person) -> Bool {
    person.reader == owner && person.opensLibrary
  }

  /// The room is its owner's alone again; another host that ends the reading goes, too.
  private mutating func end(by id: MemberID, now: Double, into effects: inout Effects) {
    guard record != nil else { return }
    for person in people where !remains(person) {
      if person.isHere { close(person.id, .ended, into: &effects) }
      remove(person.id, now: now, into: &effects)
    }
    let way = isOut(id) ? session(of: id).stage.way(at: now) : []
    record = nil
    code = nil
    (passage, shared.control.keepsBook) = (nil, false)
    settings = RoomSettings()
    leadership.setPolicy(settings.policy, at: now)
    hasNewRoles = true
    effects.list.append(.forgetRoom(name))
    narrow(now: now, into: &effects)
    for person in people { rejoin(person.id, now: now, into: &effects) }
    guard person(id) != nil else { return }
    for input in way { shared.go(input, now: now, into: &effects) }
  }

  private mutating func showOut(
    _ guest: MemberID,
    by id: MemberID,
    now: Double,
    into effects: inout Effects
  ) {
    guard guest != id, let person = person(guest) else { return }
    guard person.reader != owner else { return tell(id, Answers.ownersRoom, into: &effects) }
    if person.isHere { close(guest, .shownOut, into: &effects) }
    remove(guest, now: now, into: &effects)
  }

  /// Takes a hand down; one that its owner has just taken down is no mistake.
  private mutating func lowerHand(of id: MemberID) {
    guard let index = index(of: id) else { return }
    people[index].isRaised = false
    changed.insert(id)
  }

  private mutating func give(
    _ grant: Grant,
    to guest: MemberID,
    by id: MemberID,
    now: Double,
    into effects: inout Effects
  ) {
    guard guest != id, let index = index(of: guest) else { return }
    guard people[index].reader != owner else { return tell(id, Answers.ownersRoom, into: &effects) }
    people[index].grant = grant
    leadership.setGrant(grant, of: guest, at: now)
    hasNewRoles = true
    if grant < .host {
      if isOut(guest) {
        // At once: what it sees is not a guest's to see.
        rejoin(guest, now: now, into: &effects)
      } else if !settings.mayWander {
        catchUp(guest, now: now, into: &effects)
      }
    }
    changed.insert(guest)
  }
}

extension HostAct {
  /// What a message of a host asks for; nil if it is none that only a host may send.
  fileprivate init?(_ message: ClientMessage) {
    switch message {
    case .share: self = .share
    case .settings: self = .settings
    case .renewLinks: self = .renewLinks
    case .endReading: self = .end
    case .showOut(let guest): self = .showOut(MemberID(guest))
    case .grant(let guest, let grant): self = .grant(MemberID(guest), grant)
    case .record(let isOn): self = .record(isOn)
    case .open(let recording): self = .play(recording)
    default: return nil
    }
  }
}

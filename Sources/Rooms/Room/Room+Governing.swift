internal import Fabric
internal import Notices
internal import Scene
internal import Staging
internal import Wire

/// Handles the decisions of hosts: links, settings, guests.
extension Room {
  mutating func govern(_ message: ClientMessage, from id: MemberID, in turn: inout Turn) {
    let address = person(id)?.address ?? ""
    switch message {
    case .share: share(by: id, in: &turn)
    case .settings(let settings): decide(settings, in: &turn)
    case .renewLinks: renewLinks(by: id, in: &turn)
    case .endReading: end(by: id, in: &turn)
    case .showOut(let guest): remove(MemberID(guest), by: id, in: &turn)
    case .grant(let guest, let grant): give(grant, to: MemberID(guest), by: id, in: &turn)
    case .bring(let book?): bring(to: book, by: id, in: &turn)
    case .bring(nil): readAlone(id, now: turn.now)
    case .lowerHand(let guest): lowerHand(of: MemberID(guest))
    case .record(let isOn): record(isOn, for: id, in: &turn)
    case .open(let recording): turn.effects.list.append(.loadRecording(recording, room: name, id))
    case .hello, .pointers, .wheel, .key, .viewport, .clock, .zoom, .visibility, .ready, .jump, .go,
      .arrange, .lay, .zoomStep, .persona, .ack, .point, .raise, .wander, .handover, .play, .fit:
      return
    }
    if let act = HostAct(message) {
      turn.effects.list.append(.audit(act, room: name, by: id, from: address))
    }
  }

  // MARK: Links

  private mutating func share(by id: MemberID, in turn: inout Turn) {
    guard !isShared else {
      sharing.renewCode(in: turn)
      return sharing.send(Sharing.Links(), to: id, in: &turn)
    }
    guard let book = shared.stage.openBook, library.layout.index(of: book) != nil
    else { return tell(id, Notice(.openBookFirst), in: &turn) }
    let record = RoomRecord(
      name: name,
      owner: owner,
      settings: settings,
      book: book,
      collection: shared.selection.shown.name(ofCollection: shared.stage.collection)
    )
    sharing.begin(record)
    announced.rolesAreStale = true
    shared.control.keepsBook = true
    narrow(in: &turn)
    for id in wanderers.ids { keepOut(id, in: &turn) }
    renewLinks(by: id, in: &turn)
  }

  /// Creates new links and sends them to the host that requested them.
  private mutating func renewLinks(by id: MemberID, in turn: inout Turn) {
    guard isShared else { return }
    let links = sharing.renewLinks(in: turn)
    sharing.keep(in: &turn)
    sharing.send(links, to: id, in: &turn)
  }

  // MARK: Decisions

  private mutating func decide(_ settings: RoomSettings, in turn: inout Turn) {
    sharing.decide(settings)
    leadership.setPolicy(settings.policy, at: turn.now)
    announced.rolesAreStale = true
    if !settings.sharesShelf {
      for id in wanderers.ids where isOut(id) && person(id)?.grant != .host {
        rejoin(id, in: &turn)
      }
    }
    if !settings.mayWander {
      for id in wanderers.ids
      where person(id)?.grant != .host { catchUp(id, in: &turn) }
    }
    sharing.keep(in: &turn)
  }

  /// Updates the library of the shared session to what its members may see.
  private mutating func narrow(in turn: inout Turn) { shared.exchange(library: shown, in: &turn) }

  /// Stores another state of the library; it is shown when the stage rests.
  ///
  /// The cost is proportional to the number of wanderers, regardless of the size of the library.
  mutating func replace(_ update: LibraryUpdate, in turn: inout Turn) {
    library = update.library
    let books = record.map { [$0.book] + (transition.map { [$0.from] } ?? []) }
    let isConcerned = books.map { $0.contains(where: update.concerns) } ?? true
    let shown = isConcerned ? shown : shared.selection.library
    let isReadingAlone = update.isReadingAlone || !isConcerned
    shared.replace(library: shown, isReadingAlone: isReadingAlone, in: &turn)
    var readers = update.takesFile(from: shared) ? shared.members.map(\.id) : []
    for id in wanderers.ids {
      let isOut = isOut(id)
      let library = isOut ? library(of: id) : shown
      let isReadingAlone = isOut ? update.isReadingAlone : isReadingAlone
      withSession(of: id) { own in
        own.replace(library: library, isReadingAlone: isReadingAlone, in: &turn)
        if update.takesFile(from: own) { readers.append(id) }
      }
    }
    for id in readers { tell(id, Notice(.openBookGone), in: &turn) }
    tendBook(in: &turn)
  }

  /// Passes an arranged library to the session that requested it.
  mutating func take(
    _ library: ShownLibrary,
    for request: ArrangementRequest,
    reader: MemberID?,
    in turn: inout Turn
  ) {
    if let reader {
      guard wanderers.contains(reader) else { return }
      withSession(of: reader) { $0.take(library, for: request, in: &turn) }
    } else {
      shared.take(library, for: request, in: &turn)
    }
    conclude(in: &turn)
  }

  /// Whether a person stays when the sharing ends: the owner, if it may see the library.
  private func remains(_ person: Person) -> Bool { person.reader == owner && person.opensLibrary }

  /// Returns the room to its owner alone; another host that ends the sharing leaves, too.
  private mutating func end(by id: MemberID, in turn: inout Turn) {
    guard record != nil else { return }
    for person in roster.people where !remains(person) {
      if person.isHere { close(person.id, .ended, in: &turn) }
      remove(person.id, in: &turn)
    }
    let way = isOut(id) ? session(of: id).stage.way(at: turn.now) : []
    sharing.end()
    (transition, shared.control.keepsBook) = (nil, false)
    leadership.setPolicy(settings.policy, at: turn.now)
    announced.rolesAreStale = true
    turn.effects.list.append(.forgetRoom(name))
    narrow(in: &turn)
    for person in roster.people { rejoin(person.id, in: &turn) }
    guard person(id) != nil else { return }
    for input in way { shared.go(input, in: &turn) }
  }

  private mutating func remove(_ guest: MemberID, by id: MemberID, in turn: inout Turn) {
    guard guest != id, let person = person(guest) else { return }
    guard person.reader != owner else { return tell(id, Notice(.ownersRoom), in: &turn) }
    if person.isHere { close(guest, .shownOut, in: &turn) }
    remove(guest, in: &turn)
  }

  /// Lowers a member's hand; it is no error if the member has just lowered it.
  private mutating func lowerHand(of id: MemberID) {
    if let index = roster.index(of: id) { roster.raise(false, at: index) }
  }

  private mutating func give(
    _ grant: Grant,
    to guest: MemberID,
    by id: MemberID,
    in turn: inout Turn
  ) {
    guard guest != id, let index = roster.index(of: guest) else { return }
    guard roster[index].reader != owner else { return tell(id, Notice(.ownersRoom), in: &turn) }
    roster[index].grant = grant
    leadership.setGrant(grant, of: guest, at: turn.now)
    announced.rolesAreStale = true
    if grant < .host {
      if isOut(guest) {
        // At once, because a guest may not see this part of the library.
        rejoin(guest, in: &turn)
      } else if !settings.mayWander {
        catchUp(guest, in: &turn)
      }
    } else if isOut(guest) {
      // A guest outside sees only the shared shelf; a host sees the whole library.
      let library = library
      withSession(of: guest) { own in
        own.replace(library: library, isReadingAlone: false, in: &turn)
      }
    }
    roster.noteChange(of: guest)
  }
}

internal import Fabric
internal import Motion
internal import Scene
internal import Staging
internal import Wire

/// Members that leave the shared book for more of the library: hosts for all of it, and guests for
/// its shelf if that is shared. The shared session stays in the book.
extension Room {
  /// Whether a member reads outside the shared book.
  func isOut(_ id: MemberID) -> Bool {
    isShared && wanderers[id].map { !$0.session.control.keepsBook } ?? false
  }

  /// Returns what a member sees after it leaves the shared book; nil if it may not leave.
  func libraryOutside(for id: MemberID) -> ShownLibrary? {
    guard let record, let person = person(id) else { return nil }
    if person.grant == .host { return library }
    let holdsBook = leadership.presenter == id && settings.policy != .anyoneTurns
    guard settings.sharesShelf, settings.mayWander, !holdsBook else { return nil }
    return library.onlyShelf(of: record)
  }

  /// Applies inputs that would have left the shared book to a stage of the member's own; discards
  /// them if the member may not leave the book.
  mutating func follow(_ leaving: [TimedInput], of id: MemberID, in turn: inout Turn) {
    var inputs = leaving
    guard !inputs.isEmpty else { return }
    let pinchStart = withSession(of: id) { $0.stage.pinchStart }
    withSession(of: id) { $0.letGo(of: id, in: &turn) }
    guard let library = libraryOutside(for: id), transition == nil else { return }
    if !wanderers.contains(id) { fork(id, in: &turn) }
    if case .pinch(let phase, _, let middle) = inputs.first?.input, phase != .began,
      let time = inputs.first?.time
    {
      // The gesture that the fingers continue here began on the other stage.
      let began = Input.pinch(.began, scale: pinchStart ?? 1, middle)
      inputs.insert(TimedInput(input: began, time: time), at: 0)
    }
    let isHost = person(id)?.grant == .host
    let bookmarks = isHost ? wanderers.bookmarks.values.sorted { $0.book < $1.book } : []
    let isOut: Void? = wanderers.update(id) { own in
      own.letGo(of: id, in: &turn)
      let beyond = inputs.map { own.selection.shown.lacksTarget(of: $0.input) }
      own.widen(to: library, in: &turn)
      for (index, isBeyond) in beyond.enumerated() where isBeyond {
        inputs[index].input = own.selection.shown.faced(inputs[index].input)
      }
      if isHost { own.stage.restore(bookmarks: bookmarks) }
      own.makeUp(for: inputs, of: id, in: &turn)
    }
    guard isOut != nil else { return }
    leadership.setOut(true, of: id, at: turn.now)
    _ = wanderers.setChoosing(isHost, id)
    announced.rolesAreStale = true
    roster.noteChange(of: id)
  }

  /// Brings a member outside back if it has opened the shared book again; a host that is on its
  /// shelves begins to choose a book.
  mutating func takeBack(_ id: MemberID, in turn: inout Turn) {
    guard let wanderer = wanderers[id], isOut(id), let person = person(id) else { return }
    let stage = wanderer.session.stage
    if stage.openBook == nil, person.grant == .host, wanderers.setChoosing(true, id) {
      for index in 0..<roster.count { tellRole(at: index, in: &turn) }
      roster.noteChange(of: id)
    }
    guard !shared.isPlayback, transition == nil, wanderer.catchUpLimit == nil,
      stage.openBook == record?.book, stage.staysOpen, !stage.isDriven
    else { return }
    catchUp(id, in: &turn)
  }

  /// Lets a host outside read alone: if it presents, the book goes to the heir, see <doc:Roles>.
  mutating func readAlone(_ id: MemberID, now: Double) {
    guard isOut(id), person(id) != nil else { return }
    _ = wanderers.setChoosing(false, id)
    roster.noteChange(of: id)
    if leadership.presenter == id { _ = leadership.handle(.layDown, from: id, at: now) }
    announced.rolesAreStale = true
  }

  /// Keeps a wanderer in the shared book if it is there when the room is shared; any other wanderer
  /// is outside from then on.
  mutating func keepOut(_ id: MemberID, in turn: inout Turn) {
    guard let own = wanderers[id]?.session else { return }
    guard own.stage.openBook == record?.book else {
      return leadership.setOut(true, of: id, at: turn.now)
    }
    let shown = shown
    withSession(of: id) { own in
      own.control.keepsBook = true
      own.exchange(library: shown, in: &turn)
    }
  }

  /// Opens the shared book in the shared session if it is not open: the book may have been missing
  /// from the library for a while, or a recording was closed.
  mutating func tendBook(in turn: inout Turn) {
    guard let record, !shared.isPlayback, transition == nil, !shared.selection.isWaiting
    else { return }
    if shared.stage.openBook != record.book, !shared.stage.isDriven,
      library.book(named: record.book)?.isReadable == true
    {
      let go = Input.go(book: record.book, opens: true, page: nil)
      shared.go(go, in: &turn)
    }
    guard shared.stage.openBook == record.book else { return }
    for id in wanderers.ids {
      // A recording may also have left a wanderer in another book, or on a shelf.
      let mayStay =
        isOut(id)
        ? libraryOutside(for: id) != nil
        : wanderers[id]?.session.stage.openBook == record.book
      if !mayStay { rejoin(id, in: &turn) }
    }
  }

  // MARK: Bookmarks

  /// Stores where the owner has left books other than the shared one, before it returns or leaves.
  mutating func keepBookmarksElsewhere(of id: MemberID) {
    guard isOut(id), person(id)?.reader == owner, let own = wanderers[id]?.session else { return }
    wanderers.keep(
      own.stage.bookmarks.reduce(into: [:]) { left, bookmark in
        if bookmark.book != record?.book { left[bookmark.book] = bookmark }
      }
    )
  }
}

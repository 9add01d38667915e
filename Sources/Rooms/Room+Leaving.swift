internal import Geometry
internal import Scene
internal import Staging
internal import Wire

/// Who leaves the shared book for more of the library: hosts for all of it, and guests for its
/// shelf where that is shared. The shared reading stays in the book.
extension Room {
  /// Whether a member reads outside the shared book.
  func isOut(_ id: MemberID) -> Bool {
    record != nil && wanderings[id].map { !$0.control.keepsBook } ?? false
  }

  /// What a member sees that leaves the shared book; nil for one that may not.
  func libraryBeyondBook(for id: MemberID) -> ShownLibrary? {
    guard let record, let person = person(id) else { return nil }
    if person.grant == .host { return library }
    let holdsBook = leadership.presenter == id && settings.policy != .anyoneTurns
    guard settings.sharesShelf, settings.mayWander, !holdsBook else { return nil }
    return library.onlyShelf(of: record.book)
  }

  /// Carries out what would have left the shared book: on a stage of the member's own, or, for one
  /// that may not leave it, not at all.
  mutating func followLeavings(
    of id: MemberID,
    now: Double,
    into effects: inout Effects
  ) {
    var inputs = withReading(of: id) { $0.control.takeLeavings() }
    guard !inputs.isEmpty else { return }
    let pinchStart = session(of: id).stage.pinchStart
    withReading(of: id) { $0.letGo(of: id, now: now, into: &effects) }
    guard let library = libraryBeyondBook(for: id), passage == nil else { return }
    if wanderings[id] == nil { fork(id, now: now, into: &effects) }
    guard var own = wanderings[id] else { return }
    own.letGo(of: id, now: now, into: &effects)
    if case .pinch(let phase, _, let middle) = inputs.first?.input, phase != .began,
      let time = inputs.first?.time
    {
      // The fingers began on the other stage what they go on with here.
      let began = Input.pinch(.began, scale: pinchStart ?? 1, middle)
      inputs.insert(TimedInput(input: began, time: time), at: 0)
    }
    let beyond = inputs.map { own.leadsBeyond($0.input) }
    own.widen(to: library, now: now, into: &effects)
    for (index, isBeyond) in beyond.enumerated() where isBeyond {
      inputs[index].input = own.faced(inputs[index].input)
    }
    if person(id)?.grant == .host {
      own.stage.restore(places: placesElsewhere.values.sorted { $0.book < $1.book })
    }
    own.makeUp(for: inputs, of: id, now: now, into: &effects)
    wanderings[id] = own
    movedWanderers.insert(id)
    leadership.setOut(true, of: id, at: now)
    if let index = index(of: id) { people[index].isChoosing = people[index].grant == .host }
    hasNewRoles = true
    changed.insert(id)
  }

  /// A member outside that opens the shared book again comes back to the others; a host on its
  /// shelves chooses a book.
  mutating func takeBack(_ id: MemberID, now: Double, into effects: inout Effects) {
    guard isOut(id), let own = wanderings[id], let index = index(of: id) else { return }
    if own.stage.openBook == nil, people[index].grant == .host, !people[index].isChoosing {
      people[index].isChoosing = true
      changed.insert(id)
    }
    guard shared.playback == nil, passage == nil, people[index].catchUpLimit == nil,
      own.stage.openBook == record?.book, own.stage.staysOpen, !own.stage.isDriven
    else { return }
    catchUp(id, now: now, into: &effects)
  }

  /// A host outside reads alone: the book goes to the heir, see <doc:Roles>.
  mutating func readAlone(_ id: MemberID, now: Double) {
    guard isOut(id), let index = index(of: id) else { return }
    people[index].isChoosing = false
    changed.insert(id)
    if leadership.presenter == id { _ = leadership.handle(.layDown, from: id, at: now) }
    hasNewRoles = true
  }

  /// A room is shared while a member wanders: in the shared book it stays there.
  mutating func keepOut(_ id: MemberID, now: Double, into effects: inout Effects) {
    guard let own = wanderings[id] else { return }
    guard own.stage.openBook == record?.book else {
      return leadership.setOut(true, of: id, at: now)
    }
    let shown = shown
    withReading(of: id) { own in
      own.control.keepsBook = true
      own.exchange(library: shown, now: now, into: &effects)
    }
  }

  /// Opens the shared book for those that share the reading if it is not: it may have been gone
  /// from the library for a while, or a recording was put away.
  mutating func tendBook(now: Double, into effects: inout Effects) {
    guard let record, shared.playback == nil, passage == nil, !shared.selection.isWaiting
    else { return }
    if shared.stage.openBook != record.book, !shared.stage.isDriven,
      library.shelf(of: record.book) != nil
    {
      let go = Input.go(book: record.book, opens: true, page: nil)
      shared.go(go, now: now, into: &effects)
    }
    guard shared.stage.openBook == record.book else { return }
    for id in wanderers {
      // Also out of a recording one may have come into another book, or onto a shelf.
      let mayStay =
        isOut(id)
        ? libraryBeyondBook(for: id) != nil
        : wanderings[id]?.stage.openBook == record.book
      if !mayStay { rejoin(id, now: now, into: &effects) }
    }
  }

  // MARK: Places

  /// Where the books are open that the room's owner has in its hands: before all, and elsewhere.
  ///
  /// What guests read elsewhere, hosts too, leaves the owner's places as they are.
  var bookmarks: [BookPlace] {
    let own = wanderers.filter { isOut($0) && person($0)?.reader == owner }
    let shown = shared.playback == nil ? [shared.stage] : []
    return (shown + own.compactMap { wanderings[$0]?.stage }).compactMap(\.bookmark)
  }

  /// Remembers where the owner that goes has left other books than the shared one.
  mutating func keepPlacesElsewhere(of id: MemberID) {
    if isOut(id) { placesElsewhere.merge(ownPlaces(of: id)) { $1 } }
  }

  private func ownPlaces(of id: MemberID) -> [String: BookPlace] {
    guard person(id)?.reader == owner, let own = wanderings[id] else { return [:] }
    return own.stage.bookPlaces.reduce(into: [:]) { places, place in
      if place.book != record?.book { places[place.book] = place }
    }
  }

  /// Whether a book may have been left elsewhere since this was last asked.
  mutating func hasMovedBookmark() -> Bool {
    var hasMoved = shared.hasMovedBookmark()
    for id in wanderings.keys where isOut(id) {
      if wanderings[id]?.hasMovedBookmark() == true { hasMoved = true }
    }
    return hasMoved
  }
}

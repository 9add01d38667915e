internal import Fabric
internal import Scene
internal import Staging
internal import Wire

/// The way of all members of the shared session from one book to another.
struct Passage: Equatable, Sendable {
  /// How long it takes at most, in seconds; then all are put into the other book.
  static let seconds = 8.0
  /// How often it is looked whether all have arrived, in seconds.
  static let step = 0.1

  /// The book that they come from, which is seen until they have arrived.
  var from: String
  /// The page that they go to.
  var page: Int
  /// The host that brings them.
  var guide: MemberID
  var limit: Double
  var wake: Double
}

extension Room {
  /// Makes another book the shared one, and brings all members of the shared session there; the
  /// book of before closes for guests.
  mutating func bring(
    to book: String,
    by id: MemberID,
    environment: RoomEnvironment,
    now: Double,
    into effects: inout Effects
  ) {
    guard let old = record?.book else {
      return tell(id, Answers.shareFirst, into: &effects)
    }
    guard let shelf = library.shelf(of: book), !book.isEmpty else {
      return tell(id, Answers.bookGone, into: &effects)
    }
    guard !shared.isPlayback else {
      return tell(id, Answers.closeRecordingFirst, into: &effects)
    }
    if passage != nil { endPassage(now: now, into: &effects) }
    guard book != record?.book else { return catchUp(id, now: now, into: &effects) }
    let own = wanderers[id]?.session.stage
    let page = own?.openBook == book ? own?.firstPage ?? 0 : 0
    sharing.share(book, of: shelf.content.id)
    keep(environment: environment, now: now, into: &effects)
    // Guests elsewhere come along; hosts elsewhere see the library, and stay.
    for other in wanderers.ids where other != id && !(isOut(other) && person(other)?.grant == .host)
    {
      rejoin(other, now: now, into: &effects)
    }
    passage = Passage(
      from: old,
      page: page,
      guide: id,
      limit: now + Passage.seconds,
      wake: now + Passage.step
    )
    _ = wanderers.setChoosing(false, id)
    leadership.lead(id, at: now)
    shared.exchange(library: shown, now: now, into: &effects)
    shared.go(.go(book: book, opens: true, page: page), now: now, into: &effects)
    roster.noteChange(of: id)
    told.rolesAreStale = true
  }

  /// Ends the passage when all have arrived in the other book, or it has taken too long.
  mutating func advancePassage(now: Double, into effects: inout Effects) {
    guard let passage else { return }
    // Those that follow see the landing a little later.
    let hasLanded =
      shared.stage.openBook == record?.book && shared.hasLanded(at: now - timing.delay.value)
    guard hasLanded || now >= passage.limit else {
      self.passage?.wake = now + Passage.step
      return
    }
    endPassage(now: now, into: &effects)
  }

  /// Ends the passage: the book of before is not seen any more.
  private mutating func endPassage(now: Double, into effects: inout Effects) {
    guard let passage else { return }
    self.passage = nil
    told.rolesAreStale = true
    shared.exchange(library: shown, now: now, into: &effects)
    tendBook(now: now, into: &effects)
    takeBack(passage.guide, now: now, into: &effects)
  }
}

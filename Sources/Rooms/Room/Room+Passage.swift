internal import Fabric
internal import Scene
internal import Staging
internal import Wire

/// The transition of all members of the shared session from one book to another.
struct Passage: Equatable, Sendable {
  /// The maximum duration in seconds; after it, all members are put into the other book.
  static let seconds = 8.0
  /// How often to check whether all members have arrived, in seconds.
  static let step = 0.1

  /// The previous book, which is visible until all members have arrived.
  var from: String
  /// The page that they go to.
  var page: Int
  /// The host that brings them.
  var guide: MemberID
  var limit: Double
  var wake: Double
}

extension Room {
  /// Makes another book the shared one, and brings all members of the shared session there; guests
  /// lose access to the previous book.
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
    guard library.book(named: book)?.isReadable == true else {
      return tell(id, Answers.bookUnreadable, into: &effects)
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
    // Guests outside come along; other hosts outside see the whole library, and stay. The sender
    // comes along as well, unless the others fly to where it is: then it waits for them there.
    for other in wanderers.ids {
      let stays =
        other == id ? own?.openBook == book : isOut(other) && person(other)?.grant == .host
      if !stays { rejoin(other, now: now, into: &effects) }
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

  /// Ends the passage when the member that has the book acts in the other book, where it has
  /// arrived a little before the others: what it does counts.
  mutating func endPassage(for id: MemberID, now: Double, into effects: inout Effects) {
    guard passage != nil, leadership.presenter == id, shared.stage.openBook == record?.book,
      shared.hasLanded(at: now)
    else { return }
    endPassage(now: now, into: &effects)
    applyRoles(now: now, into: &effects)
  }

  /// Ends the passage when all members have arrived in the other book, or after its time limit.
  mutating func advancePassage(now: Double, into effects: inout Effects) {
    guard let passage else { return }
    // Followers see the landing a little later.
    let hasLanded =
      shared.stage.openBook == record?.book && shared.hasLanded(at: now - timing.delay.value)
    guard hasLanded || now >= passage.limit else {
      self.passage?.wake = now + Passage.step
      return
    }
    endPassage(now: now, into: &effects)
  }

  /// Ends the passage: the previous book is no longer visible.
  private mutating func endPassage(now: Double, into effects: inout Effects) {
    guard let passage else { return }
    self.passage = nil
    told.rolesAreStale = true
    shared.exchange(library: shown, now: now, into: &effects)
    tendBook(now: now, into: &effects)
    takeBack(passage.guide, now: now, into: &effects)
  }
}

internal import Fabric
internal import Notices
internal import Scene
internal import Staging
internal import Wire

/// Brings all members to another book.
extension Room {
  /// Makes another book the shared one, and brings all members of the shared session there; guests
  /// lose access to the previous book.
  mutating func bring(to book: String, by id: MemberID, in turn: inout Turn) {
    guard let old = record?.book else { return tell(id, Notice(.shareFirst), in: &turn) }
    guard let shelf = library.shelf(of: book, preferring: ""), !book.isEmpty else {
      return tell(id, Notice(.bookGone), in: &turn)
    }
    guard library.book(named: book)?.isReadable == true else {
      return tell(id, Notice(.bookClosed), in: &turn)
    }
    guard !shared.isPlayback else { return tell(id, Notice(.closeRecordingFirst), in: &turn) }
    if transition != nil { endTransition(in: &turn) }
    guard book != record?.book else { return catchUp(id, in: &turn) }
    let own = wanderers[id]?.session.stage
    let page = own?.openBook == book ? own?.firstPage ?? 0 : 0
    sharing.share(book, of: shelf.content.id)
    sharing.keep(in: &turn)
    // Guests outside come along; other hosts outside see the whole library, and stay. The sender
    // comes along as well, unless the others fly to where it is: then it waits for them there.
    for other in wanderers.ids {
      let stays =
        other == id ? own?.openBook == book : isOut(other) && person(other)?.grant == .host
      if !stays { rejoin(other, in: &turn) }
    }
    transition = Transition(from: old, page: page, guide: id, at: turn.now)
    _ = wanderers.setChoosing(false, id)
    leadership.lead(id, at: turn.now)
    shared.exchange(library: shown, in: &turn)
    shared.go(.go(book: book, opens: true, page: page), in: &turn)
    roster.noteChange(of: id)
    announced.rolesAreStale = true
  }

  /// Ends the transition when the member that has the book acts in the other book, where it has
  /// arrived a little before the others: what it does counts.
  mutating func endTransition(for id: MemberID, in turn: inout Turn) {
    guard transition != nil, leadership.presenter == id, shared.stage.openBook == record?.book,
      shared.hasLanded(at: turn.now)
    else { return }
    endTransition(in: &turn)
    applyRoles(in: &turn)
  }

  /// Ends the transition when all members have arrived in the other book, or after its time limit.
  mutating func advanceTransition(in turn: inout Turn) {
    guard let transition else { return }
    // Followers see the landing a little later.
    let hasLanded =
      shared.stage.openBook == record?.book && shared.hasLanded(at: turn.now - timing.delay.value)
    guard hasLanded || turn.now >= transition.limit else {
      self.transition?.wait(from: turn.now)
      return
    }
    endTransition(in: &turn)
  }

  /// Ends the transition: the previous book is no longer visible.
  private mutating func endTransition(in turn: inout Turn) {
    guard let transition else { return }
    self.transition = nil
    announced.rolesAreStale = true
    shared.exchange(library: shown, in: &turn)
    tendBook(in: &turn)
    takeBack(transition.guide, in: &turn)
  }
}

internal import Fabric
internal import Notices
internal import Scene
internal import Staging
internal import Wire

/// Handles the messages of members.
extension Room {
  /// Handles a message of a member; an outdated message has no effect.
  mutating func receive(_ packet: ClientPacket, from id: MemberID, in turn: inout Turn) {
    guard let index = roster.index(of: id), roster[index].isHere else { return }
    roster.confirm(at: index)
    clock = turn.now
    let message = packet.message
    switch message.kind.sender {
    case .newcomer: return
    case .member: break
    case .actor:
      guard packet.role == roster[index].role.number else { return tally.staleInputs += 1 }
    case .host:
      guard roster[index].grant == .host else {
        tell(id, Notice(.hostsOnly), in: &turn)
        return conclude(in: &turn)
      }
    }
    switch message {
    case .hello: return
    case .clock(let clientTime):
      return turn.effects.send(to: id) {
        ServerMessage.clock(clientTime: clientTime, serverTime: turn.now).encode(into: &$0)
      }
    // A report changes nothing that is announced: most messages of a large room are reports.
    case .ack(let ack): return note(ack, ofPersonAt: index, in: &turn)
    case .pointers, .wheel, .key, .zoom, .zoomStep, .lay, .jump, .go, .arrange:
      act(message, from: id, in: &turn)
    case .point(let place): point(at: place, from: id, in: &turn)
    case .ready, .viewport, .fit: withSession(of: id) { $0.receive(message, from: id, in: &turn) }
    case .visibility(let isVisible): see(isVisible, id, in: &turn)
    case .persona(let persona): roster.rename(at: index, to: persona)
    case .raise(let isRaised):
      tell(News.raised(isRaised, by: roster[index], to: leadership, in: roster), in: &turn)
      roster.raise(isRaised, at: index)
    case .wander(true): wander(id, in: &turn)
    case .wander(false): catchUp(id, in: &turn)
    case .handover(let handover): hand(handover, from: id, in: &turn)
    case .play(let order): play(order, from: id, in: &turn)
    case .share, .settings, .renewLinks, .endReading, .showOut, .grant, .record, .open, .bring,
      .lowerHand:
      govern(message, from: id, in: &turn)
    }
    conclude(in: &turn)
  }

  private mutating func act(_ message: ClientMessage, from id: MemberID, in turn: inout Turn) {
    if transition != nil { endTransition(for: id, in: &turn) }
    if message.isAction, wanderers.isReturning(id) {
      // A member that acts while it catches up wanders again, unless it has to return.
      guard leadership.presenter != id, settings.mayWander || person(id)?.grant == .host
      else { return }
      wanderers.setCatchUpLimit(nil, of: id)
      announced.rolesAreStale = true
    }
    let wanders = wanderers.contains(id)
    var outcome = withSession(of: id) { $0.act(message, from: id, in: &turn) }
    if let end = outcome.end { tell(id, of: end, in: &turn) }
    if !outcome.pending.leaving.isEmpty {
      follow(outcome.pending.leaving, of: id, in: &turn)
      (outcome.holder, outcome.owesFrame) = (shared.holder, shared.owesFrame(to: id))
    }
    guard !wanders else { return takeBack(id, in: &turn) }
    let refused = outcome.pending.refused
    if !refused.isEmpty {
      let mayLeave = libraryOutside(for: id) != nil
      if shared.wouldMove(refused, mayLeave: mayLeave) {
        wander(id, doing: refused, in: &turn)
        let leaving = withSession(of: id) { $0.control.drainLeaving() }
        follow(leaving, of: id, in: &turn)
      }
    } else if settings.policy == .anyoneTurns, let holder = outcome.holder,
      holder != leadership.presenter
    {
      leadership.touch(by: holder, isHeld: false, at: turn.now)
      announced.rolesAreStale = true
    }
    if case .pointers = message, !outcome.owesFrame { showHand(of: id, in: &turn) }
  }

  private mutating func see(_ isVisible: Bool, _ id: MemberID, in turn: inout Turn) {
    let wasVisible = self.isVisible(id)
    if isVisible, !wasVisible { tellAll(to: id, in: &turn) }
    // A member whose page is hidden points at nothing.
    if !isVisible { hidePointer(of: id, in: &turn) }
    let message = ClientMessage.visibility(isVisible: isVisible)
    withSession(of: id) { $0.receive(message, from: id, in: &turn) }
    if isVisible, !wasVisible { tellPointers(to: id, in: &turn) }
    if isVisible != wasVisible { roster.noteChange(of: id) }
  }

  private mutating func hand(_ handover: Handover, from id: MemberID, in turn: inout Turn) {
    announced.news.actor = id
    if !leadership.handle(handover, from: id, at: turn.now) {
      tell(id, Notice(.notYours), in: &turn)
    } else if leadership.presenter == id, isOut(id), handover.takesBook {
      // A host outside that takes the book goes to where the book is.
      catchUp(id, in: &turn)
    }
    announced.rolesAreStale = true
  }

  /// Tells a member that has turned past an end of the book that another turn closes it, if the
  /// member may close it.
  private func tell(_ id: MemberID, of end: PastEnd, in turn: inout Turn) {
    guard !isShared || libraryOutside(for: id) != nil else { return }
    tell(id, Notice(end.onBack ? .bookEndsHere : .bookBeginsHere), in: &turn)
  }

  /// Sends a member an explanation of why something was not done.
  func tell(_ id: MemberID, _ notice: Notice, in turn: inout Turn) {
    turn.effects.send(to: id) { ServerMessage.error(code: 0, notice).encode(into: &$0) }
  }
}

extension ClientMessage {
  /// Whether a person did something; a page that only requests the next frame does not count.
  fileprivate var isAction: Bool {
    if case .pointers(let pointers) = self { return !pointers.samples.isEmpty }
    return true
  }
}

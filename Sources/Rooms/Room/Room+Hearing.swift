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
    switch message {
    case .hello: return
    case .clock(let clientTime):
      return turn.effects.send(to: id) {
        ServerMessage.clock(clientTime: clientTime, serverTime: turn.now).encode(into: &$0)
      }
    // A report changes nothing that is announced: most messages of a large room are reports.
    case .ack(let ack): return note(ack, ofPersonAt: index, in: &turn)
    case .pointers, .wheel, .key, .zoom, .zoomStep, .lay, .jump, .go, .arrange:
      guard packet.role == roster[index].role.number else { return tally.stale += 1 }
      act(message, from: id, in: &turn)
    case .point(let place):
      guard packet.role == roster[index].role.number else { return tally.stale += 1 }
      point(at: place, from: id, in: &turn)
    case .ready, .viewport, .fit:
      withSession(of: id) { $0.receive(message, from: id, in: &turn) }
    case .visibility(let isVisible): see(isVisible, id, in: &turn)
    default: handle(message, from: id, in: &turn)
    }
    conclude(in: &turn)
  }

  /// Handles a message that concerns the room and not the book.
  private mutating func handle(_ message: ClientMessage, from id: MemberID, in turn: inout Turn) {
    guard let index = roster.index(of: id) else { return }
    switch message {
    case .persona(let persona): roster.rename(at: index, to: persona)
    case .raise(let isRaised): roster.raise(isRaised, at: index)
    case .wander(true): wander(id, in: &turn)
    case .wander(false): catchUp(id, in: &turn)
    case .handover(let handover): hand(handover, from: id, in: &turn)
    case .play(let order): play(order, from: id, in: &turn)
    default:
      guard roster[index].grant == .host else {
        return tell(id, Notice(.hostsOnly), in: &turn)
      }
      govern(message, from: id, in: &turn)
    }
  }

  private mutating func act(_ message: ClientMessage, from id: MemberID, in turn: inout Turn) {
    if passage != nil { endPassage(for: id, in: &turn) }
    guard !wanderers.contains(id) else {
      if message.isDeed, wanderers.isReturning(id) {
        // A member that acts while it catches up wanders again, unless it has to return.
        guard leadership.presenter != id, settings.mayWander || person(id)?.grant == .host
        else { return }
        wanderers.setCatchUpLimit(nil, of: id)
        told.rolesAreStale = true
      }
      withSession(of: id) { $0.receive(message, from: id, in: &turn) }
      tellEnd(to: id, in: &turn)
      followLeavings(of: id, in: &turn)
      return takeBack(id, in: &turn)
    }
    shared.receive(message, from: id, in: &turn)
    tellEnd(to: id, in: &turn)
    followLeavings(of: id, in: &turn)
    let refused = shared.control.takeRefused()
    if !refused.isEmpty {
      let mayLeave = libraryBeyondBook(for: id) != nil
      if shared.wouldMove(refused, mayLeave: mayLeave) {
        wander(id, doing: refused, in: &turn)
        followLeavings(of: id, in: &turn)
      }
    } else if settings.policy == .anyoneTurns, let holder = shared.holder,
      holder != leadership.presenter
    {
      leadership.touch(by: holder, isHeld: false, at: turn.now)
      told.rolesAreStale = true
    }
    if case .pointers = message, !shared.owesFrame(to: id) {
      showHand(of: id, in: &turn)
    }
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
    if !leadership.handle(handover, from: id, at: turn.now) {
      tell(id, Notice(.notYours), in: &turn)
    } else if leadership.presenter == id, isOut(id), handover.takesBook {
      // A host outside that takes the book goes to where the book is.
      catchUp(id, in: &turn)
    }
    told.rolesAreStale = true
  }

  /// Tells a member that has turned past an end of the book that another turn closes it, if the
  /// member may close it.
  private mutating func tellEnd(to id: MemberID, in turn: inout Turn) {
    let end = withSession(of: id) { $0.control.takeEnd() ? $0.stage.pastEnd : nil }
    guard let onBack = end?.onBack, !isShared || libraryBeyondBook(for: id) != nil else { return }
    tell(id, Notice(onBack ? .bookEndsHere : .bookBeginsHere), in: &turn)
  }

  /// Sends a member an explanation of why something was not done.
  func tell(_ id: MemberID, _ notice: Notice, in turn: inout Turn) {
    turn.effects.send(to: id) { ServerMessage.error(code: 0, notice).encode(into: &$0) }
  }
}

extension ClientMessage {
  /// Whether a person did something; a page that only requests the next frame does not count.
  fileprivate var isDeed: Bool {
    if case .pointers(let pointers) = self { return !pointers.samples.isEmpty }
    return true
  }
}

extension Handover {
  /// Whether it can give the book to its sender.
  fileprivate var takesBook: Bool {
    switch self {
    case .take, .accept, .ask: true
    case .withdraw, .offer, .decline, .refuse, .layDown: false
    }
  }
}

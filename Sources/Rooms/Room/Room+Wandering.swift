internal import Fabric
internal import Scene
internal import Staging
internal import Wire

/// Members that wander, and return.
extension Room {
  /// How long catching up may take, in seconds; after it, the wanderer is put among the others.
  static let catchUpSeconds = 3.0

  /// Gives a follower a session of its own, which begins as a copy of what it sees.
  /// - Parameters:
  ///   - id: The follower.
  ///   - inputs: What it did to the shared book without the right to; applied to its own stage.
  ///   - turn: The time, and what is to be done.
  mutating func wander(_ id: MemberID, doing inputs: [TimedInput] = [], in turn: inout Turn) {
    guard !wanderers.contains(id), leadership.presenter != id, transition == nil,
      settings.mayWander || person(id)?.grant == .host
    else { return }
    fork(id, in: &turn)
    wanderers.update(id) { $0.makeUp(for: inputs, of: id, in: &turn) }
  }

  /// Gives a member a session of its own, which begins as a copy of what it sees.
  mutating func fork(_ id: MemberID, in turn: inout Turn) {
    guard shared.index(of: id) != nil else { return }
    // This happens while the member is still one of the others, because they see its finger.
    hidePointer(of: id, in: &turn)
    announced.pointers.hideAll(from: id, in: &turn)
    guard var own = shared.fork(id, now: turn.now) else { return }
    turn.effects.messages.append(.fork(own.stream.id, from: shared.stream.id, for: id))
    turn.effects.messages.append(.setDelay(0, of: own.stream.id))
    if shared.isPlayback {
      own.stand(in: &turn)
      // A recording may be on its shelf, where there is no book to stay in.
      own.control.keepsBook = own.control.keepsBook && own.stage.openBook != nil
    }
    wanderers.add(id, own, isOwner: person(id)?.reader == owner)
    timing.forgetLateness(of: id)
    announced.rolesAreStale = true
    roster.noteChange(of: id)
    if let place = announced.place {
      turn.effects.send(to: id) { ServerMessage.place(place).encode(into: &$0) }
    }
  }

  /// Lets a wanderer fly to where the others are; there it follows again.
  ///
  /// A member that is already on its way is sent to where the others are now, and its time limit
  /// stays the same.
  mutating func catchUp(_ id: MemberID, in turn: inout Turn) {
    guard let person = person(id) else { return }
    // On the way back nothing that its fingers do counts, so they let go of what they hold now.
    wanderers.update(id) { $0.takeAway(from: id, in: &turn) }
    guard let wanderer = wanderers[id] else { return }
    let own = wanderer.session
    let stands = own.stands(where: shared)
    guard person.isHere, let book = shared.stage.openBook,
      own.stage.openBook != nil || isOut(id), !stands || !own.hasLanded(at: turn.now)
    else { return rejoin(id, in: &turn) }
    wanderers.setCatchUpLimit(wanderer.catchUpLimit ?? turn.now + Self.catchUpSeconds, of: id)
    announced.rolesAreStale = true
    guard !stands else { return }
    let page = shared.stage.firstPage
    var inputs = [Input.jump(page: page)]
    if own.stage.openBook != book { inputs = [.go(book: book, opens: true, page: page)] }
    if own.stage.isFlat != shared.stage.isFlat {
      inputs.insert(.lay(LayOrder(isFlat: shared.stage.isFlat)), at: 0)
    }
    let timed = inputs.map { TimedInput(input: $0, time: turn.now) }
    wanderers.update(id) { $0.makeUp(for: timed, of: id, in: &turn) }
  }

  /// Returns a wanderer to the shared session.
  mutating func rejoin(_ id: MemberID, in turn: inout Turn) {
    guard let index = roster.index(of: id) else { return }
    keepBookmarksElsewhere(of: id)
    guard var own = wanderers.remove(id) else { return }
    defer { turn.effects.messages.append(.end(own.stream.id)) }
    leadership.setOut(false, of: id, at: turn.now)
    // What a presenter does where the others are means the same in both sessions.
    if leadership.presenter != id || !own.stands(where: shared) || !own.hasLanded(at: turn.now) {
      roster[index].role.outdate()
    }
    // The others have not seen where it pointed in its own session, and must not see it now.
    announced.pointers.forget(id)
    announced.rolesAreStale = true
    roster.noteChange(of: id)
    own.takeAway(from: id, in: &turn)
    guard var member = own.release(id) else { return }
    member.view.changeStage()
    shared.join(member, in: &turn)
    tellPointers(to: id, in: &turn)
  }

  /// Returns wanderers that have arrived, or have exceeded their time limit, to the shared session.
  mutating func rejoinArrived(in turn: inout Turn) {
    for id in wanderers.returningIDs {
      guard let wanderer = wanderers[id], let limit = wanderer.catchUpLimit else { continue }
      guard limit <= turn.now || wanderer.session.hasLanded(at: turn.now) else { continue }
      rejoin(id, in: &turn)
    }
  }

  /// Sends wanderers the place of the others when it has changed.
  mutating func tellPlace(in turn: inout Turn) {
    // Outside a transition the place changes only with the caption.
    let caption = transition == nil ? shared.captions.number : nil
    guard caption == nil || caption != announced.placeCaption else { return }
    announced.placeCaption = caption
    guard let place = newPlace else { return }
    announced.place = place
    for id in wanderers.ids where isVisible(id) {
      turn.effects.send(to: id) { ServerMessage.place(place).encode(into: &$0) }
    }
  }
}

extension LayOrder {
  fileprivate init(isFlat: Bool) { self = isFlat ? .flat : .standing }
}

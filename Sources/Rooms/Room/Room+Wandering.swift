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
  ///   - now: The current time, in seconds.
  ///   - effects: Receives the messages to send.
  mutating func wander(
    _ id: MemberID,
    doing inputs: [TimedInput] = [],
    now: Double,
    into effects: inout Effects
  ) {
    guard !wanderers.contains(id), leadership.presenter != id, passage == nil,
      settings.mayWander || person(id)?.grant == .host
    else { return }
    fork(id, now: now, into: &effects)
    wanderers.update(id) { $0.makeUp(for: inputs, of: id, now: now, into: &effects) }
  }

  /// Gives a member a session of its own, which begins as a copy of what it sees.
  mutating func fork(_ id: MemberID, now: Double, into effects: inout Effects) {
    guard shared.index(of: id) != nil else { return }
    // This happens while the member is still one of the others, because they see its finger.
    hidePointer(of: id, now: now, into: &effects)
    tellNoPointers(to: id, now: now, into: &effects)
    guard var own = shared.fork(id, now: now) else { return }
    effects.messages.append(.fork(own.stream.id, from: shared.stream.id, for: id))
    effects.messages.append(.setDelay(0, of: own.stream.id))
    if shared.isPlayback {
      own.stand(now: now, into: &effects)
      // A recording may be on its shelf, where there is no book to stay in.
      own.control.keepsBook = own.control.keepsBook && own.stage.openBook != nil
    }
    wanderers.add(id, own)
    timing.forgetLateness(of: id)
    told.rolesAreStale = true
    roster.noteChange(of: id)
    if let place = told.place {
      effects.send(to: id) { ServerMessage.place(place).encode(into: &$0) }
    }
  }

  /// Lets a wanderer fly to where the others are; there it follows again.
  ///
  /// A member that is already on its way is sent to where the others are now, and its time limit
  /// stays the same.
  mutating func catchUp(_ id: MemberID, now: Double, into effects: inout Effects) {
    guard let person = person(id) else { return }
    // On the way back nothing that its fingers do counts, so they let go of what they hold now.
    wanderers.update(id) { $0.takeAway(from: id, now: now, into: &effects) }
    guard let wanderer = wanderers[id] else { return }
    let own = wanderer.session
    let stands = own.stands(where: shared)
    guard person.isHere, let book = shared.stage.openBook,
      own.stage.openBook != nil || isOut(id), !stands || !own.hasLanded(at: now)
    else { return rejoin(id, now: now, into: &effects) }
    wanderers.setCatchUpLimit(wanderer.catchUpLimit ?? now + Self.catchUpSeconds, of: id)
    told.rolesAreStale = true
    guard !stands else { return }
    let page = shared.stage.firstPage
    var inputs = [Input.jump(page: page)]
    if own.stage.openBook != book { inputs = [.go(book: book, opens: true, page: page)] }
    if own.stage.isFlat != shared.stage.isFlat {
      inputs.insert(.lay(LayOrder(isFlat: shared.stage.isFlat)), at: 0)
    }
    let timed = inputs.map { TimedInput(input: $0, time: now) }
    wanderers.update(id) { $0.makeUp(for: timed, of: id, now: now, into: &effects) }
  }

  /// Returns a wanderer to the shared session.
  mutating func rejoin(_ id: MemberID, now: Double, into effects: inout Effects) {
    guard let index = roster.index(of: id) else { return }
    keepPlacesElsewhere(of: id)
    guard var own = wanderers.remove(id) else { return }
    defer { effects.messages.append(.end(own.stream.id)) }
    leadership.setOut(false, of: id, at: now)
    // What a presenter does where the others are means the same in both sessions.
    if leadership.presenter != id || !own.stands(where: shared) || !own.hasLanded(at: now) {
      roster[index].role.outdate()
    }
    // The others have not seen where it pointed in its own session, and must not see it now.
    roster.setPointer(nil, at: index)
    told.rolesAreStale = true
    roster.noteChange(of: id)
    own.takeAway(from: id, now: now, into: &effects)
    guard var member = own.release(id) else { return }
    member.view.changeStage()
    shared.join(member, now: now, into: &effects)
    tellPointers(to: id, into: &effects)
  }

  /// Returns wanderers that have arrived, or have exceeded their time limit, to the shared session.
  mutating func rejoinArrived(now: Double, into effects: inout Effects) {
    for id in wanderers.returningIDs {
      guard let wanderer = wanderers[id], let limit = wanderer.catchUpLimit else { continue }
      guard limit <= now || wanderer.session.hasLanded(at: now) else { continue }
      rejoin(id, now: now, into: &effects)
    }
  }

  /// Sends wanderers the place of the others when it has changed.
  mutating func tellPlace(into effects: inout Effects) {
    // Outside a passage the place changes only with the caption.
    let caption = passage == nil ? shared.captions.number : nil
    guard caption == nil || caption != told.placeCaption else { return }
    told.placeCaption = caption
    guard let place = newPlace else { return }
    told.place = place
    for id in wanderers.ids where isVisible(id) {
      effects.send(to: id) { ServerMessage.place(place).encode(into: &$0) }
    }
  }
}

internal import Fabric
internal import Motion
internal import Scene
internal import Staging
internal import Wire

/// Members that join, send messages and leave.
extension StageSession {
  /// Adds a member, which sees what the others see.
  mutating func join(_ member: Member, in turn: inout Turn) {
    // The first frame is sent to nobody: the member receives it as one that joins later would.
    if !stream.isStarted {
      tellCaption(in: &turn)
      introduceUpcoming(at: turn.now, in: &turn)
      emit(at: turn.now, in: &turn)
    }
    watchers.add(member)
    watchers.forgetCue()
    if member.reducesMotion { setReducesMotion(true, ofMemberAt: members.count - 1, in: &turn) }
    watchers[members.count - 1].view.zoom.fit.pages = selection.shown.openSides(on: stage)
    watchers[members.count - 1].view.zoom.reframe(over: stage, at: turn.now)
    if member.isVisible { attach(memberAt: members.count - 1, in: &turn) }
  }

  private mutating func attach(memberAt index: Int, in turn: inout Turn) {
    watchers.attach(at: index, to: stream.id, over: stage, in: selection.shown, turn: &turn)
  }

  /// Removes a member that moves to another session, with the fingers that it has down.
  mutating func release(_ id: MemberID) -> Member? { index(of: id).map { watchers.remove(at: $0) } }

  /// Ends what a member holds, as if its fingers were lifted.
  mutating func takeAway(from id: MemberID, in turn: inout Turn) {
    guard let index = index(of: id) else { return }
    watchers.forgetCue()
    let before = watchers[index].view.zoom
    let given = watchers[index].view.liftFingers(over: stage, at: turn.now)
    sendCamera(of: id, ifChangedFrom: before, in: &turn)
    obey(given, from: id, at: turn.now, in: &turn)
    control.dropRefused()
  }

  /// Removes a member, and releases what it held.
  mutating func leave(_ id: MemberID, in turn: inout Turn) {
    guard let index = index(of: id) else { return }
    var given = Array(watchers[index].view.liftFingers(over: stage, at: turn.now))
    _ = watchers.remove(at: index)
    images.remove(id)
    // A leaf does not wait for a member that has left.
    if holder == id, stage.awaitedImages != nil { given.insert(.images(ready: nil), at: 0) }
    obey(given, from: id, at: turn.now, in: &turn)
  }

  /// Handles a message that may move the stage.
  /// - Returns: What the room has to decide, and whether the member holds the stage now.
  mutating func act(_ message: ClientMessage, from id: MemberID, in turn: inout Turn) -> Outcome {
    receive(message, from: id, in: &turn)
    let pending = control.drain()
    return Outcome(
      pending: pending,
      end: pending.showsEnd ? stage.pastEnd : nil,
      holder: holder,
      owesFrame: owesFrame(to: id)
    )
  }

  /// Handles a message of a member when it is received.
  mutating func receive(_ message: ClientMessage, from id: MemberID, in turn: inout Turn) {
    guard let index = index(of: id) else { return }
    // Its own zoom may move, which only then has to follow the stage anew.
    if holder != id { watchers.forgetCue() }
    switch message {
    case .pointers(let pointers): handle(pointers, fromMemberAt: index, in: &turn)
    case .wheel, .key, .zoomStep, .lay, .jump, .go:
      endUnseenMotion(ofMemberAt: index, at: turn.now, in: &turn)
      let before = watchers[index].view.zoom
      let inputs = watchers[index].view
        .orders(of: message, over: stage, in: selection.shown, at: turn.now)
      sendCamera(of: id, ifChangedFrom: before, in: &turn)
      obey(inputs, from: id, at: turn.now, in: &turn)
      if case .wheel(_, _, let place, true) = message {
        let focus = watchers[index].view.windowPoint(place)
        pinchBeyondFlat(about: focus, memberAt: index, in: &turn)
      }
    case .ready(let ids): handle(ready: ids, fromMemberAt: index, in: &turn)
    case .arrange(let arrangement):
      guard mayAct(id) else { return }
      arrange(arrangement, in: &turn)
    case .viewport(let viewport, let reducesMotion):
      watchers[index].view.viewport = viewport
      if members[index].reducesMotion != reducesMotion {
        setReducesMotion(reducesMotion, ofMemberAt: index, in: &turn)
      }
      watchers[index].view.zoom.reframe(over: stage, at: turn.now)
      watchers.sendCamera(at: index, over: stage, in: selection.shown, turn: &turn)
    case .zoom(let phase, let scale, let place):
      endUnseenMotion(ofMemberAt: index, at: turn.now, in: &turn)
      let before = watchers[index].view.zoom
      let focus = watchers[index].view.windowPoint(place)
      let mayAct = mayAct(id)
      let inputs = watchers[index].view
        .pinch(phase, scale: scale, at: place, mayAct: mayAct, over: stage, at: turn.now)
      sendCamera(of: id, ifChangedFrom: before, in: &turn)
      obey(inputs, from: id, at: turn.now, in: &turn)
      pinchBeyondFlat(about: focus, memberAt: index, in: &turn)
    case .fit(let fit):
      let before = watchers[index].view.zoom
      watchers[index].view.zoom.fit.pages = selection.shown.openSides(on: stage)
      watchers[index].view.zoom.choose(fit, over: stage, at: turn.now)
      sendCamera(of: id, ifChangedFrom: before, in: &turn)
      tellFraming(memberAt: index, in: &turn)
    case .visibility(let isVisible): see(isVisible, memberAt: index, in: &turn)
    default: break
    }
  }

  private mutating func see(_ isVisible: Bool, memberAt index: Int, in turn: inout Turn) {
    watchers[index].isVisible = isVisible
    if isVisible { return attach(memberAt: index, in: &turn) }
    turn.effects.messages.append(.detach(members[index].id))
    let given = watchers[index].view.liftFingers(over: stage, at: turn.now)
    obey(given, from: members[index].id, at: turn.now, in: &turn)
  }

  private mutating func handle(_ pointers: Pointers, fromMemberAt index: Int, in turn: inout Turn) {
    let id = members[index].id
    let before = watchers[index].view.zoom
    var changed = false
    // The target shows when a delayed message was sent, so that the motion of the fingers keeps its
    // pace even if messages arrive in bunches.
    let sent = pointers.target > 0 ? min(pointers.target, turn.now) : turn.now
    for sample in pointers.samples {
      // A sample older than the last input counts as just after it: time never goes back.
      let time = min(max(sent - sample.ageSeconds, lastInputTime), turn.now)
      endUnseenMotion(ofMemberAt: index, at: time, in: &turn)
      for input in watchers[index].view.recognize(sample, over: stage, at: time) {
        let inputs = watchers[index].view.zoom.take(input, over: stage, at: time)
        // The input of a member while another presents is recognized, so that its fingers are known
        // when they lift, and has no effect.
        if mayAct(id) {
          if apply(inputs, from: id, at: time, in: &turn) { changed = true }
        } else {
          control.refuse(inputs, at: time)
        }
        if case .pinch(_, _, let middle) = input {
          watchers.pinchBeyondFlat(about: middle, at: index, holder: holder, over: stage, now: time)
        }
      }
    }
    sendCamera(of: id, ifChangedFrom: before, in: &turn)
    guard mayAct(id) else { return }
    answer(changed: changed, target: pointers.target, in: &turn)
  }

  /// Applies inputs that do not come from a pointer sample.
  mutating func obey(
    _ inputs: some Sequence<Input>,
    from id: MemberID,
    at time: Double,
    in turn: inout Turn
  ) {
    let inputs = Few(inputs)
    guard !inputs.isEmpty else { return }
    guard mayAct(id) else { return control.refuse(inputs, at: time) }
    let changed = apply(inputs, from: id, at: time, in: &turn)
    answer(changed: changed, target: turn.now, in: &turn)
  }

  /// Applies inputs and makes a member that changed something the holder.
  private mutating func apply(
    _ inputs: Few<Input>,
    from id: MemberID,
    at time: Double,
    in turn: inout Turn
  ) -> Bool {
    guard !inputs.isEmpty else { return false }
    var changed = updateImages(for: id, at: time, in: &turn)
    let wasOpen = stage.staysOpen
    let shownTime = stage.pastEnd?.shownTime
    for input in inputs {
      let now = max(time, lastInputTime)
      let isDiverted = control.divertIfLeaving(
        TimedInput(input: input, time: time),
        from: stage,
        at: now,
        settles: control.keepsBook && settlesBeforeInput(at: now)
      )
      if !isDiverted, apply(input, at: time, in: &turn) { changed = true }
    }
    let viewport = index(of: id).map { members[$0].view.viewport }
    laying.isWanted = viewport.map { Framing.isSmall($0) } ?? false
    if !wasOpen { layOpened(at: time, in: &turn) }
    if stage.isWaiting, updateImages(for: id, at: time, in: &turn) { changed = true }
    if let end = stage.pastEnd, end.shownTime != shownTime { control.noteEnd() }
    if changed { control.hold(id) }
    return changed
  }

  /// Lays a book flat whose standing pages would be too foreshortened to read: any book that a
  /// member has opened whose window shows one page, and a text document when it is first opened.
  mutating func layOpened(at time: Double, in turn: inout Turn) {
    guard stage.staysOpen, let book = openEntry, laying.takes(book, from: stage) else { return }
    _ = apply(.lay(.flat), at: time, in: &turn)
  }

  /// Whether a member's input moves the stage now.
  func mayAct(_ id: MemberID) -> Bool { control.mayAct(id, isDriven: stage.isDriven) }

  /// Applies inputs of this session's member that another session refused.
  mutating func makeUp(for inputs: [TimedInput], of id: MemberID, in turn: inout Turn) {
    var changed = false
    for timed in inputs {
      let time = min(max(timed.time, lastInputTime), turn.now)
      if apply(Few(timed.input), from: id, at: time, in: &turn) { changed = true }
      if case .pinch(.began, _, _) = timed.input, let index = index(of: id) {
        watchers[index].view.holdPinch()
      }
    }
    answer(changed: changed, target: turn.now, in: &turn)
  }

  /// Lets a member's zoom continue a pinch that has laid the book flat, and sends it the camera.
  private mutating func pinchBeyondFlat(
    about middle: Point,
    memberAt index: Int,
    in turn: inout Turn
  ) {
    let before = watchers[index].view.zoom
    watchers.pinchBeyondFlat(about: middle, at: index, holder: holder, over: stage, now: turn.now)
    sendCamera(of: members[index].id, ifChangedFrom: before, in: &turn)
  }

  // MARK: Leaves that wait for images

  /// Records the images that a member's page has decoded; a leaf that waits for them continues.
  mutating func handle(ready ids: [UInt64], fromMemberAt index: Int, in turn: inout Turn) {
    guard members[index].reportsImages else { return }
    let id = members[index].id
    for key in ids.compactMap({ stream.key(of: $0) }) where key.kind == .page {
      images.note(key, by: id)
    }
    guard stage.isWaiting, holder == id else { return }
    if updateImages(for: id, at: turn.now, in: &turn) {
      answer(changed: true, target: turn.now, in: &turn)
    }
  }

  /// Tells the stage which pages the acting member can show, if that may have changed.
  /// - Returns: Whether a leaf begins or ceases to wait.
  mutating func updateImages(for id: MemberID, at time: Double, in turn: inout Turn) -> Bool {
    guard let index = index(of: id),
      let input =
        images
        .input(for: watchers[index], over: stage, in: selection.shown, at: time)
    else { return false }
    let wasWaiting = stage.isWaiting
    _ = apply(input, at: time, in: &turn)
    return wasWaiting != stage.isWaiting
  }

  // MARK: Cameras

  /// Lets the members' zooms follow the stage after it has changed.
  mutating func updateZooms(in turn: inout Turn) {
    watchers.follow(stage, in: selection.shown, holder: holder, turn: &turn)
  }

  /// Sends a member its camera if its zoom is not what it was.
  private mutating func sendCamera(
    of id: MemberID,
    ifChangedFrom before: ZoomControl,
    in turn: inout Turn
  ) {
    guard let index = index(of: id) else { return }
    watchers.sendCamera(
      at: index,
      ifChangedFrom: before,
      leads: mayAct(id),
      over: stage,
      in: selection.shown,
      turn: &turn
    )
  }

  /// Tells a member which page its window shows, if that has changed.
  mutating func tellFraming(memberAt index: Int, in turn: inout Turn) {
    watchers.tellFraming(at: index, over: stage, in: selection.shown, turn: &turn)
  }
}

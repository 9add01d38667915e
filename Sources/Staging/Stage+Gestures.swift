internal import Motion
internal import Scene

// MARK: - One finger

extension Stage {
  /// The track of the leaf offset, with one leaf per stage width, so that the band of one width is
  /// one leaf long.
  var leavesTrack: Track {
    Track(
      range: 0...taken.leaves.layout.maximumOffset,
      bandLength: 1,
      velocityLimit: Track.flingMax / Self.size.width,
      tolerance: TurningLeaves.tolerance
    )
  }

  mutating func pan(_ phase: GesturePhase, _ point: Point, touched: Point? = nil, at time: Double) {
    guard point.x.isFinite, point.y.isFinite else {
      // The end position is unknown, but the finger is up nevertheless.
      if phase == .ended || phase == .cancelled, !isPinching { letGo(cancelled: true, at: time) }
      return
    }
    switch phase {
    case .began:
      letGo(cancelled: true, at: time)
      gesture = take(at: point, touched: touched, time: time)
      follow(point, at: time)
    case .changed: follow(point, at: time)
    case .ended:
      follow(point, at: time)
      if !isPinching { letGo(cancelled: false, at: time) }
    case .cancelled: if !isPinching { letGo(cancelled: true, at: time) }
    }
  }

  var isPinching: Bool {
    if case .pinch = gesture { return true }
    return false
  }

  /// Returns what a finger that is put down here grabs.
  private func take(at point: Point, touched: Point?, time: Double) -> Gesture {
    guard taken.isOut(at: time) else {
      return .library(LibraryDrag(of: position, at: point, time: time))
    }
    if destination == .book { return takeLeaf(at: point, touched: touched, time: time) }
    // A finger opens the book against the way on which it closes.
    let gain = (taken.closesOnBack ? 1 : -1) / Self.size.width
    return .cover(Grab(taken.opening, on: .progress(), finger: point.x, gain: gain, at: time))
  }

  private mutating func follow(_ point: Point, at time: Double) {
    switch gesture {
    case .library(var drag):
      drag.follow(point, &position, at: time)
      gesture = .library(drag)
    case .leaves(var grab, let start):
      grab.move(to: point.x, at: time)
      gesture = .leaves(grab, start: start)
      taken.leaves.hold(at: grab.value)
    case .leaf(let held): followLeaf(held, to: point, at: time)
    case .pull(let pull): followPull(pull, to: point, at: time)
    case .cover(var grab):
      grab.move(to: point.x, at: time)
      (gesture, taken.opening) = (.cover(grab), .held(grab.value))
    case .pinch, nil: break
    }
  }
}

// MARK: - Releases

extension Stage {
  /// Ends the gesture: the scalar continues from its position with the velocity of the finger.
  mutating func letGo(cancelled: Bool, at time: Double) {
    let held = gesture
    gesture = nil
    wheel.deadline = nil
    switch held {
    case .library(let drag):
      let isFromShelf = origin != .collections
      drag.letGo(&position, cancelled: cancelled, isFromShelf: isFromShelf, at: time)
    case .leaves(let grab, let start):
      let velocity = cancelled ? 0 : grab.velocity(at: time)
      let target =
        cancelled
        ? Int(grab.targetBefore.rounded())
        : Scrolling.pagedTarget(
          offset: grab.value,
          start: start,
          velocityPerMillisecond: velocity * Self.size.width / 1000,
          maximum: Int(taken.leaves.layout.maximumOffset)
        )
      taken.leaves.turn(to: Double(target), from: grab.value, velocity: velocity, at: time)
    case .leaf(let held): letGoLeaf(held, cancelled: cancelled, at: time)
    case .pull(let pull): letGoPull(pull, cancelled: cancelled, at: time)
    case .cover(let grab): letGoOpening(grab, cancelled: cancelled, at: time)
    case .pinch(let pinch):
      guard let grab = pinch.grab else { break }
      switch pinch.scalar {
      case .pose: letGoPose(grab, cancelled: cancelled, at: time)
      case .opening: letGoOpening(grab, cancelled: cancelled, at: time)
      case .wall:
        let velocity = cancelled ? 0 : grab.velocity(at: time)
        let isFromWall = grab.targetBefore == 1
        let target = grab.end(velocity: velocity, cancelled: cancelled, from: isFromWall)
        position.wall = grab.flight(on: .closing, to: target, velocity: velocity, at: time)
      }
    case nil: break
    }
  }

  private mutating func letGoOpening(_ grab: Grab, cancelled: Bool, at time: Double) {
    let velocity = cancelled ? 0 : grab.velocity(at: time)
    let target = grab.end(velocity: velocity, cancelled: cancelled, from: origin == .book)
    // Only a book that completes its opening overshoots; cancelling or closing does not.
    let springs = target == 1 && origin != .book
    let turnsOver = target == 0 && taken.closesOnBack
    taken.opening = grab.flight(
      on: springs ? .opening : turnsOver ? .backClosing : .closing,
      to: target,
      velocity: velocity,
      at: time
    )
  }

  private mutating func letGoPose(_ grab: Grab, cancelled: Bool, at time: Double) {
    let velocity = cancelled ? 0 : grab.velocity(at: time)
    let target = grab.end(velocity: velocity, cancelled: cancelled, from: taken.restedFlat)
    taken.lay = grab.flight(to: target, velocity: velocity, at: time)
  }
}

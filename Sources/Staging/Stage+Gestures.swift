internal import Motion
internal import Scene

// MARK: - One finger

extension Stage {
  /// The distance from the left edge within which a drag goes back to the list, in stage points; a
  /// drag that begins beyond the edge also does.
  static let edgeZone = 44.0

  private static let slideTrack = progressTrack(tolerance: LibraryPosition.slideTolerance)
  static let openingTrack = progressTrack(tolerance: TakenBook.openingTolerance)

  /// A track from 0 to 1 with hard ends.
  private static func progressTrack(tolerance: Double) -> Track {
    Track(range: 0...1, bandLength: nil, velocityLimit: 10, tolerance: tolerance)
  }
  /// The maximum velocity of a fling, in stage points per second.
  private static let flingMax = 20_000.0

  private var listTrack: Track {
    Track(
      range: 0...list.maximumScroll,
      bandLength: Self.size.height,
      velocityLimit: Self.flingMax,
      tolerance: Self.pointTolerance
    )
  }

  /// The track of the carousel while the wall scrolls, of which a finger moves `gain` for a point.
  private func wallTrack(gain: Double) -> Track {
    Track(
      range: 0...(shelf?.maximumOffset ?? 0),
      bandLength: max(Self.size.height * gain, 1),
      velocityLimit: Self.flingMax * max(gain, 1),
      tolerance: Self.pointTolerance
    )
  }

  private var carouselTrack: Track {
    Track(
      range: 0...(shelf?.maximumOffset ?? 0),
      bandLength: Self.size.width,
      velocityLimit: Self.flingMax,
      tolerance: Self.pointTolerance
    )
  }

  /// The track of the leaf offset, with one leaf per stage width, so that the band of one width is
  /// one leaf long.
  var leavesTrack: Track {
    Track(
      range: 0...taken.leaves.layout.maximumOffset,
      bandLength: 1,
      velocityLimit: Self.flingMax / Self.size.width,
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
    let perWidth = -1 / Self.size.width
    // While a book is out, its shelf may still slide in but must not be sent away.
    if !position.slide.isSettled(at: time), !taken.isOut(at: time) {
      return .slide(
        Grab(position.slide, on: Self.slideTrack, finger: point.x, gain: perWidth, at: time)
      )
    }
    switch destination {
    case .collections:
      return .list(Grab(position.scroll, on: listTrack, finger: point.y, gain: -1, at: time))
    case .shelf where taken.isOut(at: time):
      // A finger opens the book against the way on which it closes.
      let gain = taken.closesOnBack ? -perWidth : perWidth
      return .cover(
        Grab(taken.opening, on: Self.openingTrack, finger: point.x, gain: gain, at: time)
      )
    case .shelf where point.x <= Self.edgeZone - Self.size.width / 2:
      return .slide(
        Grab(position.slide, on: Self.slideTrack, finger: point.x, gain: perWidth, at: time)
      )
    case .shelf where isWall:
      let gain = wallGain
      return .wall(
        Grab(position.carousel, on: wallTrack(gain: gain), finger: point.y, gain: -gain, at: time)
      )
    case .shelf:
      return .carousel(
        Grab(position.carousel, on: carouselTrack, finger: point.x, gain: -1, at: time)
      )
    case .book: return takeLeaf(at: point, touched: touched, time: time)
    }
  }

  private mutating func follow(_ point: Point, at time: Double) {
    switch gesture {
    case .list(var grab):
      grab.move(to: point.y, at: time)
      (gesture, position.scroll) = (.list(grab), .held(grab.value))
    case .carousel(var grab):
      grab.move(to: point.x, at: time)
      (gesture, position.carousel) = (.carousel(grab), .held(grab.value))
    case .wall(var grab):
      grab.move(to: point.y, at: time)
      (gesture, position.carousel) = (.wall(grab), .held(grab.value))
    case .slide(var grab):
      grab.move(to: point.x, at: time)
      gesture = .slide(grab)
      position.holdSlide(grab.value, at: time)
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
    case .list(let grab):
      let velocity = cancelled ? 0 : grab.velocity(at: time)
      let thrown =
        grab.value + Scrolling.project(velocityPerSecond: velocity, rate: Scrolling.normalRate)
      let target = cancelled ? grab.targetBefore : thrown
      position.scroll = grab.flight(
        to: min(max(target, 0), list.maximumScroll),
        velocity: velocity,
        at: time
      )
    case .carousel(let grab): letGoCarousel(grab, cancelled: cancelled, at: time)
    case .wall(let grab): letGoWall(grab, cancelled: cancelled, at: time)
    case .slide(let grab):
      let velocity = cancelled ? 0 : grab.velocity(at: time)
      let target = restAfter(
        grab,
        velocity: velocity,
        cancelled: cancelled,
        from: origin != .collections
      )
      position.slide = grab.flight(on: .closing, to: target, velocity: velocity, at: time)
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
        let target = restAfter(
          grab,
          velocity: velocity,
          cancelled: cancelled,
          from: grab.targetBefore == 1
        )
        position.wall = grab.flight(on: .closing, to: target, velocity: velocity, at: time)
      }
    case nil: break
    }
  }

  private mutating func letGoCarousel(_ grab: Grab, cancelled: Bool, at time: Double) {
    guard let shelf, shelf.count > 0 else { return position.carousel = .rest(0) }
    let velocity = cancelled ? 0 : grab.velocity(at: time)
    let thrown =
      grab.value + Scrolling.project(velocityPerSecond: velocity, rate: Scrolling.fastRate)
    let index = Scrolling.snappedIndex(
      proposed: thrown / shelf.pitch,
      velocityPerMillisecond: velocity / 1000,
      count: shelf.count
    )
    let target = cancelled ? grab.targetBefore : Double(index) * shelf.pitch
    position.carousel = grab.flight(to: target, velocity: velocity, at: time)
  }

  private mutating func letGoWall(_ grab: Grab, cancelled: Bool, at time: Double) {
    guard let shelf, shelf.count > 0 else { return position.carousel = .rest(0) }
    let velocity = cancelled ? 0 : grab.velocity(at: time)
    let thrown =
      grab.value + Scrolling.project(velocityPerSecond: velocity, rate: Scrolling.normalRate)
    let nearest = Double(shelf.nearestItem(offset: thrown)) * shelf.pitch
    position.carousel = grab.flight(
      to: cancelled ? grab.targetBefore : nearest,
      velocity: velocity,
      at: time
    )
  }

  private mutating func letGoOpening(_ grab: Grab, cancelled: Bool, at time: Double) {
    let velocity = cancelled ? 0 : grab.velocity(at: time)
    let target = restAfter(grab, velocity: velocity, cancelled: cancelled, from: origin == .book)
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
    let target = restAfter(grab, velocity: velocity, cancelled: cancelled, from: taken.restedFlat)
    taken.lay = grab.flight(to: target, velocity: velocity, at: time)
  }

  /// Returns where a progress of 0...1 comes to rest, relative to the end that it left; a cancelled
  /// progress continues to its previous target.
  private func restAfter(
    _ grab: Grab,
    velocity: Double,
    cancelled: Bool,
    from end: Bool
  ) -> Double {
    let way = end ? 1 - grab.value : grab.value
    let speed = end ? -velocity : velocity
    if cancelled { return grab.targetBefore }
    let finishes = PercentDriven.finishes(progress: way, velocity: speed)
    return finishes == end ? 0 : 1
  }
}

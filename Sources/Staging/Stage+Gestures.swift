internal import Bookwork
internal import Geometry
internal import Glibc
internal import Motion
internal import Scene

// MARK: - One finger

extension Stage {
  /// The distance from the left edge within which a drag goes back to the list, in stage points; a
  /// drag that begins beyond the edge also does.
  static let edgeZone = 44.0

  private static let slideTrack = progressTrack(tolerance: LibraryPosition.slideTolerance)
  private static let openingTrack = progressTrack(tolerance: TakenBook.openingTolerance)

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

  mutating func pan(
    _ phase: GesturePhase,
    _ point: Point,
    touched: Point? = nil,
    at time: Double
  ) {
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
    case .changed:
      follow(point, at: time)
    case .ended:
      follow(point, at: time)
      if !isPinching { letGo(cancelled: false, at: time) }
    case .cancelled:
      if !isPinching { letGo(cancelled: true, at: time) }
    }
  }

  private var isPinching: Bool {
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
      return .cover(
        Grab(taken.opening, on: Self.openingTrack, finger: point.x, gain: perWidth, at: time)
      )
    case .shelf where point.x <= Self.edgeZone - Self.size.width / 2:
      return .slide(
        Grab(position.slide, on: Self.slideTrack, finger: point.x, gain: perWidth, at: time)
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
    case .slide(var grab):
      grab.move(to: point.x, at: time)
      gesture = .slide(grab)
      position.holdSlide(grab.value, at: time)
    case .leaves(var grab, let start):
      grab.move(to: point.x, at: time)
      gesture = .leaves(grab, start: start)
      taken.leaves.hold(at: grab.value)
    case .leaf(let held): followLeaf(held, to: point, at: time)
    case .cover(var grab):
      grab.move(to: point.x, at: time)
      (gesture, taken.opening) = (.cover(grab), .held(grab.value))
    case .pinch, nil: break
    }
  }
}

// MARK: - Two fingers

extension Stage {
  mutating func pinch(_ phase: GesturePhase, scale: Double, at time: Double) {
    guard scale.isFinite, scale > 0 else {
      if phase == .ended || phase == .cancelled, isPinching { letGo(cancelled: true, at: time) }
      return
    }
    switch phase {
    case .began:
      letGo(cancelled: true, at: time)
      var pinch = PinchGrab(scaleStart: scale, grab: nil)
      // A book that moves stops under the fingers immediately, whatever they do next.
      if !taken.opening.isSettled(at: time) {
        pinch.grab = takeOpening(at: time)
      } else if taken.opening.target == 1, !taken.lay.isSettled(at: time) {
        pinch.grab = takePose(scale: 1, at: time)
        pinch.holdsPose = true
      }
      gesture = .pinch(pinch)
    case .changed:
      followPinch(scale: scale, at: time)
    case .ended:
      followPinch(scale: scale, at: time)
      if isPinching { letGo(cancelled: false, at: time) }
    case .cancelled:
      if isPinching { letGo(cancelled: true, at: time) }
    }
  }

  private mutating func takeOpening(at time: Double) -> Grab {
    let grab = Grab(taken.opening, on: Self.openingTrack, finger: 0, gain: 1, at: time)
    taken.opening = .held(grab.value)
    return grab
  }

  private mutating func takePose(scale: Double, at time: Double) -> Grab {
    let finger = PinchGrab.pose(scale)
    let grab = Grab(taken.lay, on: Self.openingTrack, finger: finger, gain: 1, at: time)
    taken.lay = .held(grab.value)
    return grab
  }

  private mutating func followPinch(scale: Double, at time: Double) {
    guard case .pinch(var pinch) = gesture else { return }
    // A pinch while the shelf was still sliding moved nothing and must not cause a jump afterwards.
    if pinch.grab == nil, !position.slide.isSettled(at: time) { pinch.scaleStart = scale }
    let relative = scale / pinch.scaleStart
    if pinch.grab == nil, abs(relative - 1) > PinchGrab.deadZone,
      position.slide.isSettled(at: time), position.slide.target == 1
    {
      // The scale is measured from the edge of the dead zone, so that nothing jumps by it.
      let edge = 1 + (relative > 1 ? PinchGrab.deadZone : -PinchGrab.deadZone)
      grabByDirection(&pinch, opens: relative > 1, scale: edge, at: time)
    }
    if var grab = pinch.grab {
      if pinch.holdsPose {
        grab.move(to: PinchGrab.pose(relative), at: time)
        taken.lay = .held(grab.value)
      } else {
        grab.move(to: PinchGrab.change(relative), at: time)
        taken.opening = .held(grab.value)
      }
      pinch.grab = grab
    }
    gesture = .pinch(pinch)
  }

  /// Starts the effect of a pinch at rest: outwards it opens the book and lays it flat, inwards it
  /// stands the book up and closes it, with one step per gesture.
  private mutating func grabByDirection(
    _ pinch: inout PinchGrab,
    opens: Bool,
    scale: Double,
    at time: Double
  ) {
    let isOpen = taken.opening.target == 1
    if isOpen, opens != (taken.lay.target == 1) {
      pinch.grab = takePose(scale: scale, at: time)
      pinch.holdsPose = true
    } else if isOpen != opens, isOpen || takeCentreBook(at: time) {
      pinch.grab = takeOpening(at: time)
    }
  }

  /// How far beyond flat the fingers have pinched the book, as a factor; 1 if not beyond flat.
  public var pinchBeyondFlat: Double {
    guard case .pinch(let pinch) = gesture, pinch.holdsPose, let grab = pinch.grab else { return 1 }
    return exp2(max(0, grab.raw - 1))
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
    case .cover(let grab): letGoOpening(grab, cancelled: cancelled, at: time)
    case .pinch(let pinch):
      guard let grab = pinch.grab else { break }
      if pinch.holdsPose {
        letGoPose(grab, cancelled: cancelled, at: time)
      } else {
        letGoOpening(grab, cancelled: cancelled, at: time)
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

  private mutating func letGoOpening(_ grab: Grab, cancelled: Bool, at time: Double) {
    let velocity = cancelled ? 0 : grab.velocity(at: time)
    let target = restAfter(
      grab,
      velocity: velocity,
      cancelled: cancelled,
      from: origin == .book
    )
    // Only a book that completes its opening overshoots; cancelling or closing does not.
    let springs = target == 1 && origin != .book
    taken.opening = grab.flight(
      on: springs ? .opening : .closing,
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

package import Motion
internal import Scene

// MARK: - One finger

extension Stage {
  mutating func pan(_ phase: GesturePhase, _ point: Point, touched: Point? = nil, at time: Double) {
    guard point.x.isFinite, point.y.isFinite else {
      // The end position is unknown, but the finger is up nevertheless.
      if phase == .ended || phase == .cancelled, !isPinching { letGo(cancelled: true, at: time) }
      return
    }
    switch phase {
    case .began:
      letGo(cancelled: true, at: time)
      gesture =
        taken.isOut(at: time)
        ? .book(BookDrag(of: taken, at: point, touched: touched, time: time))
        : .library(LibraryDrag(of: position, at: point, time: time))
      follow(point, at: time)
    case .changed: follow(point, at: time)
    case .ended:
      follow(point, at: time)
      if !isPinching { letGo(cancelled: false, at: time) }
    case .cancelled: if !isPinching { letGo(cancelled: true, at: time) }
    }
  }

  private var isPinching: Bool {
    if case .pinch = gesture { return true }
    return false
  }

  private mutating func follow(_ point: Point, at time: Double) {
    switch gesture {
    case .library(var drag):
      drag.follow(point, &position, at: time)
      gesture = .library(drag)
    case .book(var drag):
      drag.follow(point, &taken, at: time)
      gesture = .book(drag)
    case .pinch, nil: break
    }
  }

  /// Ends the gesture: the scalar continues from its position with the velocity of the finger.
  mutating func letGo(cancelled: Bool, at time: Double) {
    let held = gesture
    gesture = nil
    wheel.letGo()
    switch held {
    case .library(let drag): drag.letGo(&position, cancelled: cancelled, from: origin, at: time)
    case .book(let drag): drag.letGo(&taken, cancelled: cancelled, from: origin, at: time)
    case .pinch(let pinch):
      pinch.letGo(&position, &taken, cancelled: cancelled, from: origin, at: time)
    case nil: break
    }
  }
}

// MARK: - Two fingers

extension Stage {
  mutating func pinch(_ phase: GesturePhase, scale: Double, middle: Point? = nil, at time: Double) {
    guard scale.isFinite, scale > 0 else {
      if phase == .ended || phase == .cancelled, isPinching { letGo(cancelled: true, at: time) }
      return
    }
    switch phase {
    case .began:
      letGo(cancelled: true, at: time)
      var pinch = PinchGrab(scaleStart: scale)
      // A book that moves stops under the fingers immediately, whatever they do next.
      if !taken.opening.isSettled(at: time) {
        pinch.take(.opening, &position, &taken, at: time)
      } else if taken.opening.target == 1, !taken.lay.isSettled(at: time) {
        pinch.take(.pose, &position, &taken, at: time)
      } else if taken.opening.target == 0, !position.wall.isSettled(at: time) {
        pinch.take(.wall, &position, &taken, at: time)
      }
      gesture = .pinch(pinch)
    case .changed: followPinch(scale: scale, middle: middle, at: time)
    case .ended:
      followPinch(scale: scale, middle: middle, at: time)
      if isPinching { letGo(cancelled: false, at: time) }
    case .cancelled: if isPinching { letGo(cancelled: true, at: time) }
    }
  }

  private mutating func followPinch(scale: Double, middle: Point?, at time: Double) {
    guard case .pinch(var pinch) = gesture else { return }
    let isSettled = position.slide.isSettled(at: time)
    // A pinch while the shelf was still sliding moved nothing and must not cause a jump afterwards.
    if pinch.grab == nil, !isSettled { pinch.scaleStart = scale }
    let relative = scale / pinch.scaleStart
    if pinch.grab == nil, abs(relative - 1) > PinchGrab.deadZone, isSettled,
      position.slide.target == 1
    {
      // The pose and the wall start at the edge of the dead zone, so that they do not jump by it.
      let edge = 1 + (relative > 1 ? PinchGrab.deadZone : -PinchGrab.deadZone)
      if let scalar = scalar(opens: relative > 1, middle: middle, at: time) {
        pinch.take(scalar, scale: edge, &position, &taken, at: time)
      }
    }
    pinch.move(to: relative, &position, &taken, at: time)
    gesture = .pinch(pinch)
  }

  /// Returns what a pinch at rest moves: outwards it leads from the wall to the carousel, opens the
  /// book and lays it flat, inwards it does the reverse, with one step per gesture.
  private mutating func scalar(opens: Bool, middle: Point?, at time: Double) -> PinchGrab.Scalar? {
    let isOpen = taken.opening.target == 1
    if !isOpen, isWall == opens, centreBook(at: time) != nil {
      // Fingers that spread lead to the book between them.
      if opens, let middle, let index = position.covers(at: time)?.index(at: middle) {
        position.scrollShelf(to: index, at: time)
      }
      return .wall
    }
    if isOpen, opens != (taken.lay.target == 1) { return .pose }
    return isOpen != opens && (isOpen || takeCentreBook(at: time)) ? .opening : nil
  }
}

// MARK: - Queries

extension Stage {
  /// The initial scale of the pinch that holds the book; nil while there is none.
  package var pinchStart: Double? {
    if case .pinch(let pinch) = gesture { pinch.scaleStart } else { nil }
  }

  /// How far beyond flat the fingers have pinched the book, as a factor; 1 if not beyond flat.
  package var pinchBeyondFlat: Double {
    if case .pinch(let pinch) = gesture { pinch.beyondFlat } else { 1 }
  }

  /// Whether the next turn may close the book at its end.
  package var mayCloseAtEnd: Bool {
    if case .book(.pull) = gesture { return true }
    return taken.pastEnd != nil
  }

  /// Returns whether the leaf that a finger holds would fall back if the finger let it go at a
  /// point, and is not flung back.
  package func leafFallsBack(releasedAt point: Point, at time: Double) -> Bool {
    guard case .book(.leaf(let grab)) = gesture else { return false }
    var released = self
    released.apply(.pan(.ended, point), at: time)
    let way = grab.targetBefore.rounded() < Double(grab.leaf) ? 1.0 : -1
    return released.spread == Int(grab.targetBefore.rounded())
      && grab.velocity(at: time) * way > -Self.flungBack
  }

  /// The velocity above which a leaf is flung, in leaves per second.
  private static let flungBack = 0.5
}

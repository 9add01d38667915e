internal import Glibc
internal import Motion
internal import Scene

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
      var pinch = PinchGrab(scaleStart: scale, grab: nil)
      // A book that moves stops under the fingers immediately, whatever they do next.
      if !taken.opening.isSettled(at: time) {
        pinch.grab = takeOpening(at: time)
      } else if taken.opening.target == 1, !taken.lay.isSettled(at: time) {
        pinch.grab = takePose(scale: 1, at: time)
        pinch.scalar = .pose
      } else if taken.opening.target == 0, !position.wall.isSettled(at: time) {
        pinch.grab = takeWall(scale: 1, at: time)
        pinch.scalar = .wall
      }
      gesture = .pinch(pinch)
    case .changed: followPinch(scale: scale, middle: middle, at: time)
    case .ended:
      followPinch(scale: scale, middle: middle, at: time)
      if isPinching { letGo(cancelled: false, at: time) }
    case .cancelled: if isPinching { letGo(cancelled: true, at: time) }
    }
  }

  private mutating func takeOpening(at time: Double) -> Grab {
    let grab = Grab(taken.opening, on: .progress(), finger: 0, gain: 1, at: time)
    taken.opening = .held(grab.value)
    return grab
  }

  private mutating func takePose(scale: Double, at time: Double) -> Grab {
    let finger = PinchGrab.pose(scale)
    let grab = Grab(taken.lay, on: .progress(), finger: finger, gain: 1, at: time)
    taken.lay = .held(grab.value)
    return grab
  }

  private mutating func takeWall(scale: Double, at time: Double) -> Grab {
    let finger = PinchGrab.wall(scale)
    let grab = Grab(position.wall, on: .progress(), finger: finger, gain: 1, at: time)
    position.wall = .held(grab.value)
    return grab
  }

  private mutating func followPinch(scale: Double, middle: Point?, at time: Double) {
    guard case .pinch(var pinch) = gesture else { return }
    // A pinch while the shelf was still sliding moved nothing and must not cause a jump afterwards.
    if pinch.grab == nil, !position.slide.isSettled(at: time) { pinch.scaleStart = scale }
    let relative = scale / pinch.scaleStart
    if pinch.grab == nil, abs(relative - 1) > PinchGrab.deadZone,
      position.slide.isSettled(at: time), position.slide.target == 1
    {
      // The scale is measured from the edge of the dead zone, so that nothing jumps by it.
      let edge = 1 + (relative > 1 ? PinchGrab.deadZone : -PinchGrab.deadZone)
      grabByDirection(&pinch, opens: relative > 1, scale: edge, middle: middle, at: time)
    }
    if var grab = pinch.grab {
      switch pinch.scalar {
      case .pose:
        grab.move(to: PinchGrab.pose(relative), at: time)
        taken.lay = .held(grab.value)
      case .wall:
        grab.move(to: PinchGrab.wall(relative), at: time)
        position.wall = .held(grab.value)
      case .opening:
        grab.move(to: PinchGrab.change(relative), at: time)
        taken.opening = .held(grab.value)
      }
      pinch.grab = grab
    }
    gesture = .pinch(pinch)
  }

  /// Starts the effect of a pinch at rest: outwards it leads from the wall to the carousel, opens
  /// the book and lays it flat, inwards it does the reverse, with one step per gesture.
  private mutating func grabByDirection(
    _ pinch: inout PinchGrab,
    opens: Bool,
    scale: Double,
    middle: Point?,
    at time: Double
  ) {
    let isOpen = taken.opening.target == 1
    if !isOpen, isWall == opens, position.shelf.map({ $0.count > 0 }) == true {
      // Fingers that spread lead to the book between them.
      if opens, let middle, let index = position.covers(at: time)?.index(at: middle) {
        position.scrollShelf(to: index, at: time)
      }
      pinch.grab = takeWall(scale: scale, at: time)
      return pinch.scalar = .wall
    }
    if isOpen, opens != (taken.lay.target == 1) {
      pinch.grab = takePose(scale: scale, at: time)
      pinch.scalar = .pose
    } else if isOpen != opens, isOpen || takeCentreBook(at: time) {
      pinch.grab = takeOpening(at: time)
    }
  }

  /// How far beyond flat the fingers have pinched the book, as a factor; 1 if not beyond flat.
  package var pinchBeyondFlat: Double {
    guard case .pinch(let pinch) = gesture, pinch.scalar == .pose, let grab = pinch.grab else {
      return 1
    }
    return exp2(max(0, grab.raw - 1))
  }
}

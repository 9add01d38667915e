package import Motion
package import Scene

extension Stage {
  /// Applies an input.
  ///
  /// - Parameters:
  ///   - input: The input; any finite values are accepted, and input without a meaning here is
  ///     ignored.
  ///   - time: The time in seconds, not before the last input.
  package mutating func apply(_ input: Input, at time: Double) {
    advance(to: time)
    // A moving list or leaf does not change the screen that a finger would leave.
    if position.slide.isSettled(at: time), taken.opening.isSettled(at: time) {
      origin = destination
    }
    taken.notePose(at: time)
    let isMirrored = isMirrored && taken.isOut(at: time)
    // A book that closes has given keys and wheels back to its shelf.
    let input = isMirrored ? input.mirrored(keys: destination == .book) : input
    if case .settle = input { return land(at: time) }
    if case .images(let ready) = input { return taken.leaves.showImages(ready, at: time) }
    if case .touch(let point) = input {
      return touched = point.x.isFinite && point.y.isFinite ? point : nil
    }
    cancelNavigation()
    let touched = touched
    self.touched = nil
    switch input {
    case .tap(let point): tap(point, at: time)
    case .pan(let phase, let point): pan(phase, point, touched: touched, at: time)
    case .pinch(let phase, let scale, let middle):
      pinch(phase, scale: scale, middle: middle, at: time)
    case .key(let key): press(key, at: time)
    case .wheel(let dx, let dy, let ctrl):
      ctrl ? zoomWheel(dy, at: time) : turnWheel(dx, dy, at: time)
    case .lay(let order): lay(order, at: time)
    case .close(let onBack):
      if !isDriven, destination == .book { taken.closeIfPossible(onBack: onBack, at: time) }
    case .jump(let page): jump(to: page, at: time)
    case .go(let book, let opens, let page): go(to: book, opens: opens, page: page, at: time)
    case .images, .touch, .settle: break
    }
  }

  /// Performs the scheduled changes whose ``deadline`` has come.
  package mutating func advance(to time: Double) {
    // Each step ends something or starts a move, and a navigation has only a few of them.
    for _ in 0..<Self.stepsMax {
      guard let deadline, deadline <= time else { return }
      step(at: deadline.isFinite ? deadline : time)
    }
    cancelNavigation()
  }

  /// Cancels the moves that would follow the present ones.
  mutating func cancelNavigation() {
    navigation = nil
    taken.leaves.cancelQueuedJump()
  }

  private static let stepsMax = 32

  private mutating func step(at time: Double) {
    if let deadline = wheel.deadline, deadline <= time {
      // The wheel lets go of what it holds where that is.
      letGo(cancelled: false, at: time)
    } else if let deadline = taken.leaves.waitDeadline, deadline <= time {
      taken.leaves.endWait(at: time)
    } else if let landing = taken.leaves.landing, landing <= time {
      taken.leaves.land()
      if let page = taken.leaves.queuedJump { jump(to: page, at: time) }
    } else {
      pursue(at: time)
    }
  }
}

// MARK: - Taps and keys

extension Stage {
  /// The outer fraction of a page that a tap turns.
  static let tapTurnFraction = 1.0 / 3

  private mutating func tap(_ point: Point, at time: Double) {
    guard !isDriven else { return }
    switch destination {
    case .collections:
      let inList = Point(x: point.x + Self.size.width * position.slide.value(at: time), y: point.y)
      guard let index = position.list.index(at: inList, scroll: position.scroll.value(at: time)),
        mayChoose(index, at: time)
      else { return }
      position.collection = index
      position.slide(to: 1, at: time)
    case .shelf:
      if taken.isOut(at: time) { return open(at: time) }
      guard let index = position.covers(at: time)?.index(at: point) else { return }
      if isWall { return open(index, at: time) }
      index == centreBook(at: time) ? open(at: time) : position.scrollShelf(to: index, at: time)
    case .book:
      guard turnsByTap(at: point) else { return }
      taken.turnLeaves(by: point.x > 0 ? 1 : -1, at: time)
    }
  }

  /// Returns whether a point is on the outer third of a page of the open book, where a tap turns
  /// it.
  package func turnsByTap(at point: Point) -> Bool {
    let reach = pageReach
    return abs(point.y) <= reach.height
      && abs(point.x) <= max(reach.width, taken.leaves.layout.box.size.width)
      && abs(point.x) >= reach.width * (1 - Self.tapTurnFraction)
  }

  /// Returns whether a point is on a page of the open book, outside the area where a tap turns it.
  package func isInsidePage(_ point: Point) -> Bool {
    let reach = pageReach
    return abs(point.y) <= reach.height
      && abs(point.x) < reach.width * (1 - Self.tapTurnFraction)
  }

  private mutating func press(_ key: Key, at time: Double) {
    guard !isDriven else { return }
    switch destination {
    case .collections: pressInList(key, at: time)
    case .shelf: pressOnShelf(key, at: time)
    case .book: pressInBook(key, at: time)
    }
  }

  private mutating func pressInList(_ key: Key, at time: Double) {
    guard position.list.count > 0 else { return }
    switch key {
    case .arrowDown, .arrowRight: show(collection + 1, at: time)
    case .arrowUp, .arrowLeft: show(collection - 1, at: time)
    case .pageDown: show(collection + 3, at: time)
    case .pageUp: show(collection - 3, at: time)
    case .home: show(0, at: time)
    case .end: show(position.list.count - 1, at: time)
    case .enter: position.slide(to: 1, at: time)
    case .escape, .keyF, .plus, .minus, .zero: break
    }
  }

  /// Returns whether a collection may be chosen: a shelf that is still sliding out of sight is not
  /// replaced with another.
  private func mayChoose(_ index: Int, at time: Double) -> Bool {
    index == collection || position.slide.isSettled(at: time)
  }

  /// Chooses a collection of the list; the nearest one if there is none of that index.
  mutating func show(_ index: Int, at time: Double) {
    let index = min(max(index, 0), position.list.count - 1)
    guard mayChoose(index, at: time) else { return navigation = .collection(index) }
    position.collection = index
    position.scrollList(showing: index, at: time)
  }

  private mutating func pressOnShelf(_ key: Key, at time: Double) {
    let centre = centreBook(at: time) ?? 0
    let row = isWall ? WallLayout.columns : 1
    switch key {
    case .arrowRight: position.scrollShelf(to: centre + 1, at: time)
    case .arrowLeft: position.scrollShelf(to: centre - 1, at: time)
    case .arrowDown: position.scrollShelf(to: centre + row, at: time)
    case .arrowUp: position.scrollShelf(to: centre - row, at: time)
    case .pageDown: position.scrollShelf(to: centre + (isWall ? 3 * row : 1), at: time)
    case .pageUp: position.scrollShelf(to: centre - (isWall ? 3 * row : 1), at: time)
    case .home: position.scrollShelf(to: 0, at: time)
    case .end: position.scrollShelf(to: .max, at: time)
    case .enter: open(centre, at: time)
    case .minus where !taken.isOut(at: time) && centreBook(at: time) != nil:
      position.arrange(as: 1, at: time)
    case .plus: position.arrange(as: 0, at: time)
    case .escape where isWall: position.arrange(as: 0, at: time)
    case .escape:
      // A book that is on its way back arrives first.
      navigation = .list
      pursue(at: time)
    case .keyF, .minus, .zero: break
    }
  }

  private mutating func pressInBook(_ key: Key, at time: Double) {
    switch key {
    case .arrowRight, .arrowDown, .pageDown: taken.turnLeaves(by: 1, at: time)
    case .arrowLeft, .arrowUp, .pageUp: taken.turnLeaves(by: -1, at: time)
    case .home: jump(to: 0, at: time)
    case .end: jump(to: .max, at: time)
    case .enter, .zero: break
    case .escape: isFlat ? lay(.standing, at: time) : taken.close(at: time)
    case .keyF: lay(.toggle, at: time)
    case .plus: lay(.flat, at: time)
    case .minus: lay(.standing, at: time)
    }
  }
}

// MARK: - Wheel

extension Stage {
  private mutating func turnWheel(_ dx: Double, _ dy: Double, at time: Double) {
    guard !isDriven, dx.isFinite, dy.isFinite else { return }
    let moved = Wheel.pixels(dx, dy)
    if destination == .collections {
      return position.scrollList(to: position.scroll.target + moved, at: time)
    }
    let steps = wheel.steps(gathering: moved, at: time)
    guard steps != 0 else { return }
    if destination == .book {
      taken.turnLeaves(by: steps, at: time)
    } else if let centre = centreBook(at: time) {
      position.scrollShelf(to: centre + steps * (isWall ? WallLayout.columns : 1), at: time)
    }
  }

  private mutating func zoomWheel(_ dy: Double, at time: Double) {
    guard dy.isFinite, !isDriven || wheel.deadline != nil else { return }
    if wheel.deadline == nil { pinch(.began, scale: 1, at: time) }
    let scale = wheel.zoom(by: dy, at: time)
    pinch(.changed, scale: scale, at: time)
  }
}

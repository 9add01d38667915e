internal import Motion
internal import Scene

/// A drag that moves the book that is off its shelf.
enum BookDrag: Equatable, Sendable {
  /// A finger that was put down on the open book at a point and has not moved; the target offset of
  /// the leaves is that before.
  case undecided(Point, targetBefore: Double)
  /// A drag that turns a leaf.
  case leaf(LeafGrab)
  /// A drag that scrolls the leaves; `start` is the spread where the drag began.
  case leaves(Grab, start: Int)
  /// A drag past an end of the book, which begins to close onto its front or back cover.
  case pull(EndPull)
  /// A drag that moves the openness of a closing book.
  case cover(Grab)

  /// The distance that a finger has to move before it is known which way it turns, in stage points.
  private static let decisiveDistance = 0.5

  /// Begins a drag at a point of the stage; `touched` is where the finger was put down before.
  init(of book: TakenBook, at point: Point, touched: Point?, time: Double) {
    guard book.isOpen else {
      // A finger opens the book against the way on which it closes.
      let gain = (book.closesOnBack ? 1 : -1) / Stage.size.width
      let track = Track.progress(tolerance: TakenBook.openingTolerance)
      self = .cover(Grab(book.opening, on: track, finger: point.x, gain: gain, at: time))
      return
    }
    let offset = book.leaves.turn.value(at: time)
    // A book that is pulled beyond its end yields.
    let isWithin = (0...book.leaves.layout.maximumOffset).contains(offset)
    if book.dragRule == .scroll || !isWithin {
      self = .scroll(book.leaves, from: point.x, at: time)
    } else if offset < offset.rounded(.up) {
      // A leaf on its way is caught, also one that waits, whichever way the finger moves.
      self = .leaf(LeafGrab(Int(offset.rounded(.up)), of: book, at: point, time: time))
    } else {
      self = .undecided(touched ?? point, targetBefore: book.leaves.goal)
    }
  }

  /// Returns the drag that scrolls the leaves.
  private static func scroll(_ leaves: TurningLeaves, from x: Double, at time: Double) -> BookDrag {
    // There is one leaf per stage width, so that the band of one width is one leaf long.
    let track = Track(
      range: 0...leaves.layout.maximumOffset,
      bandLength: 1,
      velocityLimit: Track.flingMax / Stage.size.width,
      tolerance: TurningLeaves.tolerance
    )
    let (gain, goal) = (-1 / Stage.size.width, leaves.goal)
    let grab = Grab(leaves.turn, on: track, finger: x, gain: gain, at: time, goal: goal)
    // A leaf caught on its way counts as turned; of a longer way only the visible part counts.
    let isNear = abs(grab.value - goal.rounded()) <= 1
    return .leaves(grab, start: Int((isNear ? goal : grab.value).rounded()))
  }
}

// MARK: - Moves

extension BookDrag {
  /// Moves the book with the finger.
  mutating func follow(_ point: Point, _ book: inout TakenBook, at time: Double) {
    switch self {
    case .undecided(let touched, _): decide(from: touched, to: point, &book, at: time)
    case .leaf(var grab):
      grab.move(to: point.x, at: time)
      self = .leaf(grab)
      book.leaves.hold(at: Double(grab.leaf - 1) + grab.progress, bend: grab.bend, curl: grab.curl)
    case .leaves(var grab, let start):
      grab.move(to: point.x, at: time)
      self = .leaves(grab, start: start)
      book.leaves.hold(at: grab.value)
    case .pull(var pull):
      pull.move(to: point.x, at: time)
      if pull.length > 0 {
        self = .pull(pull)
        book.opening = .held(pull.grab.value)
      } else {
        // A book that goes back where it began turns leaves again.
        self = .undecided(point, targetBefore: book.leaves.goal)
        book.opening = .rest(1)
      }
    case .cover(var grab):
      grab.move(to: point.x, at: time)
      self = .cover(grab)
      book.opening = .held(grab.value)
    }
  }

  /// Decides what the finger moves, once it is known which way it goes.
  private mutating func decide(
    from touched: Point,
    to point: Point,
    _ book: inout TakenBook,
    at time: Double
  ) {
    let moved = point.x - touched.x
    let offset = book.leaves.turn.value(at: time)
    guard abs(moved) >= Self.decisiveDistance else { return book.leaves.hold(at: offset) }
    let leaf = Int(min(max(offset.rounded(), 0), 1e15)) + (moved < 0 ? 1 : 0)
    if leaf >= 1, Double(leaf) <= book.leaves.layout.maximumOffset {
      self = .leaf(LeafGrab(leaf, of: book, at: touched, time: time))
    } else if book.dragRule == .covers {
      // No leaf is left on this side; a book that is still opening is not pulled.
      book.leaves.hold(at: offset)
      let (onBack, width) = (moved < 0, book.leaves.layout.box.size.width)
      guard EndPull.reaches(book.opening.value(at: time)), book.choose(onBack: onBack, at: time)
      else { return }
      self = .pull(EndPull(book.opening, onBack: onBack, from: touched.x, width: width, at: time))
    } else {
      self = .scroll(book.leaves, from: touched.x, at: time)
    }
    follow(point, &book, at: time)
  }
}

// MARK: - Releases

extension BookDrag {
  /// Lets go of the book, which continues with the velocity of the finger; `origin` is the screen
  /// that the finger leaves.
  func letGo(_ book: inout TakenBook, cancelled: Bool, from origin: Screen, at time: Double) {
    switch self {
    case .undecided(_, let targetBefore):
      let offset = book.leaves.goal
      book.leaves.turn(to: targetBefore.rounded(), from: offset, velocity: 0, at: time)
    case .leaf(let grab):
      book.pastEnd = nil
      let velocity = cancelled ? 0 : grab.velocity(at: time)
      let target = cancelled ? grab.targetBefore.rounded() : grab.target(velocity: velocity)
      let offset = Double(grab.leaf - 1) + grab.progress
      book.leaves.turn(to: target, from: offset, velocity: velocity, at: time)
    case .leaves(let grab, let start):
      let velocity = cancelled ? 0 : grab.velocity(at: time)
      let target =
        cancelled
        ? Int(grab.targetBefore.rounded())
        : Scrolling.pagedTarget(
          offset: grab.value,
          start: start,
          velocityPerMillisecond: velocity * Stage.size.width / 1000,
          maximum: Int(book.leaves.layout.maximumOffset)
        )
      book.leaves.turn(to: Double(target), from: grab.value, velocity: velocity, at: time)
    case .pull(let pull): end(pull, &book, cancelled: cancelled, at: time)
    case .cover(let grab): book.letGoOpening(grab, cancelled: cancelled, from: origin, at: time)
    }
  }

  /// Releases a pull: the book closes after a long or fast one, and springs back otherwise.
  ///
  /// One that would have turned a leaf is a turn past the end, as a key is.
  private func end(_ pull: EndPull, _ book: inout TakenBook, cancelled: Bool, at time: Double) {
    let offset = book.leaves.goal
    book.leaves.turn(to: offset.rounded(), from: offset, velocity: 0, at: time)
    let closes = !cancelled && pull.closes(at: time)
    book.opening = pull.grab.flight(
      on: closes && pull.onBack ? .backClosing : .closing,
      to: closes ? 0 : 1,
      velocity: cancelled ? 0 : pull.grab.velocity(at: time),
      at: time
    )
    if closes {
      book.pastEnd = nil
    } else if !cancelled, pull.turns(at: time) {
      book.turnPastEnd(onBack: pull.onBack, at: time)
    }
  }
}

extension LeafGrab {
  /// Grabs a leaf of a book at a point of the stage.
  fileprivate init(_ leaf: Int, of book: TakenBook, at point: Point, time: Double) {
    let offset = book.leaves.turn.value(at: time)
    self.init(
      leaf: leaf,
      of: book.leaves,
      flatness: clamp(book.lay.value(at: time)),
      progress: min(max(offset - Double(leaf - 1), 0), 1),
      finger: point,
      flexibility: book.flexibility,
      at: time
    )
  }
}

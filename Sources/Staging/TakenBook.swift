internal import Motion
internal import Scene

/// The book that was last taken off its shelf: how far it is open, its leaves and its pose.
///
/// It keeps its state after it has closed, until another is taken.
struct TakenBook: Equatable, Sendable {
  /// The fraction of its way within which the book has landed (the tolerance of UIKit).
  static let openingTolerance = 1e-3
  /// The duration of opening by a tap and of closing by a key, in seconds.
  static let openingSeconds = 1.0
  /// The duration of closing onto the back cover, which includes turning over, in seconds.
  static let backClosingSeconds = 1.4
  /// The initial velocity of a tapped book, in whole ways per second.
  static let openingVelocity = 0.7
  /// The initial velocity at which a book shows that it ends, in whole ways per second; it closes
  /// by a twentieth, and springs back.
  static let endVelocity = -1.5

  /// How a finger turns the leaves.
  let dragRule: DragRule
  /// The index of the book; nil before the first was taken, or if it is no longer in the library.
  private(set) var index: BookIndex?
  /// The first number of the book; see ``ElementNumbers``.
  private(set) var item: UInt64 = 0
  /// Whether the book is read from right to left.
  private(set) var isMirrored = false
  /// How far its leaves bend: 1 for paper, 0 for rigid leaves.
  private(set) var flexibility = 0.0
  /// How far the book is open: 0 closed on its shelf, 1 open.
  var opening = Animation.rest(0)
  /// Whether the book closes onto its back cover; without effect while it is closed or wholly open.
  private(set) var closesOnBack = false
  /// The last turn past an end of the book; nil if its leaves have turned since.
  var pastEnd: PastEnd?
  var leaves = TurningLeaves()
  /// The pose of the open book: 0 standing, 1 flat.
  var lay = Animation.rest(0)
  /// Whether the book last rested flat.
  private(set) var restedFlat = false

  /// Creates the state before the first book is taken.
  init(dragRule: DragRule = .covers) { self.dragRule = dragRule }

  /// Reads what a library says of the book at an index.
  /// - Returns: The layout of its leaves.
  private mutating func read(_ index: BookIndex, in library: LibraryLayout) -> BookLayout {
    let book = library[index]
    (self.index, item) = (index, library.key(.page, of: index).item)
    isMirrored = book.progression == .rightToLeft
    flexibility = dragRule == .scroll ? 0 : book.stock.flexibility
    return BookLayout(pageCount: book.pageCount, box: library.box(of: index))
  }

  /// Replaces the book with another, at the spread and in the pose where that one was left.
  mutating func take(_ index: BookIndex, in library: LibraryLayout, left: Bookmark?) {
    leaves.replace(with: read(index, in: library), spread: left?.spread ?? 0)
    lay = .rest(left?.isFlat == true ? 1 : 0)
    restedFlat = lay.target == 1
    pastEnd = nil
  }

  /// Moves the book to its index in another layout of the library; must be called at rest.
  mutating func move(to index: BookIndex, in library: LibraryLayout) {
    leaves.relayout(as: read(index, in: library))
  }

  /// Removes the book, which is no longer in the library; must be called at rest.
  mutating func remove() {
    (index, item, isMirrored, flexibility) = (nil, 0, false, 0)
    pastEnd = nil
    leaves.close()
    lay = .rest(0)
  }

  /// Whether the book is open or opening.
  var isOpen: Bool { opening.target >= 0.5 }

  /// Returns whether the book has left its shelf, where its cover is then hidden.
  func isOut(at time: Double) -> Bool { !(opening.isSettled(at: time) && opening.target == 0) }

  /// Opens the book, or reverses a closing one.
  mutating func open(at time: Double) {
    if opening.isSettled(at: time) {
      closesOnBack = false
      springOpen(
        .opening,
        from: 0,
        velocity: Self.openingVelocity,
        at: time,
        duration: Self.openingSeconds
      )
    } else {
      opening.launch(to: 1, spring: .opening, tolerance: Self.openingTolerance, at: time)
    }
  }

  /// Springs to wholly open; the initial velocity is in whole ways per second.
  private mutating func springOpen(
    _ spring: Spring,
    from start: Double,
    velocity: Double,
    at time: Double,
    duration: Double? = nil
  ) {
    opening = .spring(
      spring,
      from: start,
      velocity: velocity,
      to: 1,
      at: time,
      duration: duration,
      tolerance: Self.openingTolerance
    )
  }

  /// Closes the book, or reverses an opening one; one that moves keeps its cover.
  mutating func close(onBack: Bool = false, at time: Double) {
    leaves.endWait(at: time)
    pastEnd = nil
    if opening.isSettled(at: time) {
      closesOnBack = onBack
      let seconds = onBack ? Self.backClosingSeconds : Self.openingSeconds
      opening = .eased(.easeInOut, from: 1, to: 0, at: time, duration: seconds)
    } else {
      // The spring that opens it also carries it back, with the present position and velocity.
      let spring = closesOnBack ? Spring.backClosing : .opening
      opening.launch(to: 0, spring: spring, tolerance: Self.openingTolerance, at: time)
    }
  }

  /// Whether the book lies flat, or will; while fingers hold it, whether flat is the closer pose.
  var isFlat: Bool { lay.target >= 0.5 }

  /// Lays the book flat or stands it up.
  mutating func lay(isFlat: Bool, at time: Double) {
    lay.launch(to: isFlat ? 1 : 0, tolerance: Self.openingTolerance, at: time)
  }

  /// Records the pose if the book rests in it; a book that rests closes onto its front cover.
  mutating func notePose(at time: Double) {
    if lay.isSettled(at: time) { restedFlat = isFlat }
    if opening.isSettled(at: time) { closesOnBack = false }
  }

  /// Moves everything to its target.
  mutating func settle() {
    leaves.settle()
    opening = .rest(opening.target)
    lay = .rest(lay.target)
  }

  /// The time when the last of its motions lands, in seconds; +infinity while a finger holds one.
  var endTime: Double { max(max(opening.endTime, leaves.turn.endTime), lay.endTime) }

  /// Returns whether one of its motions continues without a finger.
  func isFlying(at time: Double) -> Bool {
    opening.isFlying(at: time) || leaves.turn.isFlying(at: time) || lay.isFlying(at: time)
  }
}

// MARK: - Turns and the ends of the book

/// Past its first and its last spread an open book resists, and then closes onto its cover.
extension TakenBook {
  /// Turns the leaves of the open book by a number, from its last or first spread past its end.
  mutating func turnLeaves(by count: Int, at time: Double) {
    let end = count > 0 ? leaves.layout.maximumOffset : 0
    guard dragRule == .covers, count != 0, leaves.goal == end, leaves.layout.bundle == nil,
      leaves.queuedJump == nil
    else {
      pastEnd = nil
      return leaves.turn(by: count, at: time)
    }
    turnPastEnd(onBack: count > 0, at: time)
  }

  /// Shows that the book ends; closes it if that has been shown and the reader turns again.
  mutating func turnPastEnd(onBack: Bool, at time: Double) {
    // A reader who turns on while the last leaf still moves, or waits, has not seen the end.
    guard leaves.turn.isSettled(at: time), leaves.waitDeadline == nil,
      EndPull.reaches(opening.value(at: time)), choose(onBack: onBack, at: time)
    else { return }
    guard pastEnd?.isRemembered(onBack: onBack, at: time) == true else {
      pastEnd = PastEnd(onBack: onBack, at: time)
      return showEnd(onBack: onBack, at: time)
    }
    if pastEnd?.turn(at: time) == true { close(onBack: onBack, at: time) }
  }

  /// Closes the open book onto a cover, unless it moves towards the other one, or onto the back
  /// cover from another spread than its last.
  mutating func closeIfPossible(onBack: Bool, at time: Double) {
    guard index != nil, !onBack || leaves.goal == leaves.layout.maximumOffset,
      choose(onBack: onBack, at: time)
    else { return }
    close(onBack: onBack, at: time)
  }

  /// Shows that the book ends: it begins to close, and springs back.
  private mutating func showEnd(onBack: Bool, at time: Double) {
    guard opening.isSettled(at: time) else { return }
    closesOnBack = onBack
    springOpen(.landing, from: 1, velocity: Self.endVelocity, at: time)
  }

  /// Chooses the cover onto which the open book closes.
  /// - Returns: False if the book moves towards the other one.
  mutating func choose(onBack: Bool, at time: Double) -> Bool {
    if opening.isSettled(at: time) { closesOnBack = onBack }
    return closesOnBack == onBack
  }

  /// Forgets that the book has shown that it ends, with the motion that showed it.
  mutating func forgetEnd() {
    guard pastEnd != nil else { return }
    pastEnd = nil
    guard opening.target == 1, !opening.isHeld else { return }
    opening = .rest(1)
    notePose(at: lay.endTime)
  }
}

// MARK: - Fingers that let go

extension TakenBook {
  /// Lets go of the openness; `origin` is the screen that the fingers leave.
  mutating func letGoOpening(_ grab: Grab, cancelled: Bool, from origin: Screen, at time: Double) {
    let velocity = cancelled ? 0 : grab.velocity(at: time)
    let target = grab.end(velocity: velocity, cancelled: cancelled, from: origin == .book)
    // Only a book that completes its opening overshoots; cancelling or closing does not.
    let springs = target == 1 && origin != .book
    let turnsOver = target == 0 && closesOnBack
    opening = grab.flight(
      on: springs ? .opening : turnsOver ? .backClosing : .closing,
      to: target,
      velocity: velocity,
      at: time
    )
  }

  /// Lets go of the pose.
  mutating func letGoPose(_ grab: Grab, cancelled: Bool, at time: Double) {
    lay = grab.released(cancelled: cancelled, from: restedFlat, at: time)
  }
}

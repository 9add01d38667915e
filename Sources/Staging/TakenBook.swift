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

  /// The index of the book; nil before the first was taken, or if it is no longer in the library.
  private(set) var index: BookIndex?
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

  /// Replaces the book with another, at the spread and in the pose where that one was left.
  mutating func take(_ index: BookIndex, _ layout: BookLayout, left: Bookmark?) {
    self.index = index
    leaves.replace(with: layout, spread: left?.spread ?? 0)
    lay = .rest(left?.isFlat == true ? 1 : 0)
    restedFlat = lay.target == 1
    pastEnd = nil
  }

  /// Moves the book to its index in another layout of the library; must be called at rest.
  mutating func move(to index: BookIndex, _ layout: BookLayout) {
    self.index = index
    leaves.relayout(as: layout)
  }

  /// Removes the book, which is no longer in the library; must be called at rest.
  mutating func remove() {
    index = nil
    pastEnd = nil
    leaves.close()
    lay = .rest(0)
  }

  /// Returns whether the book has left its shelf, where its cover is then hidden.
  func isOut(at time: Double) -> Bool { !(opening.isSettled(at: time) && opening.target == 0) }

  /// Opens the book, or reverses a closing one.
  mutating func open(at time: Double) {
    if opening.isSettled(at: time) {
      closesOnBack = false
      opening = .spring(
        .opening,
        from: 0,
        velocity: Self.openingVelocity,
        to: 1,
        at: time,
        duration: Self.openingSeconds,
        tolerance: Self.openingTolerance
      )
    } else {
      opening.launch(to: 1, spring: .opening, tolerance: Self.openingTolerance, at: time)
    }
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

  /// Shows that the book ends: it begins to close, and springs back.
  mutating func showEnd(onBack: Bool, at time: Double) {
    guard opening.isSettled(at: time) else { return }
    closesOnBack = onBack
    opening = .spring(
      .landing,
      from: 1,
      velocity: Self.endVelocity,
      to: 1,
      at: time,
      tolerance: Self.openingTolerance
    )
  }

  /// Chooses the cover onto which the open book closes.
  /// - Returns: False if the book moves towards the other one.
  mutating func choose(onBack: Bool, at time: Double) -> Bool {
    if opening.isSettled(at: time) { closesOnBack = onBack }
    return closesOnBack == onBack
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

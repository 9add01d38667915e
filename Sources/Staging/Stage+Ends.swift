internal import Motion
internal import Scene

/// The ends of the open book: past its first and its last spread it resists, and then closes onto
/// its cover.
extension Stage {
  /// Turns the leaves of the open book by a number, from its last or first spread past its end.
  mutating func turnLeaves(by count: Int, at time: Double) {
    let leaves = taken.leaves
    let end = count > 0 ? leaves.layout.maximumOffset : 0
    guard dragRule == .covers, count != 0, leaves.goal == end, leaves.layout.bundle == nil,
      leaves.queuedJump == nil
    else {
      taken.pastEnd = nil
      return taken.leaves.turn(by: count, at: time)
    }
    turnPastEnd(onBack: count > 0, at: time)
  }

  /// Shows that the book ends; closes it if that has been shown and the reader turns again.
  private mutating func turnPastEnd(onBack: Bool, at time: Double) {
    // A reader who turns on while the last leaf still moves, or waits, has not seen the end.
    guard taken.leaves.turn.isSettled(at: time), taken.leaves.waitDeadline == nil,
      EndPull.reaches(taken.opening.value(at: time)), taken.choose(onBack: onBack, at: time)
    else { return }
    guard taken.pastEnd?.isRemembered(onBack: onBack, at: time) == true else {
      taken.pastEnd = PastEnd(onBack: onBack, at: time)
      return taken.showEnd(onBack: onBack, at: time)
    }
    if taken.pastEnd?.turn(at: time) == true { taken.close(onBack: onBack, at: time) }
  }

  /// Closes the open book onto a cover; onto the back cover only from its last spread.
  mutating func close(onBack: Bool, at time: Double) {
    let leaves = taken.leaves
    guard !isDriven, destination == .book, taken.index != nil,
      !onBack || leaves.goal == leaves.layout.maximumOffset,
      taken.choose(onBack: onBack, at: time)
    else { return }
    taken.close(onBack: onBack, at: time)
  }
}

// MARK: - Pulls

extension Stage {
  /// Lets a finger pull past an end of the open book; a book that is still opening is not pulled.
  mutating func pull(from start: Point, to point: Point, onBack: Bool, at time: Double) {
    let offset = taken.leaves.turn.value(at: time)
    taken.leaves.hold(at: offset)
    guard EndPull.reaches(taken.opening.value(at: time)), taken.choose(onBack: onBack, at: time)
    else { return }
    let width = taken.leaves.layout.box.size.width
    let pull = EndPull(taken.opening, onBack: onBack, from: start.x, width: width, at: time)
    followPull(pull, to: point, at: time)
  }

  /// Moves the book with the finger; one that goes back where it began turns leaves again.
  mutating func followPull(_ pull: EndPull, to point: Point, at time: Double) {
    var pull = pull
    pull.move(to: point.x, at: time)
    if pull.length > 0 {
      gesture = .pull(pull)
      taken.opening = .held(pull.grab.value)
    } else {
      gesture = .leaf(.undecided(point, targetBefore: taken.leaves.goal))
      taken.opening = .rest(1)
    }
  }

  /// Releases a pull: the book closes after a long or fast one, and springs back otherwise.
  ///
  /// One that would have turned a leaf is a turn past the end, as a key is.
  mutating func letGoPull(_ pull: EndPull, cancelled: Bool, at time: Double) {
    let offset = taken.leaves.goal
    taken.leaves.turn(to: offset.rounded(), from: offset, velocity: 0, at: time)
    let closes = !cancelled && pull.closes(at: time)
    taken.opening = pull.grab.flight(
      on: closes && pull.onBack ? .backClosing : .closing,
      to: closes ? 0 : 1,
      velocity: cancelled ? 0 : pull.grab.velocity(at: time),
      at: time
    )
    if closes {
      taken.pastEnd = nil
    } else if !cancelled, pull.turns(at: time) {
      turnPastEnd(onBack: pull.onBack, at: time)
    }
  }
}

// MARK: - Queries

extension Stage {
  /// Whether the next turn may close the book at its end.
  package var mayCloseAtEnd: Bool {
    if case .pull = gesture { return true }
    return taken.pastEnd != nil
  }

  /// The last turn past an end of the book; nil if its leaves have turned since.
  package var pastEnd: PastEnd? { taken.pastEnd }

  /// Whether the book closes, or last closed, onto its back cover.
  package var closesOnBack: Bool { taken.closesOnBack }

  /// Forgets that the book has shown that it ends, with the motion that showed it.
  package mutating func forgetEnd() {
    guard taken.pastEnd != nil else { return }
    taken.pastEnd = nil
    guard taken.opening.target == 1, !taken.opening.isHeld else { return }
    taken.opening = .rest(1)
    taken.notePose(at: taken.lay.endTime)
  }
}

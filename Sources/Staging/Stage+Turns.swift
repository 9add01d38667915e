internal import Bookwork
internal import Motion
public import Scene

/// A turn that waits for images, with its leaf upright at the gutter.
struct Wait: Equatable, Sendable {
  /// The target offset.
  var target: Double
  /// When it continues in any case.
  var deadline: Double
}

// MARK: - Turns and waiting

extension Stage {
  /// The maximum time that a leaf waits for images, in seconds.
  public static let waitSeconds = 2.0

  /// Whether a leaf waits for images.
  public var isWaiting: Bool { wait != nil && !turn.isHeld }

  /// The pages of the spread that is open or being turned to.
  public var spreadPages: [Int] {
    guard let place, spread >= 0 else { return [] }
    return (2 * spread + 1...2 * spread + 2).filter { $0 < library[place].pageCount }
  }

  /// The elements of the faces of the spread that is open or being turned to.
  public var spreadElements: [ElementKey] {
    guard let place else { return [] }
    return spreadPages.map { library.key(.page, of: place, page: $0) }
  }

  /// The pages that the presenter can show, as last reported; nil if no leaf has to wait.
  public var awaitedImages: [Int]? { readyPages }

  /// Turns the leaves to an offset from their present position.
  mutating func turn(to offset: Double, at time: Double) {
    if turn.isSettled(at: time), turn.target == offset, wait == nil { return }
    turn(
      to: offset,
      from: turn.value(at: time),
      velocity: turn.velocity(at: time),
      at: time
    )
  }

  mutating func turn(to offset: Double, from value: Double, velocity: Double, at time: Double) {
    turn = .spring(
      .landing,
      from: value,
      velocity: velocity,
      to: admitted(offset, from: value, at: time),
      at: time,
      tolerance: Self.leafTolerance
    )
  }

  /// Returns where a turn may go now: to the gutter before its spread while images are missing.
  private mutating func admitted(_ offset: Double, from value: Double, at time: Double) -> Double {
    let before = wait
    wait = nil
    guard abs(offset - value) > Self.leafTolerance, lacksImages(of: Int(leaves.spread(at: offset)))
    else { return offset }
    let deadline = before?.target == offset ? before?.deadline : nil
    // Waiting under a finger counts as waiting.
    if let deadline, deadline <= time { return offset }
    wait = Wait(target: offset, deadline: deadline ?? time + Self.waitSeconds)
    return value < offset ? offset - 0.5 : offset + 0.5
  }

  private func lacksImages(of spread: Int) -> Bool {
    guard let readyPages, let place else { return false }
    return (2 * spread + 1...2 * spread + 2).contains { page in
      page < library[place].pageCount && !readyPages.contains(page)
    }
  }

  mutating func showImages(_ ready: [Int]?, at time: Double) {
    readyPages = ready
    guard let wait, !lacksImages(of: Int(leaves.spread(at: wait.target))) else { return }
    // Under a finger it need not wait again when it is released.
    if turn.isHeld { self.wait = nil } else { endWait(at: time) }
  }

  /// Lets a waiting leaf continue.
  mutating func endWait(at time: Double) {
    guard let wait else { return }
    self.wait = nil
    launch(\.turn, to: wait.target, tolerance: Self.leafTolerance, at: time)
  }
}

// MARK: - Jumps

extension Stage {
  /// Turns to the spread of a page as one leaf, however far away it is.
  ///
  /// While the leaf of another jump is moving, the new jump follows it, unless its target is one of
  /// the two ends of that jump.
  mutating func jump(to page: Int, at time: Double) {
    queuedJump = nil
    guard destination == .book, gesture == nil, let place else { return }
    let last = max(0, library[place].pageCount / 2 - 1)
    let spread = min(Self.spread(ofPage: page), last)
    if let bundle = leaves.bundle {
      let low = bundle.lowerBound
      if spread == bundle.upperBound { return turn(to: Double(low), at: time) }
      if spread == low - 1 { return turn(to: Double(low - 1), at: time) }
    }
    guard let value = leaves.unbundledOffset(turn.value(at: time)) else {
      return queuedJump = page
    }
    let velocity = turn.velocity(at: time)
    leaves = leaves.unbundled
    // Moving leaves land where the jump starts or ends.
    let low = max(0, Int(value.rounded(.down)))
    let high = max(0, Int(value.rounded(.up)))
    if spread > high + 1 {
      leaves = leaves.bundling(high + 1...spread)
      turn(to: Double(high + 1), from: value, velocity: velocity, at: time)
    } else if spread < low - 1 {
      leaves = leaves.bundling(spread + 1...min(low, last))
      let start = value - Double(leaves.bundledCount)
      turn(to: Double(spread), from: start, velocity: velocity, at: time)
    } else if value != Double(spread) || velocity != 0 {
      turn(to: Double(spread), from: value, velocity: velocity, at: time)
    } else {
      (turn, wait) = (.rest(value), nil)
    }
  }

  /// Returns the spread of a page, wherever the book ends; the cover opens with the first.
  static func spread(ofPage page: Int) -> Int { (max(page, 1) - 1) / 2 }

  /// Unbundles a bundle that has landed.
  mutating func land() {
    guard leaves.bundle != nil, !turn.isHeld else { return }
    turn = .rest(leaves.unbundledOffset(turn.target) ?? leaves.spread(at: turn.target))
    leaves = leaves.unbundled
  }
}

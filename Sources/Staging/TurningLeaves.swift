internal import Motion
internal import Scene

/// The leaves of a book and the turn that moves them.
///
/// A turn whose images are missing waits with its leaf upright at the gutter, for at most
/// ``waitSeconds``. A jump turns all leaves up to its spread as one. A second jump starts when the
/// leaf of the first has landed.
struct TurningLeaves: Equatable, Sendable {
  /// The distance from its target at which a leaf has landed, in leaves; equal to 0.018 degrees.
  static let tolerance = 2e-4
  /// The maximum time that a leaf waits for images, in seconds.
  static let waitSeconds = 2.0

  /// A turn that waits for images, with its leaf upright at the gutter.
  private struct Wait: Equatable, Sendable {
    /// The target offset.
    var target: Double
    /// The time at which the turn continues in any case, in seconds.
    var deadline: Double
  }

  private(set) var layout: BookLayout
  /// The leaf offset in ``layout``, as an animation.
  private(set) var turn = Animation.rest(0)
  private var curve = LeafBend()
  /// How the turning leaf curls, constant during a turn.
  private(set) var curl = Curl.even
  /// The pages whose images can be shown, ascending; nil if no leaf has to wait.
  private(set) var readyPages: [Int]?
  private var wait: Wait?
  /// The page of a jump that starts when the leaf of the present jump has landed.
  private(set) var queuedJump: Int?

  /// Creates placeholder leaves, before a book is taken.
  init() { layout = BookLayout(pageCount: 1, box: PageBox(fitting: Size(width: 1, height: 1))) }

  /// The position of the leaves under a finger, or the target at which they will rest.
  var goal: Double { turn.isHeld ? turn.target : wait?.target ?? turn.target }

  /// The spread that the book shows or turns to, counted from 0.
  var spread: Int { Int(layout.spread(at: goal)) }

  /// The time when a waiting leaf continues in any case; nil if none waits, and under a finger.
  var waitDeadline: Double? { turn.isHeld ? nil : wait?.deadline }

  /// The time when the present jump lands and a queued jump can start; nil without a jump.
  var landing: Double? {
    guard wait == nil, !turn.isHeld, layout.bundle != nil || queuedJump != nil else { return nil }
    return turn.endTime
  }
}

// MARK: - Books

extension TurningLeaves {
  /// Replaces the leaves with those of another book at a spread; none of its images can be shown
  /// yet.
  mutating func replace(with layout: BookLayout, spread: Int) {
    self.layout = layout
    rest(at: min(Double(spread), layout.maximumOffset))
    (wait, queuedJump) = (nil, nil)
    if readyPages != nil { readyPages = [] }
  }

  private mutating func rest(at offset: Double) {
    turn = .rest(offset)
    curve.straighten()
    curl = .even
  }

  /// Replaces the layout with that of another edition; must be called at rest.
  mutating func relayout(as layout: BookLayout) {
    self.layout = layout
    rest(at: min(turn.target, layout.maximumOffset))
  }

  /// Moves all leaves back to the first spread without a motion.
  mutating func close() { rest(at: 0) }

  /// Opens at a page without a motion: all leaves of a closed book lie on one side, so no leaf is
  /// seen turning.
  mutating func open(atPage page: Int) {
    rest(at: min(Double(Self.spread(ofPage: page)), layout.maximumOffset))
  }

  /// Moves everything to its target.
  mutating func settle() {
    queuedJump = nil
    if let wait { rest(at: wait.target) }
    wait = nil
    rest(at: turn.target)
    land()
  }

  /// Returns the spread of a page, regardless of the length of the book; the cover belongs to the
  /// first spread.
  private static func spread(ofPage page: Int) -> Int { (max(page, 1) - 1) / 2 }
}

// MARK: - Turns and waiting

extension TurningLeaves {
  /// Holds the leaves at an offset under a finger, with the bend and the curl of the turning leaf.
  mutating func hold(at offset: Double, bend: Double = 0, curl: Curl = .even) {
    turn = .held(offset)
    curve.hold(at: bend)
    self.curl = curl
  }

  /// Returns the bend of the turning leaf at a time, for the most flexible paper.
  ///
  /// Beyond the ends of the book the leaves yield rigidly, in flight as under a finger.
  func bend(at time: Double) -> Double {
    guard (0...layout.maximumOffset).contains(turn.value(at: time)) else { return 0 }
    return curve.value(during: turn, at: time)
  }

  /// Turns on from the present motion.
  private mutating func follow(_ next: Animation, at time: Double) {
    curve.follow(from: turn, to: next, at: time)
    turn = next
  }

  /// Turns by a number of leaves from their target, within the ends of the book.
  mutating func turn(by count: Int, at time: Double) {
    turn(to: min(max(goal + Double(count), 0), layout.maximumOffset), at: time)
  }

  /// Turns the leaves to an offset from their present position.
  mutating func turn(to offset: Double, at time: Double) {
    if turn.isSettled(at: time), turn.target == offset, wait == nil { return }
    turn(to: offset, from: turn.value(at: time), velocity: turn.velocity(at: time), at: time)
  }

  /// Turns the leaves to an offset, or to the gutter before it while its images are missing.
  /// - Parameters:
  ///   - offset: The target offset.
  ///   - value: The offset at which the turn starts.
  ///   - velocity: The velocity at the start, in leaves per second.
  ///   - time: The present time, in seconds.
  mutating func turn(to offset: Double, from value: Double, velocity: Double, at time: Double) {
    if !turn.isHeld, turn.isSettled(at: time) { curl = .even }
    let next = Animation.spring(
      .landing,
      from: value,
      velocity: velocity,
      to: admitted(offset, from: value, at: time),
      at: time,
      tolerance: Self.tolerance
    )
    follow(next, at: time)
  }

  /// Returns where a turn may go now, which is the gutter before its spread while images are
  /// missing.
  private mutating func admitted(_ offset: Double, from value: Double, at time: Double) -> Double {
    let before = wait
    wait = nil
    guard abs(offset - value) > Self.tolerance, lacksImages(of: Int(layout.spread(at: offset)))
    else { return offset }
    let deadline = before?.target == offset ? before?.deadline : nil
    // The time under a finger counts as waiting time.
    if let deadline, deadline <= time { return offset }
    wait = Wait(target: offset, deadline: deadline ?? time + Self.waitSeconds)
    return value < offset ? offset - 0.5 : offset + 0.5
  }

  private func lacksImages(of spread: Int) -> Bool {
    guard let readyPages else { return false }
    return (2 * spread + 1...2 * spread + 2).contains { page in
      page < layout.pageCount && !readyPages.contains(page)
    }
  }

  /// Replaces the pages whose images can be shown; a leaf that waited for them continues.
  mutating func showImages(_ ready: [Int]?, at time: Double) {
    readyPages = ready
    guard let wait, !lacksImages(of: Int(layout.spread(at: wait.target))) else { return }
    // Under a finger, the leaf need not wait again when it is released.
    if turn.isHeld { self.wait = nil } else { endWait(at: time) }
  }

  /// Lets a waiting leaf continue.
  mutating func endWait(at time: Double) {
    guard let wait else { return }
    self.wait = nil
    let next = turn.relaunched(to: wait.target, tolerance: Self.tolerance, at: time)
    if let next { follow(next, at: time) }
  }
}

// MARK: - Jumps

extension TurningLeaves {
  /// Turns to the spread of a page as one leaf, however far away it is.
  ///
  /// While the leaf of another jump is moving, the new jump starts after it, unless its target is
  /// one of the two ends of that jump.
  mutating func jump(to page: Int, at time: Double) {
    queuedJump = nil
    let last = max(0, layout.pageCount / 2 - 1)
    let spread = min(Self.spread(ofPage: page), last)
    if let bundle = layout.bundle {
      let low = bundle.lowerBound
      if spread == bundle.upperBound { return turn(to: Double(low), at: time) }
      if spread == low - 1 { return turn(to: Double(low - 1), at: time) }
    }
    guard let value = layout.unbundledOffset(turn.value(at: time)) else { return queuedJump = page }
    let velocity = turn.velocity(at: time)
    layout = layout.unbundled
    // Moving leaves land where the jump starts or ends.
    let low = max(0, Int(value.rounded(.down)))
    let high = max(0, Int(value.rounded(.up)))
    if spread > high + 1 {
      layout = layout.bundling(high + 1...spread)
      turn(to: Double(high + 1), from: value, velocity: velocity, at: time)
    } else if spread < low - 1 {
      layout = layout.bundling(spread + 1...min(low, last))
      let start = value - Double(layout.bundledCount)
      turn(to: Double(spread), from: start, velocity: velocity, at: time)
    } else if value != Double(spread) || velocity != 0 {
      turn(to: Double(spread), from: value, velocity: velocity, at: time)
    } else {
      wait = nil
      rest(at: value)
    }
  }

  /// Cancels a jump that has not started.
  mutating func cancelQueuedJump() { queuedJump = nil }

  /// Replaces a bundle of leaves that has landed with the single leaves.
  mutating func land() {
    guard layout.bundle != nil, !turn.isHeld else { return }
    rest(at: layout.unbundledOffset(turn.target) ?? layout.spread(at: turn.target))
    layout = layout.unbundled
  }
}

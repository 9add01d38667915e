internal import Motion
package import Scene

/// What a member's window shows of the stage before the member zooms.
///
/// A wide window shows the whole stage. A tall one, such as that of an upright phone, shows a part
/// of it: the ledges of the list, the middle of a shelf, or one page of the open book. A low one,
/// such as that of a phone on its side, shows the middle of a shelf or both pages. A tall one moves
/// from one page of a spread to the other on its own, and with a leaf to the page on which it
/// lands.
/// All motion is in closed form of absolute time; queries change nothing.
package struct Framing: Equatable, Sendable {
  /// A page of the open spread.
  package enum Page: Equatable, Sendable {
    /// The page that is read first, and the one that is read after it.
    case first, second

    var other: Page { self == .first ? .second : .first }

    /// Returns whether the page is to the left of the spine.
    package func isLeft(in stage: Stage) -> Bool { (self == .first) != stage.isMirrored }

    /// Returns the direction from the spine: -1 or 1.
    func sign(in stage: Stage) -> Double { isLeft(in: stage) ? -1 : 1 }
  }

  /// A leaf on its way.
  struct Turning: Equatable {
    /// The page above which it is, and the one on which it lands.
    var page, landing: Page
    /// When it passes the spine in flight; nil if it has, and while it is held or waits.
    var middle: Double?
  }

  /// A page that is shown from a time on.
  private struct Step: Equatable, Sendable {
    var time: Double
    var page: Page
    var goal: ZoomTransform
  }

  /// The page of the open book that is shown or flown to, before the middle of a turn in flight.
  private(set) var page = Page.first
  private var zoom = Animation.rest(1)
  private var x = Animation.rest(0)
  private var y = Animation.rest(0)
  /// The page after the middle of a turn in flight.
  private var later: Step?
  /// The page that a jump leads to; nil for the one on which its leaf lands.
  private var wanted: Page?
  /// Boxed, because most framings are held by nobody.
  private var boxedPull: Boxed<Grab>?

  private var pull: Grab? {
    get { boxedPull?.value }
    set {
      guard let newValue else { return boxedPull = nil }
      if boxedPull == nil { boxedPull = Boxed(newValue) } else { boxedPull?.value = newValue }
    }
  }

  /// Creates a framing of the whole stage.
  package init() {}

  /// Returns the part of the stage at a time.
  package func view(at time: Double) -> ZoomTransform {
    if let later, later.time <= time { return passed(later).view(at: time) }
    return ZoomTransform(zoom: zoom.value(at: time), x: x.value(at: time), y: y.value(at: time))
  }

  /// The part of the stage that will be shown at rest.
  package var goal: ZoomTransform { later?.goal ?? aim }

  /// The page of the open book that will be shown at rest.
  package var pageAtRest: Page { later?.page ?? page }

  private var aim: ZoomTransform { ZoomTransform(zoom: zoom.target, x: x.target, y: y.target) }

  /// The time from which the framing is at rest, in seconds; +infinity while a finger holds it.
  package var restTime: Double {
    if let later { return passed(later).restTime }
    return pull != nil ? .infinity : max(zoom.endTime, max(x.endTime, y.endTime))
  }

  private func passed(_ step: Step) -> Framing {
    var next = self
    (next.later, next.page) = (nil, step.page)
    next.fly(to: step.goal, at: step.time)
    return next
  }
}

// MARK: - What the stage does

extension Framing {
  /// Shows a stage at once.
  package mutating func show(_ stage: Stage, in viewport: Viewport) {
    (later, pull, wanted) = (nil, nil, nil)
    let goal = Self.goal(of: stage, page: page, in: viewport)
    (zoom, x, y) = (.rest(goal.zoom), .rest(goal.x), .rest(goal.y))
  }

  /// Follows a change of the stage.
  /// - Parameters:
  ///   - stage: The stage after the change.
  ///   - viewport: The member's window.
  ///   - turned: How many leaves were turned, negative for backwards.
  ///   - holds: Whether a finger of the member holds the stage: the framing then rests, so that the
  ///     paper stays under the finger.
  ///   - now: The current time, in seconds.
  /// - Returns: Whether the framing has changed.
  package mutating func follow(
    _ stage: Stage,
    in viewport: Viewport,
    turned: Int,
    holds: Bool,
    at now: Double
  ) -> Bool {
    guard Self.isSmall(viewport), pull == nil else { return false }
    // The wall stays under the finger that scrolls it.
    if stage.isWall, stage.isDriven { return false }
    let before = self
    if let later, later.time <= now { self = passed(later) }
    later = nil
    if stage.openBook == nil {
      (page, wanted) = (.first, nil)
    } else if let turning = stage.turning(at: now) {
      guard !holds else { return self != before }
      follow(turning, of: stage, in: viewport)
    } else {
      // The leaf has turned without being seen.
      if turned != 0 { page = wanted ?? (turned > 0 ? .first : .second) }
      wanted = nil
    }
    let goal = Self.goal(of: stage, page: page, in: viewport)
    if goal != aim { fly(to: goal, at: now) }
    return self != before
  }

  private mutating func follow(_ turning: Turning, of stage: Stage, in viewport: Viewport) {
    guard !stage.isDriven else { return page = turning.page }
    let last = wanted ?? turning.landing
    // A leaf in flight is past the spine before the framing could reach its page and return.
    guard page != last, turning.page != turning.landing else { return page = last }
    page = turning.page
    guard let middle = turning.middle else { return }
    let goal = Self.goal(of: stage, page: last, in: viewport)
    later = Step(time: middle, page: last, goal: goal)
  }

  private mutating func fly(to goal: ZoomTransform, at time: Double) {
    zoom.launch(to: goal.zoom, tolerance: Self.zoomTolerance, at: time)
    x.launch(to: goal.x, tolerance: Stage.pointTolerance, at: time)
    y.launch(to: goal.y, tolerance: Stage.pointTolerance, at: time)
  }

  /// The tolerance of the zoom, at which the window's edge moves by less than a quarter of a point.
  private static let zoomTolerance = 5e-4
}

// MARK: - What the member does

extension Framing {
  /// Looks at the other page of the spread.
  /// - Returns: Whether the framing has changed.
  package mutating func look(
    at page: Page,
    of stage: Stage,
    in viewport: Viewport,
    at time: Double
  ) -> Bool {
    guard Self.isTall(viewport), stage.openBook != nil, pageAtRest != page,
      pull == nil
    else { return false }
    if let later, later.time <= time { self = passed(later) }
    (self.page, later, wanted) = (page, nil, nil)
    fly(to: Self.goal(of: stage, page: page, in: viewport), at: time)
    return true
  }

  /// Ends the motion at its goal, unless a finger holds the framing.
  package mutating func land() {
    guard pull == nil else { return }
    let goal = goal
    (page, later) = (pageAtRest, nil)
    (zoom, x, y) = (.rest(goal.zoom), .rest(goal.x), .rest(goal.y))
  }

  /// Shows a page when the next book opens, instead of the first one of its spread.
  package mutating func begin(at page: Page) { self.page = page }

  /// Shows a page after the jump to it that follows.
  package mutating func want(_ page: Page) { wanted = page }

  /// Starts to move from page to page with a finger, given in stage points of the window.
  package mutating func pull(
    from finger: Double,
    over stage: Stage,
    in viewport: Viewport,
    at time: Double
  ) {
    if let later, later.time <= time { self = passed(later) }
    later = nil
    let ends = [Page.first, .second].map { Self.goal(of: stage, page: $0, in: viewport).x }
    let (low, high) = (min(ends[0], ends[1]), max(ends[0], ends[1]))
    let track = Track(
      range: low...high,
      bandLength: max(high - low, 1),
      velocityLimit: Track.flingMax,
      tolerance: Stage.pointTolerance
    )
    let grab = Grab(x, on: track, finger: finger, gain: 1, at: time)
    (pull, x) = (grab, .held(grab.value))
  }

  /// Moves with the finger that holds the framing.
  package mutating func move(to finger: Double, at time: Double) {
    pull?.move(to: finger, at: time)
    if let pull { x = .held(pull.value) }
  }

  /// Releases the finger: the framing goes on to the page that is nearer, or to which it was flung.
  package mutating func letGo(
    cancelled: Bool,
    over stage: Stage,
    in viewport: Viewport,
    at time: Double
  ) {
    guard let grab = pull else { return }
    pull = nil
    let velocity = cancelled ? 0 : grab.velocity(at: time)
    let thrown = grab.value + Scrolling.project(velocityPerSecond: velocity)
    if !cancelled { page = (thrown > 0) != stage.isMirrored ? .first : .second }
    let goal = Self.goal(of: stage, page: page, in: viewport)
    x = grab.flight(to: goal.x, velocity: velocity, at: time)
  }

  /// Whether a finger moves the framing.
  package var isHeld: Bool { pull != nil }
}

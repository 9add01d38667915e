internal import Glibc
package import Motion
internal import Scene

/// One member's zoom and pan over the flat book, in closed form of absolute time.
///
/// Points are stage points of the window, from its centre, without the zoom. Fingers drive the
/// view, and springs continue its motion after a release. Queries for the same time give the same
/// result.
package struct ZoomView: Equatable, Sendable {
  /// The range in which a zoom rests.
  package static let zooms = 1.0...8.0
  /// The zoom above which fingers move the view and turn no leaf.
  package static let zoomedAbove = 1.01
  /// The zoom to which a double tap leads.
  package static let tapZoom = 2.0

  private enum Hold: Equatable, Sendable {
    case pan(x: Grab, y: Grab)
    /// `point` is the point of the stage that stays under the middle of the fingers.
    case pinch(zoom: Grab, point: Point, middle: Point, x: VelocityTracker, y: VelocityTracker)
  }

  private var zoom = Animation.rest(1)
  private var x = Animation.rest(0)
  private var y = Animation.rest(0)
  /// Boxed, because most views are held by nobody, and a hold is larger than all else of a view.
  private var boxedHold: Boxed<Hold>?

  private var hold: Hold? {
    get { boxedHold?.value }
    set {
      guard let newValue else { return boxedHold = nil }
      if boxedHold == nil { boxedHold = Boxed(newValue) } else { boxedHold?.value = newValue }
    }
  }

  /// Creates a view of the whole stage.
  package init() {}

  /// Whether fingers hold the view.
  package var isHeld: Bool { boxedHold != nil }

  /// Whether the view is zoomed in, or will be.
  package var isZoomed: Bool { zoom.target > Self.zoomedAbove }

  /// Whether the view shows, or will show, the whole stage.
  package var isAway: Bool { zoom.target == 1 && x.target == 0 && y.target == 0 && hold == nil }

  /// The time from which the view is at rest, in seconds; +infinity while it is held.
  package var restTime: Double {
    hold != nil ? .infinity : max(zoom.endTime, max(x.endTime, y.endTime))
  }

  /// Returns the zoom and pan at a time.
  package func view(at time: Double) -> ZoomTransform {
    ZoomTransform(
      zoom: max(zoom.value(at: time), Self.zoomMin),
      x: x.value(at: time),
      y: y.value(at: time)
    )
  }

  /// The zoom and pan that the view will have at rest.
  package var goal: ZoomTransform {
    ZoomTransform(zoom: max(zoom.target, Self.zoomMin), x: x.target, y: y.target)
  }

  /// The minimum zoom, which stays positive regardless of the speed of the fingers.
  private static let zoomMin = 0.1
  /// The tolerance of the zoom, at which the window's edge moves by less than a quarter of a point.
  private static let zoomTolerance = 5e-4
  /// The maximum factor by which the zoom stretches below 1 and above 8.
  private static let bandFactor = 1.6
  private static let flingMax = 20_000.0
}

// MARK: - Fingers

extension ZoomView {
  /// Starts a drag with one finger.
  package mutating func pan(from point: Point, over field: Bounds, at time: Double) {
    let limit = field.limit(zoom: zoom.value(at: time))
    let grabX = Grab(
      x,
      on: Self.track(limit.width, field.window.width, reaching: x.value(at: time)),
      finger: point.x,
      gain: 1,
      at: time
    )
    let grabY = Grab(
      y,
      on: Self.track(limit.height, field.window.height, reaching: y.value(at: time)),
      finger: point.y,
      gain: 1,
      at: time
    )
    zoom = .held(zoom.value(at: time))
    hold = .pan(x: grabX, y: grabY)
    (x, y) = (.held(grabX.value), .held(grabY.value))
  }

  /// Starts a pinch with two fingers.
  /// - Parameters:
  ///   - middle: The point between the fingers.
  ///   - scale: The distance between the fingers, in any unit.
  ///   - time: The present time, in seconds.
  package mutating func pinch(at middle: Point, scale: Double, at time: Double) {
    let view = view(at: time)
    let logarithm = Animation.rest(log2(view.zoom))
    hold = .pinch(
      zoom: Grab(logarithm, on: Self.zoomTrack, finger: log2(scale), gain: 1, at: time),
      point: Point(x: (middle.x - view.x) / view.zoom, y: (middle.y - view.y) / view.zoom),
      middle: middle,
      x: VelocityTracker(),
      y: VelocityTracker()
    )
    (zoom, x, y) = (.held(view.zoom), .held(view.x), .held(view.y))
  }

  /// Moves the fingers that hold the view.
  /// - Parameters:
  ///   - point: The position of the finger, or the middle between two.
  ///   - scale: The distance between two fingers; 1 for one finger.
  ///   - time: The present time, in seconds.
  package mutating func move(to point: Point, scale: Double = 1, at time: Double) {
    switch hold {
    case .pan(var grabX, var grabY):
      grabX.move(to: point.x, at: time)
      grabY.move(to: point.y, at: time)
      hold = .pan(x: grabX, y: grabY)
      (x, y) = (.held(grabX.value), .held(grabY.value))
    case .pinch(var grab, let fixed, _, var speedX, var speedY):
      grab.move(to: log2(scale), at: time)
      let zoom = exp2(grab.value)
      let (toX, toY) = (point.x - zoom * fixed.x, point.y - zoom * fixed.y)
      speedX.add(toX, at: time)
      speedY.add(toY, at: time)
      hold = .pinch(zoom: grab, point: fixed, middle: point, x: speedX, y: speedY)
      (self.zoom, x, y) = (.held(zoom), .held(toX), .held(toY))
    case nil: break
    }
  }

  /// Releases the fingers; a cancelled gesture continues without their velocity.
  package mutating func letGo(cancelled: Bool, over field: Bounds, at time: Double) {
    let held = hold
    hold = nil
    switch held {
    case .pan(let grabX, let grabY):
      // If one finger caught a zoom beyond its range, the zoom returns to the range.
      let rest = Self.rested(zoom.target)
      let limit = field.limit(zoom: rest)
      func thrown(_ grab: Grab, _ limit: Double) -> Animation {
        let velocity = cancelled ? 0 : grab.velocity(at: time)
        let far = grab.value + Scrolling.project(velocityPerSecond: velocity)
        return grab.flight(to: min(max(far, -limit), limit), velocity: velocity, at: time)
      }
      (x, y) = (thrown(grabX, limit.width), thrown(grabY, limit.height))
      zoom =
        rest == zoom.target
        ? .rest(rest)
        : .spring(
          .landing,
          from: zoom.target,
          velocity: 0,
          to: rest,
          at: time,
          tolerance: Self.zoomTolerance
        )
    case .pinch(let grab, let fixed, let middle, let speedX, let speedY):
      let from = ZoomTransform(zoom: zoom.target, x: x.target, y: y.target)
      let zoom = Self.rested(from.zoom)
      let aim = ZoomTransform(
        zoom: zoom,
        x: middle.x - zoom * fixed.x,
        y: middle.y - zoom * fixed.y
      )
      // Within its range the zoom stays where the fingers left it, and only the pan continues.
      let isOut = from.zoom != zoom
      let speed = cancelled || !isOut ? 0 : grab.velocity(at: time) * from.zoom * log(2)
      fly(
        from: from,
        velocity: ZoomTransform(
          zoom: speed,
          x: cancelled ? 0 : speedX.slope(at: time, limit: Self.flingMax),
          y: cancelled ? 0 : speedY.slope(at: time, limit: Self.flingMax)
        ),
        to: Self.limited(aim, over: field),
        at: time
      )
    case nil: break
    }
  }

  private static func track(_ limit: Double, _ window: Double, reaching value: Double) -> Track {
    // Two fingers may have moved the view farther than one finger can.
    let over = max(0, abs(value) - limit)
    return Track(
      range: -limit...limit,
      bandLength: max(2 * window, 1.5 * over, 1),
      velocityLimit: flingMax,
      tolerance: Stage.pointTolerance
    )
  }

  private static let zoomTrack = Track(
    range: log2(zooms.lowerBound)...log2(zooms.upperBound),
    bandLength: log2(bandFactor),
    velocityLimit: 20,
    tolerance: zoomTolerance
  )
}

// MARK: - Moves without fingers

extension ZoomView {
  /// Zooms by a factor with an animation; the given point stays where it is.
  package mutating func zoom(
    by factor: Double,
    about point: Point,
    over field: Bounds,
    at time: Double
  ) {
    let goal = goal
    let zoom = Self.rested(goal.zoom * factor)
    let ratio = zoom / goal.zoom
    let aim = ZoomTransform(
      zoom: zoom,
      x: point.x - (point.x - goal.x) * ratio,
      y: point.y - (point.y - goal.y) * ratio
    )
    fly(to: Self.limited(aim, over: field), at: time)
  }

  /// Zooms by a factor immediately, for a wheel.
  package mutating func follow(
    factor: Double,
    about point: Point,
    over field: Bounds,
    at time: Double
  ) {
    let view = view(at: time)
    let zoom = min(max(view.zoom * factor, Self.zooms.lowerBound), Self.zooms.upperBound)
    let ratio = zoom / view.zoom
    let aim = ZoomTransform(
      zoom: zoom,
      x: point.x - (point.x - view.x) * ratio,
      y: point.y - (point.y - view.y) * ratio
    )
    rest(at: Self.limited(aim, over: field))
  }

  /// Moves the view immediately, for a wheel.
  package mutating func scroll(dx: Double, dy: Double, over field: Bounds, at time: Double) {
    let view = view(at: time)
    rest(
      at: Self.limited(ZoomTransform(zoom: view.zoom, x: view.x - dx, y: view.y - dy), over: field)
    )
  }

  /// Returns to the whole stage with an animation.
  package mutating func goAway(at time: Double) { go(to: .whole, at: time) }

  /// Moves to a zoom and pan with an animation; fingers no longer hold the view.
  package mutating func go(to view: ZoomTransform, at time: Double) {
    hold = nil
    fly(to: view, at: time)
  }

  /// Returns whether the view is as far to the left, -1, or to the right, 1, as it may be.
  package func isAtEnd(_ sign: Double, over field: Bounds) -> Bool {
    let goal = goal
    return sign * goal.x >= field.limit(zoom: goal.zoom).width - Self.endTolerance
  }

  /// Returns whether the view is as far up, -1, or down, 1, as it may be.
  package func isAtHeight(_ sign: Double, over field: Bounds) -> Bool {
    let goal = goal
    return sign * goal.y >= field.limit(zoom: goal.zoom).height - Self.endTolerance
  }

  /// The distance within which the view counts as at an end, in stage points.
  private static let endTolerance = 1.0

  /// Moves to the upper corner where the next page begins.
  ///
  /// - Parameters:
  ///   - atLeft: Whether that is the left corner: where leaves were turned from right to left.
  ///   - field: The bounds.
  ///   - time: The present time, in seconds.
  package mutating func showTop(atLeft: Bool, over field: Bounds, at time: Double) {
    guard hold == nil else { return }
    let zoom = goal.zoom
    let limit = field.limit(zoom: zoom)
    let x = atLeft ? limit.width : -limit.width
    fly(to: ZoomTransform(zoom: zoom, x: x, y: limit.height), at: time)
  }

  /// Ends the motion at its goal, unless fingers hold the view.
  package mutating func land() {
    if hold == nil { rest(at: goal) }
  }

  /// Moves the view into its limits, for example when the size of the window changes.
  package mutating func stayWithin(_ field: Bounds, at time: Double) {
    guard hold == nil else { return }
    let goal = goal
    let limited = Self.limited(goal, over: field)
    if limited != goal { fly(to: limited, at: time) }
  }

  /// Returns where a zoom comes to rest, which is within its range, and 1 if it is almost 1.
  static func rested(_ zoom: Double) -> Double {
    zoom <= zoomedAbove ? zooms.lowerBound : min(zoom, zooms.upperBound)
  }

  private static func limited(_ view: ZoomTransform, over field: Bounds) -> ZoomTransform {
    let limit = field.limit(zoom: view.zoom)
    return ZoomTransform(
      zoom: view.zoom,
      x: min(max(view.x, -limit.width), limit.width),
      y: min(max(view.y, -limit.height), limit.height)
    )
  }

  private mutating func rest(at view: ZoomTransform) {
    hold = nil
    (zoom, x, y) = (.rest(view.zoom), .rest(view.x), .rest(view.y))
  }

  private mutating func fly(to view: ZoomTransform, at time: Double) {
    hold = nil
    let velocity = ZoomTransform(
      zoom: zoom.velocity(at: time),
      x: x.velocity(at: time),
      y: y.velocity(at: time)
    )
    let from = ZoomTransform(zoom: zoom.value(at: time), x: x.value(at: time), y: y.value(at: time))
    fly(from: from, velocity: velocity, to: view, at: time)
  }

  /// Starts one spring for all three scalars, so that the fixed point of the zoom stays in place on
  /// the way.
  private mutating func fly(
    from: ZoomTransform,
    velocity: ZoomTransform,
    to view: ZoomTransform,
    at time: Double
  ) {
    func animation(
      _ from: Double,
      _ velocity: Double,
      _ to: Double,
      _ tolerance: Double
    ) -> Animation {
      if from == to, velocity == 0 { return .rest(to) }
      return .spring(
        .landing,
        from: from,
        velocity: velocity,
        to: to,
        at: time,
        tolerance: tolerance
      )
    }
    zoom = animation(from.zoom, velocity.zoom, view.zoom, Self.zoomTolerance)
    x = animation(from.x, velocity.x, view.x, Stage.pointTolerance)
    y = animation(from.y, velocity.y, view.y, Stage.pointTolerance)
  }
}

internal import Motion
internal import Scene

/// A drag that moves what the stage shows of the library.
struct LibraryDrag: Equatable, Sendable {
  /// What a drag moves.
  private enum Scalar: Equatable, Sendable {
    /// The scroll of the list, the carousel, or the wall and with it the carousel.
    case list, carousel, wall
    /// The slide between shelf and list, from the left edge or in mid-flight.
    case slide
  }

  /// The distance from the left edge within which a drag goes back to the list, in stage points; a
  /// drag that begins beyond the edge also does.
  static let edgeZone = 44.0

  private let scalar: Scalar
  private var grab: Grab

  /// Begins a drag at a point of the stage.
  init(of position: LibraryPosition, at point: Point, time: Double) {
    let isAtEdge = position.isAtShelf && point.x <= Self.edgeZone - Stage.size.width / 2
    if isAtEdge || !position.slide.isSettled(at: time) {
      scalar = .slide
      let track = Track.progress(tolerance: LibraryPosition.slideTolerance)
      let gain = -1 / Stage.size.width
      grab = Grab(position.slide, on: track, finger: point.x, gain: gain, at: time)
    } else if !position.isAtShelf {
      scalar = .list
      let track = Self.track(to: position.list.maximumScroll, bandLength: Stage.size.height)
      grab = Grab(position.scroll, on: track, finger: point.y, gain: -1, at: time)
    } else if position.isWall {
      scalar = .wall
      let gain = position.wallGain
      let track = Self.track(
        to: position.shelf?.maximumOffset ?? 0,
        bandLength: max(Stage.size.height * gain, 1),
        speed: max(gain, 1)
      )
      grab = Grab(position.carousel, on: track, finger: point.y, gain: -gain, at: time)
    } else {
      scalar = .carousel
      let end = position.shelf?.maximumOffset ?? 0
      let track = Self.track(to: end, bandLength: Stage.size.width)
      grab = Grab(position.carousel, on: track, finger: point.x, gain: -1, at: time)
    }
  }

  private static func track(to end: Double, bandLength: Double, speed: Double = 1) -> Track {
    Track(
      range: 0...end,
      bandLength: bandLength,
      velocityLimit: Track.flingMax * speed,
      tolerance: Stage.pointTolerance
    )
  }

  /// Moves the position with the finger.
  mutating func follow(_ point: Point, _ position: inout LibraryPosition, at time: Double) {
    switch scalar {
    case .list:
      grab.move(to: point.y, at: time)
      position.scroll = .held(grab.value)
    case .carousel, .wall:
      grab.move(to: scalar == .wall ? point.y : point.x, at: time)
      position.carousel = .held(grab.value)
    case .slide:
      grab.move(to: point.x, at: time)
      position.holdSlide(grab.value, at: time)
    }
  }

  /// Lets go of the position, which continues with the velocity of the finger; `origin` is the
  /// screen that the finger leaves.
  func letGo(
    _ position: inout LibraryPosition,
    cancelled: Bool,
    from origin: Screen,
    at time: Double
  ) {
    let velocity = cancelled ? 0 : grab.velocity(at: time)
    func thrown(rate: Double) -> Double {
      grab.value + Scrolling.project(velocityPerSecond: velocity, rate: rate)
    }
    switch scalar {
    case .list:
      let target = cancelled ? grab.targetBefore : thrown(rate: Scrolling.normalRate)
      position.scroll = grab.flight(
        to: min(max(target, 0), position.list.maximumScroll),
        velocity: velocity,
        at: time
      )
    case .carousel, .wall:
      guard let shelf = position.shelf, shelf.count > 0 else { return position.carousel = .rest(0) }
      let index =
        scalar == .wall
        ? shelf.nearestItem(offset: thrown(rate: Scrolling.normalRate))
        : Scrolling.snappedIndex(
          proposed: thrown(rate: Scrolling.fastRate) / shelf.pitch,
          velocityPerMillisecond: velocity / 1000,
          count: shelf.count
        )
      let target = cancelled ? grab.targetBefore : Double(index) * shelf.pitch
      position.carousel = grab.flight(to: target, velocity: velocity, at: time)
    case .slide:
      let isFromShelf = origin != .collections
      position.slide = grab.released(
        on: .closing,
        cancelled: cancelled,
        from: isFromShelf,
        at: time
      )
    }
  }
}

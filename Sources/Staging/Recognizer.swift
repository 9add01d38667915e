package import Motion
package import Scene

/// Recognises ``Input`` in the raw pointers of one member: taps, drags and pinches.
///
/// One finger is a tap until it moves by ``slop`` or stays for ``tapSeconds``; two fingers are a
/// pinch immediately. While the stage moves there is no slop: the finger catches what moves. A
/// finger that only tapped lets the motion continue and then counts as a tap.
package struct Recognizer: Equatable, Sendable {
  /// The maximum movement of a tap, in CSS pixels.
  package static let slop = 8.0
  /// The maximum duration of a tap, in seconds.
  package static let tapSeconds = 0.5
  /// The minimum distance between two fingers, in CSS pixels, so that a scale stays finite.
  private static let spanMin = 10.0

  private struct Finger: Equatable {
    let id: UInt8
    var place: Point
  }

  private enum State: Equatable {
    case idle
    case touching(from: Point, since: Double)
    /// `isCatch` is true while the drag can still become a tap on something that moves.
    case dragging(from: Point, since: Double, isCatch: Bool)
    case pinching(span: Double, scale: Double)
    /// A gesture has ended, or was not recognised, while fingers are still down.
    case waiting
  }

  private var fingers: [Finger] = []
  private var state = State.idle
  private var last = Point(x: 0, y: 0)

  /// Creates a recogniser with no fingers down.
  package init() {}

  /// Whether a finger is down.
  package var isTouched: Bool { !fingers.isEmpty }

  /// Processes one event of a pointer.
  /// - Parameters:
  ///   - id: The pointer's number, unique among those that are down.
  ///   - phase: The phase.
  ///   - place: The position, in CSS pixels from the upper left corner of the window.
  ///   - time: The time, in seconds.
  ///   - isMoving: Whether something on the stage moves.
  ///   - camera: The member's camera, which converts pixels to stage points.
  /// - Returns: The recognised input, in order; often empty.
  package mutating func handle(
    _ id: UInt8,
    _ phase: PointerPhase,
    at place: Point,
    time: Double,
    isMoving: Bool,
    camera: Camera
  ) -> Few<Input> {
    switch phase {
    case .down: down(id, place, time, isMoving, camera)
    case .move: move(id, place, time, camera)
    case .up: lift(id, place, time, camera)
    case .cancel: takeAway(id, camera)
    }
  }

  /// Drops the present gesture; fingers that are down are ignored until they are lifted.
  package mutating func forget() { state = fingers.isEmpty ? .idle : .waiting }

  /// Cancels all fingers, for example when the window loses its focus or its connection.
  package mutating func cancelAll(camera: Camera) -> Few<Input> {
    let inputs = abandon(camera)
    fingers = []
    state = .idle
    return inputs
  }
}

extension Recognizer {
  private mutating func down(
    _ id: UInt8,
    _ place: Point,
    _ time: Double,
    _ isMoving: Bool,
    _ camera: Camera
  ) -> Few<Input> {
    guard !fingers.contains(where: { $0.id == id }), fingers.count < 5 else { return Few() }
    fingers.append(Finger(id: id, place: place))
    switch fingers.count {
    case 1:
      last = place
      guard isMoving else {
        state = .touching(from: place, since: time)
        return Few()
      }
      state = .dragging(from: place, since: time, isCatch: true)
      return Few(.pan(.began, camera.stagePoint(place)))
    case 2:
      var given = abandon(camera)
      state = .pinching(span: span, scale: 1)
      given.append(.pinch(.began, scale: 1, camera.stagePoint(middle)))
      return given
    default:
      let given = abandon(camera)
      state = .waiting
      return given
    }
  }

  private mutating func move(
    _ id: UInt8,
    _ place: Point,
    _ time: Double,
    _ camera: Camera
  ) -> Few<Input> {
    guard let index = fingers.firstIndex(where: { $0.id == id }) else { return Few() }
    fingers[index].place = place
    switch state {
    case .touching(let from, let since):
      guard distance(from, place) > Self.slop || time - since > Self.tapSeconds else {
        return Few()
      }
      state = .dragging(from: from, since: since, isCatch: false)
      last = place
      // The drag starts where the finger is now, so that nothing jumps by the slop.
      return Few(.touch(camera.stagePoint(from)), .pan(.began, camera.stagePoint(place)))
    case .dragging(let from, let since, let isCatch):
      let strayed = distance(from, place) > Self.slop || time - since > Self.tapSeconds
      state = .dragging(from: from, since: since, isCatch: isCatch && !strayed)
      last = place
      return Few(.pan(.changed, camera.stagePoint(place)))
    case .pinching(let start, _):
      let scale = span / start
      state = .pinching(span: start, scale: scale)
      return Few(.pinch(.changed, scale: scale, camera.stagePoint(middle)))
    case .idle, .waiting: return Few()
    }
  }

  private mutating func lift(
    _ id: UInt8,
    _ place: Point,
    _ time: Double,
    _ camera: Camera
  ) -> Few<Input> {
    guard let index = fingers.firstIndex(where: { $0.id == id }) else { return Few() }
    fingers[index].place = place
    let focus = camera.stagePoint(fingers.count > 1 ? middle : place)
    fingers.remove(at: index)
    let ended = state
    state = fingers.isEmpty ? .idle : .waiting
    switch ended {
    case .touching(let from, let since):
      let isTap = distance(from, place) <= Self.slop && time - since <= Self.tapSeconds
      return isTap ? Few(.tap(focus)) : Few()
    case .dragging(let from, let since, let isCatch):
      let isTap =
        isCatch && distance(from, place) <= Self.slop && time - since <= Self.tapSeconds
      return isTap ? Few(.pan(.cancelled, focus), .tap(focus)) : Few(.pan(.ended, focus))
    case .pinching(_, let scale): return Few(.pinch(.ended, scale: scale, focus))
    case .idle, .waiting: return Few()
    }
  }

  private mutating func takeAway(_ id: UInt8, _ camera: Camera) -> Few<Input> {
    guard let index = fingers.firstIndex(where: { $0.id == id }) else { return Few() }
    let given = abandon(camera)
    fingers.remove(at: index)
    state = fingers.isEmpty ? .idle : .waiting
    return given
  }

  /// Returns the input that cancels the present gesture.
  private func abandon(_ camera: Camera) -> Few<Input> {
    switch state {
    case .dragging: Few(.pan(.cancelled, camera.stagePoint(last)))
    case .pinching(_, let scale): Few(.pinch(.cancelled, scale: scale, camera.stagePoint(middle)))
    case .idle, .touching, .waiting: Few()
    }
  }

  private var span: Double {
    guard fingers.count > 1 else { return Self.spanMin }
    return max(distance(fingers[0].place, fingers[1].place), Self.spanMin)
  }

  private var middle: Point {
    guard fingers.count > 1 else { return fingers.first?.place ?? last }
    let (a, b) = (fingers[0].place, fingers[1].place)
    return Point(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2)
  }

  private func distance(_ a: Point, _ b: Point) -> Double {
    let (x, y) = (a.x - b.x, a.y - b.y)
    return (x * x + y * y).squareRoot()
  }
}

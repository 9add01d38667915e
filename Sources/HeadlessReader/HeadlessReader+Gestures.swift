internal import Glibc
package import Motion
package import Scene
package import Wire

/// Gestures of a reader, in stage points from the centre of the stage.
extension HeadlessReader {
  /// Half the distance of two fingers at scale 1, in stage points.
  package static let fingerReach = 40.0
  /// The time between two messages of a drag or a pinch, in seconds.
  package static let frameInterval = 1.0 / 60

  /// Converts a stage point to CSS pixels from the upper left corner of the window.
  package func pixels(of point: Point) -> Point {
    Point(
      x: viewport.size.width / 2 + Double(camera[0]) * point.x + Double(camera[12]),
      y: viewport.size.height / 2 + Double(camera[5]) * point.y + Double(camera[13])
    )
  }

  /// Sends one event of one finger.
  /// - Parameters:
  ///   - phase: The phase.
  ///   - point: The position in stage points.
  ///   - id: The number of the finger.
  ///   - target: The server's time of the next vsync, or 0.
  package func finger(
    _ phase: PointerPhase,
    at point: Point,
    id: UInt8 = 0,
    target: Double = 0
  ) {
    send(.pointers(Pointers(target: target, samples: [sample(phase, at: point, id: id)])))
  }

  /// Returns one finger's sample at a stage point.
  package func sample(
    _ phase: PointerPhase,
    at point: Point,
    id: UInt8 = 0
  ) -> PointerSample {
    let place = pixels(of: point)
    return PointerSample(id: id, phase: phase, x: place.x, y: place.y)
  }

  /// Taps at a point.
  package func tap(at point: Point) {
    finger(.down, at: point)
    finger(.up, at: point)
  }

  /// Drags one finger, with one message per ``frameInterval``.
  /// - Parameters:
  ///   - start: The first position.
  ///   - end: The last position.
  ///   - steps: The number of moves.
  ///   - lifts: Whether the finger is lifted at the end.
  package func drag(from start: Point, to end: Point, steps: Int = 10, lifts: Bool = true) {
    finger(.down, at: start)
    for step in 1...max(1, steps) {
      pause()
      let part = Double(step) / Double(max(1, steps))
      finger(
        .move,
        at: Point(x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part),
        target: serverNow + Self.frameInterval
      )
    }
    if lifts { finger(.up, at: end) }
  }

  /// Pinches with two fingers, with one message per ``frameInterval``.
  /// - Parameters:
  ///   - start: The scale at the beginning, relative to twice ``fingerReach``.
  ///   - end: The scale at the end.
  ///   - middle: The centre in stage points.
  ///   - steps: The number of moves.
  ///   - lifts: Whether the fingers are lifted at the end.
  package func pinch(
    from start: Double,
    to end: Double,
    at middle: Point = Point(x: 0, y: 0),
    steps: Int = 10,
    lifts: Bool = true
  ) {
    sendPair(.down, scale: start, at: middle)
    for step in 1...max(1, steps) {
      pause()
      let part = Double(step) / Double(max(1, steps))
      sendPair(.move, scale: start + (end - start) * part, at: middle)
    }
    if lifts { sendPair(.up, scale: end, at: middle) }
  }

  private func sendPair(_ phase: PointerPhase, scale: Double, at middle: Point) {
    let reach = Self.fingerReach * scale
    let samples = [(-reach, 0), (reach, 1)].map { offset, id in
      sample(phase, at: Point(x: middle.x + offset, y: middle.y), id: UInt8(id))
    }
    send(.pointers(Pointers(target: serverNow + Self.frameInterval, samples: samples)))
  }

  /// Presses a key.
  package func press(_ key: Key) { send(.key(key)) }

  /// Turns the wheel, in CSS pixels.
  package func wheel(dx: Double = 0, dy: Double, ctrl: Bool = false) {
    send(.wheel(dx: dx, dy: dy, at: pixels(of: Point(x: 0, y: 0)), ctrl: ctrl))
  }

  /// Sends the message of an animation frame without new input during a gesture.
  package func tick() {
    send(.pointers(Pointers(target: serverNow + Self.frameInterval)))
  }

  /// Reports another window size.
  package func resize(to viewport: Viewport) {
    resized(to: viewport)
    send(.viewport(viewport, reducesMotion: false))
  }

  private func pause() { usleep(UInt32(Self.frameInterval * 1e6)) }
}

import Motion
import Scene
import TestVectors

@testable import Staging

/// A finger of a member on the open book, from the pixels of its window to the stage.
struct Hand: CustomStringConvertible {
  var stage: Stage
  let camera: Camera
  private let viewport: Size
  private var recognizer = Recognizer()
  private(set) var time = 10.0
  /// The finger, in stage points.
  private(set) var finger = Point(x: 0, y: 0)
  /// The point where the finger was put down, in stage points.
  private(set) var start = Point(x: 0, y: 0)

  var description: String {
    "viewport \(viewport), flat \(stage.isFlat), from \(start.x) to \(finger.x), offset \(offset)"
  }

  /// Opens a book at a spread, at rest.
  init(
    spread: Int = 3,
    pages: Int = 16,
    isFlat: Bool,
    viewport: Size = Size(width: 1024, height: 768)
  ) {
    stage = Stage(library: library(pages: pages), start: .book)
    if isFlat { stage.apply(.lay(.flat), at: 0) }
    stage.apply(.jump(page: 2 * spread + 1), at: 2)
    stage.advance(to: 9)
    self.viewport = viewport
    camera = Camera(viewport: Viewport(size: viewport))
  }

  /// The offset of the leaves now.
  var offset: Double { stage.taken.leaves.turn.value(at: time) }
  /// Returns how far a leaf has turned.
  func progress(of leaf: Int) -> Double { min(max(offset - Double(leaf - 1), 0), 1) }

  /// Returns the places where a point of the turning leaf rests on the right and on the left.
  func rests(of point: PaperPoint) -> (right: Double, left: Double) {
    let shape = LeafShape(progress: 0, bend: 0, flatness: stage.isFlat ? 1 : 0)
    let seen = SeenPoint(point, on: shape, of: stage.taken.leaves.layout)
    return (seen.rests.right, seen.rests.left)
  }

  /// The bend of the turning leaf now.
  var bend: Double { stage.taken.leaves.bend(at: time) }
  /// The frame that is shown now.
  var frame: Frame { stage.frame(at: time) }

  /// Returns the pixels at which a point of the stage is seen.
  private func pixels(_ point: Point) -> Point {
    Point(
      x: viewport.width / 2 + point.x * camera.scale,
      y: viewport.height / 2 + point.y * camera.scale
    )
  }

  /// Sends one event of the pointer.
  mutating func point(_ phase: PointerPhase, at place: Point, after seconds: Double) {
    time += seconds
    finger = place
    let inputs = recognizer.handle(
      1,
      phase,
      at: pixels(place),
      time: time,
      isMoving: !stage.isSettled(at: time),
      camera: camera
    )
    for input in inputs { stage.apply(input, at: time) }
  }

  mutating func press(_ x: Double, y: Double = 20) {
    start = Point(x: x, y: y)
    point(.down, at: start, after: 0)
  }

  /// Moves the finger by a distance in steps of 8 milliseconds.
  mutating func move(by dx: Double, in steps: Int, each: (inout Hand) -> Void = { _ in }) {
    for _ in 0..<steps {
      point(.move, at: Point(x: finger.x + dx / Double(steps), y: finger.y), after: 0.008)
      each(&self)
    }
  }

  /// Puts the finger down for a drag, without the distance after which a drag is recognised.
  mutating func take(at x: Double) {
    start = Point(x: x, y: 20)
    finger = start
    stage.apply(.touch(start), at: time)
    stage.apply(.pan(.began, start), at: time)
  }

  /// Moves a finger that was put down in this way.
  mutating func drag(by dx: Double, after seconds: Double = 0.008) {
    time += seconds
    finger.x += dx
    stage.apply(.pan(.changed, finger), at: time)
  }

  /// Ends the drag of such a finger.
  mutating func release(_ phase: GesturePhase = .ended, after seconds: Double = 0) {
    time += seconds
    stage.apply(.pan(phase, finger), at: time)
  }

  mutating func lift(after seconds: Double = 0.008) { point(.up, at: finger, after: seconds) }

  /// Lets time pass.
  mutating func wait(_ seconds: Double) { time += seconds }

  /// Returns where a point of a leaf is seen, to the right of the centre in stage points; nil if
  /// the leaf does not show it.
  func place(of paper: PaperPoint, leaf: Int) -> Double? {
    for (page, x) in [(2 * leaf, paper.arc), (2 * leaf + 1, 1 - paper.arc)] {
      let key = ElementKey(kind: .page, item: bookItem, page: page)
      let point = frame.point(of: Spot(element: key, x: x, y: paper.height + 0.5)) { key in
        (stage.size(of: key), key.page.isMultiple(of: 2) ? .right : .left)
      }
      if let point { return point.x }
    }
    return nil
  }

  private var bookItem: UInt64 {
    frame.placements.first { $0.key.kind == .page }?.key.item ?? 0
  }

  /// Returns the point of the paper under a place.
  func touched(at place: Point) -> PaperPoint? {
    let spot = frame.spot(at: place) { key in
      (stage.size(of: key), key.page.isMultiple(of: 2) ? .right : .left)
    }
    guard let key = spot.element else { return nil }
    let isRight = key.page.isMultiple(of: 2)
    return PaperPoint(arc: isRight ? spot.x : 1 - spot.x, height: spot.y - 0.5)
  }
}

import Geometry
import Glibc

/// How far a book is open and where: what all its leaves share at a moment.
struct Pose {
  /// A leaf in the pose: the sine and cosine of its elevation, and how its face is seen.
  struct Leaf {
    var elevation = 0.0
    var sine = 0.0
    var cosine = 0.0
    /// Positive where the recto is seen, negative where the verso is: 2000 times the cosine towards
    /// the eye.
    var facing = 0.0

    var isRectoFacing: Bool { facing >= 0 }
  }

  /// How much larger the flat book is: its pages keep 64 points clear above and below on a stage
  /// 768 high, and the widest still fit its 1024.
  static let flatScale = 1.112

  let openness: Double
  let flatness: Double
  let scale: Double
  /// Where the spine is, right of the stage's centre.
  let spine: Double
  /// The width of a scaled page.
  let width: Double
  private let tiltSine: Double
  private let tiltCosine: Double

  init(
    box: PageBox,
    openness: Double,
    shift: Double,
    closedScale: Double,
    flatness: Double = 0
  ) {
    self.openness = openness
    self.flatness = flatness
    // Weighted sums rather than a start and a difference: they are exact at both ends.
    scale = closedScale * (1 - openness) + openness * Self.scale(flatness: flatness)
    spine = shift - closedScale / 2 * box.size.width * (1 - openness)
    width = scale * box.size.width
    // What lies on the table is not tilted: its text is drawn upon the pixels.
    (tiltSine, tiltCosine) = sineAndCosine(BookLayout.versoTilt * openness * (1 - flatness))
  }

  /// The size of the open book in pages.
  static func scale(flatness: Double) -> Double { (1 - flatness) + flatScale * flatness }

  /// A leaf, given its elevation in the open book.
  ///
  /// Opening takes each leaf from flat on the right to its elevation, so the elevations grow with
  /// the openness.
  func leaf(elevation: Double) -> Leaf {
    let now = openness * elevation
    // A flat leaf on the left is turned by half a circle exactly, which no Double is.
    let isTurned = flatness == 1 && now == .pi
    let (sine, cosine) = isTurned ? (0, -1) : sineAndCosine(now)
    return Leaf(
      elevation: now,
      sine: sine,
      cosine: cosine,
      facing: spine * sine + Perspective.distance * cosine
    )
  }

  /// The scale, a turn by minus the elevation, the way to the spine, the perspective.
  func rectoTransform(_ leaf: Leaf) -> Transform3D {
    transform(sine: leaf.sine, cosine: leaf.cosine)
  }

  /// The same by half a turn less the verso's elevation, which is the tilt below the leaf's.
  func versoTransform(_ leaf: Leaf) -> Transform3D {
    transform(
      sine: leaf.cosine * tiltSine - leaf.sine * tiltCosine,
      cosine: -leaf.cosine * tiltCosine - leaf.sine * tiltSine
    )
  }

  private func transform(sine: Double, cosine: Double) -> Transform3D {
    // Adding 0 makes -0 a 0, which is the same number but other bytes.
    let (across, deep) = (scale * cosine + 0, scale * sine + 0)
    // The third row moves nothing of a page, which has no depth. Where it lies flat the perspective
    // is left out of it: browsers draw what has none at the size in which it is seen.
    let third = flatness == 1 && deep == 0 ? 0 : cosine * Perspective.m34 + 0
    // swift-format-ignore
    return Transform3D(
      across, 0, deep, deep * Perspective.m34 + 0,
      0, scale, 0, 0,
      -sine + 0, 0, cosine + 0, third,
      spine, 0, 0, 1)
  }

  /// How far from the spine the outer edge of a leaf is seen.
  func extent(_ leaf: Leaf) -> Double {
    width * abs(leaf.facing) / (Perspective.distance - width * leaf.sine)
  }

  /// How steeply the upper edge of a leaf is seen to rise from the spine, in half-heights per
  /// point.
  func rise(_ leaf: Leaf) -> Double {
    leaf.sine / abs(leaf.facing)
  }

  /// How strongly a leaf is shaded: 1 upright, 0 flat.
  static func shade(elevation: Double) -> Double {
    max(0, 1 - abs(1 - elevation * (2 / .pi)))
  }
}

func sineAndCosine(_ angle: Double) -> (sine: Double, cosine: Double) {
  (sin(angle), cos(angle))
}

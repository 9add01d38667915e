import Glibc

/// The openness and position of a book at a given time, which all its leaves share.
struct Pose {
  /// A leaf in the pose, with the sine and cosine of its elevation and the direction of its face.
  struct Leaf {
    var elevation = 0.0
    var sine = 0.0
    var cosine = 0.0
    /// The direction of the face: positive if the recto is visible, negative if the verso is.
    ///
    /// Its amount is 2000 times the cosine towards the eye.
    var facing = 0.0

    var isRectoFacing: Bool { facing >= 0 }
  }

  /// The scale of the flat book, at which its pages leave 64 points free above and below on a stage
  /// 768 high, and the widest pages still fit its width of 1024.
  static let flatScale = 1.112

  let openness: Double
  let flatness: Double
  let scale: Double
  /// The position of the spine, in stage points to the right of the stage's centre.
  let spine: Double
  /// The width of a scaled page, in stage points.
  let width: Double
  /// The height of a scaled page, in stage points.
  let height: Double
  /// The angle by which a verso is tilted, in radians.
  let tilt: Double
  /// The closing onto the back cover; nil for a book that closes onto its front cover.
  private let backClosing: BackClosing?
  private let tiltSine: Double
  private let tiltCosine: Double

  init(box: PageBox, _ pose: BookPose) {
    let (openness, flatness, closedScale) = (pose.openness, pose.flatness, pose.closedScale)
    self.openness = openness
    self.flatness = flatness
    // Weighted sums are exact at both ends, unlike a start plus a difference.
    scale = closedScale * (1 - openness) + openness * Self.scale(flatness: flatness)
    width = scale * box.size.width
    if pose.closesOnBack {
      let closing = BackClosing(openness: openness)
      backClosing = closing
      spine = pose.shift + width / 2 * closing.side
    } else {
      backClosing = nil
      spine = pose.shift - closedScale / 2 * box.size.width * (1 - openness)
    }
    height = scale * box.size.height
    // A page on the table is not tilted, so its text aligns with the pixels.
    tilt = BookLayout.versoTilt * openness * (1 - flatness)
    (tiltSine, tiltCosine) = sineAndCosine(tilt)
  }

  /// Returns the scale of the open book.
  static func scale(flatness: Double) -> Double { (1 - flatness) + flatScale * flatness }

  /// Returns a leaf that has a given elevation in the open book.
  func leaf(elevation: Double) -> Leaf {
    let now = presentElevation(elevation)
    // A flat leaf on the left is turned by exactly half a circle, which no Double can represent.
    let isTurned = flatness == 1 && now == .pi
    let (sine, cosine) = isTurned ? (0, -1) : sineAndCosine(now)
    return Leaf(
      elevation: now,
      sine: sine,
      cosine: cosine,
      facing: spine * sine + Perspective.distance * cosine
    )
  }

  /// Returns the present elevation of paper that has a given elevation in the open book.
  ///
  /// Opening lifts each leaf from flat on the right, where the book is closed on its front cover.
  func presentElevation(_ elevation: Double) -> Double {
    backClosing?.elevation(elevation) ?? openness * elevation
  }

  /// Returns the transform of a leaf's recto: the scale, the rotation by minus the elevation, the
  /// translation to the spine and the perspective.
  func rectoTransform(_ leaf: Leaf) -> Transform3D {
    transform(sine: leaf.sine, cosine: leaf.cosine)
  }

  /// Returns the transform of a leaf's verso: the same with a rotation by half a turn less the
  /// verso's elevation, which is that of the leaf less the tilt.
  func versoTransform(_ leaf: Leaf) -> Transform3D {
    transform(
      sine: leaf.cosine * tiltSine - leaf.sine * tiltCosine,
      cosine: -leaf.cosine * tiltCosine - leaf.sine * tiltSine
    )
  }

  private func transform(sine: Double, cosine: Double) -> Transform3D {
    // Adding 0 turns -0 into 0, which is an equal number with different bytes.
    let (across, deep) = (scale * cosine + 0, scale * sine + 0)
    // The third row has no effect on a page, which has no depth. For a flat page it omits the
    // perspective, because browsers rasterise elements without perspective at the size at which
    // they appear.
    let third = flatness == 1 && deep == 0 ? 0 : cosine * Perspective.m34 + 0
    // swift-format-ignore
    return Transform3D(
      across, 0, deep, deep * Perspective.m34 + 0,
      0, scale, 0, 0,
      -sine + 0, 0, cosine + 0, third,
      spine, 0, 0, 1)
  }

  /// Returns the visible distance of a leaf's outer edge from the spine, in stage points.
  func extent(_ leaf: Leaf) -> Double {
    width * abs(leaf.facing) / (Perspective.distance - width * leaf.sine)
  }

  /// Returns the slope of a leaf's upper edge from the spine, in half-heights per point.
  func rise(_ leaf: Leaf) -> Double {
    leaf.sine / abs(leaf.facing)
  }

  /// Returns the strength of a leaf's shadow, which is 1 upright and 0 flat.
  static func shade(elevation: Double) -> Double {
    max(0, 1 - abs(1 - elevation * (2 / .pi)))
  }
}

/// Returns the sine and the cosine of an angle, bit for bit those of `sin` and `cos`.
func sineAndCosine(_ angle: Double) -> (sine: Double, cosine: Double) {
  var (sine, cosine) = (0.0, 0.0)
  sincos(angle, &sine, &cosine)
  return (sine, cosine)
}

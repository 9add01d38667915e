public import Geometry

/// A place on the paper: the same for everybody, however far a page is turned and whatever window
/// it is seen in.
public struct Spot: Equatable, Sendable {
  /// What it is on; nil: on the table.
  public var element: ElementKey?
  /// On an element the fraction of its width from its left edge, 0...1; on the table stage points
  /// from its centre to the right.
  public var x: Double
  /// The same from the upper edge, or from the centre, downwards.
  public var y: Double

  /// Creates a spot.
  public init(element: ElementKey? = nil, x: Double, y: Double) {
    self.element = element
    self.x = x
    self.y = y
  }
}

extension Frame {
  /// The spot that is seen at a point of the stage: on the foremost element there, or the table.
  ///
  /// Corners count as square, and what is not yet or no more seen, at an opacity of 0, not at all.
  /// - Parameters:
  ///   - point: A point in stage points; a member's own camera is already undone.
  ///   - size: The box of an element in stage points, and where it is fastened.
  /// - Returns: The spot, which is somewhere for any point.
  /// - Complexity: O(*n*) in the elements that the frame shows; allocates nothing.
  public func spot(at point: Point, size: (ElementKey) -> (Size, ElementSide)) -> Spot {
    var spot = Spot(x: point.x, y: point.y)
    var front = Int.min
    // Of those at one height in the paint order, browsers paint the later ones over the others.
    for placement in placements where placement.z >= front && placement.opacity > 0 {
      let (box, side) = size(placement.key)
      guard let place = placement.transform.place(seenAt: point),
        let fraction = Box(size: box, side: side).fraction(at: place)
      else { continue }
      spot = Spot(element: placement.key, x: fraction.x, y: fraction.y)
      front = placement.z
    }
    return spot
  }

  /// Where a spot is seen, in stage points: the way back; nil if its element is not shown.
  public func point(of spot: Spot, size: (ElementKey) -> (Size, ElementSide)) -> Point? {
    guard let key = spot.element else { return Point(x: spot.x, y: spot.y) }
    guard let placement = placements.first(where: { $0.key == key }) else { return nil }
    let (box, side) = size(key)
    return placement.transform.transformed(Box(size: box, side: side).place(x: spot.x, y: spot.y))
  }
}

/// The box of an element before its transform, about the transform's origin: for all three sides
/// that is the stage's centre.
private struct Box {
  /// How far beyond an edge is still on it, as a fraction: what rounding may do to a point that is
  /// exactly there, so that nothing falls between two pages.
  static let tolerance = 1e-9

  let size: Size
  let left: Double

  init(size: Size, side: ElementSide) {
    self.size = size
    left =
      switch side {
      case .centre: -size.width / 2
      case .right: 0
      case .left: -size.width
      }
  }

  func place(x: Double, y: Double) -> Point {
    Point(x: left + x * size.width, y: (y - 0.5) * size.height)
  }

  func fraction(at place: Point) -> Point? {
    let x = (place.x - left) / size.width
    let y = place.y / size.height + 0.5
    let range = -Self.tolerance...(1 + Self.tolerance)
    guard range.contains(x), range.contains(y) else { return nil }
    return Point(x: min(max(x, 0), 1), y: min(max(y, 0), 1))
  }
}

extension Transform3D {
  /// The place in the plane z = 0 that is seen at a point: the inverse of ``transformed(_:)``.
  ///
  /// The plane is seen through the homography of the first, second and fourth row and column,
  /// (u, v, 1)·H; that the point is (X, Y) says u·(m11 - X·m14) + v·(m21 - X·m24) = X·m44 - m41
  /// and the same downwards.
  /// - Returns: The place; nil where the plane is seen edge on, or what is seen lies behind the
  ///   eye.
  fileprivate func place(seenAt point: Point) -> Point? {
    let (a, b) = (m11 - point.x * m14, m21 - point.x * m24)
    let (c, d) = (m12 - point.y * m14, m22 - point.y * m24)
    let (right, down) = (point.x * m44 - m41, point.y * m44 - m42)
    let determinant = a * d - b * c
    let place = Point(
      x: (right * d - b * down) / determinant,
      y: (a * down - right * c) / determinant
    )
    // Not so where the determinant is 0.
    guard place.x.isFinite, place.y.isFinite else { return nil }
    return place.x * m14 + place.y * m24 + m44 > 0 ? place : nil
  }
}

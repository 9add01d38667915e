public import Motion

/// A position on the paper, which is the same for all members, at any angle of the page and in any
/// window.
public struct Spot: Equatable, Sendable {
  /// The element; nil for the table.
  public var element: ElementKey?
  /// On an element, the fraction of its width from its left edge, 0...1; on the table, the distance
  /// to the right of the stage's centre, in stage points.
  public var x: Double
  /// On an element, the fraction of its height from its upper edge, 0...1; on the table, the
  /// distance downwards from the stage's centre, in stage points.
  public var y: Double

  /// Creates a spot.
  public init(element: ElementKey? = nil, x: Double, y: Double) {
    (self.element, self.x, self.y) = (element, x, y)
  }
}

extension Frame {
  /// Returns the spot at a point of the stage, on the foremost element there or on the table.
  ///
  /// Corners count as square, and elements with an opacity of 0 do not count.
  /// - Parameters:
  ///   - point: A point in stage points, without a member's camera.
  ///   - size: A function that returns the size of an element in stage points, and its side.
  /// - Returns: The spot; every point has one.
  /// - Complexity: O(*n*) in the number of elements of the frame; nothing is allocated.
  public func spot(at point: Point, size: (ElementKey) -> (Size, ElementSide)) -> Spot {
    var spot = Spot(x: point.x, y: point.y)
    var front = Int.min
    // Among elements with the same paint order, browsers paint later ones over earlier ones.
    for placement in placements where placement.z >= front && placement.opacity > 0 {
      let part = placement.key.part
      guard part != .shadow else { continue }
      let (box, side) = size(placement.key)
      guard let place = placement.transform.place(seenAt: point),
        let fraction = Bounds(size: box, side: side).fraction(at: place),
        part.covers(fraction, of: side)
      else { continue }
      spot = Spot(element: placement.key.whole, x: fraction.x, y: fraction.y)
      front = placement.z
    }
    return spot
  }

  /// Returns the point at which a spot is seen, in stage points; nil if its element is not shown.
  ///
  /// This is the inverse of ``spot(at:size:)``.
  public func point(of spot: Spot, size: (ElementKey) -> (Size, ElementSide)) -> Point? {
    guard let key = spot.element else { return Point(x: spot.x, y: spot.y) }
    let (box, side) = size(key)
    let placement = placements.first {
      $0.key.number == key.number && $0.key.part.covers(Point(x: spot.x, y: spot.y), of: side)
    }
    guard let placement else { return nil }
    return placement.transform.transformed(
      Bounds(size: box, side: side).place(x: spot.x, y: spot.y)
    )
  }
}

extension ElementPart {
  /// Returns whether the part shows the paper at a point, as fractions of the element's size from
  /// its upper left corner; the edge of a page that is otherwise covered counts as whole.
  fileprivate func covers(_ point: Point, of side: ElementSide) -> Bool {
    guard let strip else { return self != .shadow }
    let arc = side == .left ? 1 - point.x : point.x
    let crossing = strip.curl.rulings.position(arc: arc, height: point.y - 0.5)
    let index = (crossing * Double(Self.stripCount)).rounded(.down)
    return min(max(index, 0), Double(Self.stripCount - 1)) == Double(strip.index)
  }
}

/// The box of an element before its transform, relative to the transform's origin, which is at the
/// centre of the stage for all sides.
private struct Bounds {
  /// The distance beyond an edge that still counts as inside, as a fraction; without it, a point
  /// could fall between two pages because of rounding.
  static let tolerance = 1e-9

  let size: Size
  let left: Double

  init(size: Size, side: ElementSide) {
    self.size = size
    left =
      switch side {
      case .centre, .centreRightBound: -size.width / 2
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
  /// Returns the point in the plane z = 0 that is seen at a given point; the inverse of
  /// ``transformed(_:)``.
  ///
  /// The plane is seen through the homography H of the first, second and fourth rows and columns,
  /// (u, v, 1)·H. The point (u, v) maps to (X, Y) if u·(m11 - X·m14) + v·(m21 - X·m24) = X·m44 -
  /// m41, and the same holds for Y.
  /// - Returns: The point; nil if the plane is seen edge on, or if the point is behind the eye.
  fileprivate func place(seenAt point: Point) -> Point? {
    let (a, b) = (m11 - point.x * m14, m21 - point.x * m24)
    let (c, d) = (m12 - point.y * m14, m22 - point.y * m24)
    let (right, down) = (point.x * m44 - m41, point.y * m44 - m42)
    let determinant = a * d - b * c
    let place = Point(
      x: (right * d - b * down) / determinant,
      y: (a * down - right * c) / determinant
    )
    // The coordinates are not finite if the determinant is 0.
    guard place.x.isFinite, place.y.isFinite else { return nil }
    return place.x * m14 + place.y * m24 + m44 > 0 ? place : nil
  }
}

internal import Motion

/// The covers of a shelf at one time, on the way between a carousel and a wall.
struct ShelfCovers {
  let plan: ShelfPlan
  /// The offset of the carousel, in stage points.
  let offset: Double
  /// The arrangement: a carousel at 0, a wall at 1; a spring exceeds both a little.
  let wall: Double
  /// How far right of its place the shelf is, in stage points.
  let shift: Double

  private var middle: Int { plan.layout.nearestItem(offset: offset) }

  private var fraction: Double {
    let length = plan.layout.maximumOffset
    return length > 0 ? offset / length : 0
  }

  /// The covers that may be in a window; their number does not depend on the number of books.
  var visible: Range<Int> {
    let reach = Int(LibraryPosition.sightX / plan.layout.pitch) + 1
    let carousel = max(0, middle - reach)..<min(plan.count, middle + reach + 1)
    if wall == 0 { return carousel }
    let rows = plan.wall.items(at: fraction)
    if wall == 1 || rows.isEmpty { return rows }
    return min(carousel.lowerBound, rows.lowerBound)..<max(carousel.upperBound, rows.upperBound)
  }

  /// Returns the transform of a cover about the centre of the stage.
  func transform(of index: Int) -> Transform3D {
    var transform = plan.layout.transform(of: index, offset: offset)
    if wall != 0 {
      let distance = abs(plan.layout.distance(of: index, offset: offset))
      let there = plan.wall.transform(
        of: index,
        size: plan.boxes[index].size,
        fraction: fraction,
        closeness: clamp(1 - distance / plan.layout.pitch)
      )
      transform = transform.interpolated(to: there, by: wall)
    }
    transform.m41 += shift
    return transform
  }

  /// Returns the paint order of a cover: on the wall, the raised one is in front.
  func z(of index: Int) -> Int { wall != 0 && index == middle ? 1 : 0 }

  /// Returns the cover at a point of the stage; nil if there is none.
  func index(at point: Point) -> Int? {
    visible.last { index in
      let transform = transform(of: index)
      let size = plan.boxes[index].size
      return abs(point.x - transform.m41) <= size.width * abs(transform.m11) / 2
        && abs(point.y - transform.m42) <= size.height * abs(transform.m22) / 2
    }
  }
}

extension Transform3D {
  /// Returns the transform between this one and another, neither of which turns anything.
  fileprivate func interpolated(to other: Transform3D, by part: Double) -> Transform3D {
    var result = self
    result.m11 += (other.m11 - m11) * part
    result.m22 += (other.m22 - m22) * part
    result.m41 += (other.m41 - m41) * part
    result.m42 += (other.m42 - m42) * part
    return result
  }
}

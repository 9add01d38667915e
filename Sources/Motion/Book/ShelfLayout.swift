/// A row of covers; the offset is in stage points, and item i is centred at i times the pitch.
public struct ShelfLayout: Equatable, Sendable {
  /// The width of the stage in points, over which covers shrink with their distance.
  private static let stageWidth = 1024.0
  /// The distance between the widest covers in the reference, in stage points.
  public static let gap = 10.0
  /// The distance between the centres of covers without the gap, as a part of the widest page.
  ///
  /// It is 1 in the reference. A cover is at most 0.7 as wide as its page, and its neighbour less,
  /// so that covers never touch. Of covers with the reference's width, five fit in a window of 1366
  /// points, and seven in one of 1920.
  public static let spacing = 0.75

  /// The distance from one cover's centre to the next, in stage points.
  public let pitch: Double
  /// The width of the widest page, in stage points; 0 on an empty shelf.
  public let widest: Double
  /// The number of covers.
  public let count: Int

  /// Creates a shelf of books from the boxes of their pages.
  public init(boxes: [PageBox], spacing: Double = Self.spacing) {
    widest = boxes.reduce(0) { max($0, $1.size.width) }
    pitch = Self.gap + spacing * widest
    count = boxes.count
  }

  /// Returns how far right of the stage's centre an item's centre is, in stage points.
  public func distance(of item: Int, offset: Double) -> Double { Double(item) * pitch - offset }

  /// Returns the scale of a cover at a distance from the stage's centre.
  public func scale(distance: Double) -> Double {
    0.7 * min(max(1 - abs(distance) / Self.stageWidth, 0.75), 1)
  }

  /// Returns the transform of a cover about the centre of the stage.
  public func transform(of item: Int, offset: Double) -> Transform3D {
    let distance = distance(of: item, offset: offset)
    let scale = scale(distance: distance)
    return Transform3D(scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, 1, 0, distance, 0, 0, 1)
  }

  /// Returns the item nearest to the stage's centre.
  public func nearestItem(offset: Double) -> Int {
    let place = (offset / pitch + 0.5).rounded(.down)
    if place >= Double(count - 1) { return max(0, count - 1) }
    return place > 0 ? Int(place) : 0
  }

  /// The offset at which the last item is centred, in stage points.
  public var maximumOffset: Double { Double(max(0, count - 1)) * pitch }
}

/// A point with x to the right and y down: on the stage, in stage points from its centre; in a
/// window, in CSS pixels from its upper left corner.
public struct Point: Hashable, Sendable {
  /// The distance to the right of the origin.
  public var x: Double
  /// The distance downwards from the origin.
  public var y: Double

  /// Creates a point.
  public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
}

/// A width and a height, in any unit.
public struct Size: Hashable, Sendable {
  /// The horizontal extent.
  public var width: Double
  /// The vertical extent.
  public var height: Double

  /// Creates a size.
  public init(width: Double, height: Double) { (self.width, self.height) = (width, height) }
}

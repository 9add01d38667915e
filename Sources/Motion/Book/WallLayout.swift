/// The covers of a shelf as a wall: rows from left to right, which scroll vertically.
///
/// The scroll is a fraction: at 0 the first row is below the top bar, at 1 the last row is above
/// the foot. The wall has no position of its own: the fraction is that of the carousel, so that the
/// book in the middle of the carousel is always in view on the wall.
public struct WallLayout: Equatable, Sendable {
  /// The number of covers in a row.
  public static let columns = 7
  /// The distance from one cover to the next, in stage points.
  static let pitch = Size(width: 140, height: 194)
  /// The space for one cover, in stage points.
  static let cell = Size(width: 116, height: 170)
  /// The space above the first row, for the bar, and below the last one, in stage points.
  public static let (topInset, footInset) = (76.0, 64.0)
  /// The height of the stage and of the tallest common window, in stage points.
  static let (stageHeight, tallestWindow) = (768.0, 2216.0)
  /// How much larger the book in the middle of the carousel is than the others.
  static let emphasis = 0.12

  /// The number of covers.
  public let count: Int

  /// Creates the wall of a number of covers.
  public init(count: Int) { self.count = count }

  private var rows: Int { (max(0, count) + Self.columns - 1) / Self.columns }

  private var columns: Int { max(1, min(Self.columns, count)) }

  private var contentHeight: Double {
    Self.topInset + Double(rows) * Self.pitch.height + Self.footInset
  }

  /// The distance in stage points that the covers move between the fractions 0 and 1; 0 if all rows
  /// fit on the stage.
  public var scrollLength: Double { max(0, contentHeight - Self.stageHeight) }

  /// Returns how far below the middle of the stage the middle of a window is that shows more than
  /// the height of the stage.
  ///
  /// Such a window begins with the first row at the fraction 0, and ends with the last one at 1.
  /// - Parameters:
  ///   - fraction: The fraction of the scroll.
  ///   - height: The height of the window, in stage points.
  /// - Returns: The distance in stage points; 0 for a window of the stage's height.
  public func windowShift(at fraction: Double, windowHeight height: Double) -> Double {
    guard scrollLength > 0 else { return 0 }
    return (0.5 - min(max(fraction, 0), 1)) * max(0, height - Self.stageHeight)
  }

  /// Returns the items that a window may show.
  public func items(at fraction: Double) -> Range<Int> {
    guard count > 0, fraction.isFinite else { return 0..<0 }
    // In a tall window a short wall is scrolled before the window follows.
    if contentHeight <= 1.5 * Self.tallestWindow { return 0..<count }
    let middle = windowShift(at: fraction, windowHeight: Self.tallestWindow)
    let first = firstRow(at: fraction)
    let reach = Self.tallestWindow / 2
    func row(_ y: Double) -> Int {
      Int(min(max((y - first) / Self.pitch.height, -1), Double(rows)).rounded())
    }
    let (top, bottom) = (max(0, row(middle - reach)), min(rows, row(middle + reach) + 1))
    return min(count, top * Self.columns)..<min(count, max(top, bottom) * Self.columns)
  }

  /// Returns the transform of a cover about the centre of the stage.
  /// - Parameters:
  ///   - item: The index of the cover.
  ///   - size: The size of the cover, in stage points.
  ///   - fraction: The fraction of the scroll.
  ///   - closeness: How close the book is to the middle of the carousel, 0...1; it is raised by it.
  /// - Returns: The transform, which scales and moves.
  public func transform(
    of item: Int,
    size: Size,
    fraction: Double,
    closeness: Double = 0
  ) -> Transform3D {
    let fit = min(Self.cell.width / max(size.width, 1), Self.cell.height / max(size.height, 1))
    let scale = fit * (1 + Self.emphasis * closeness)
    let column = Double(item % Self.columns) - Double(columns - 1) / 2
    let row = firstRow(at: fraction) + Double(item / Self.columns) * Self.pitch.height
    // The covers of a row stand on one line.
    let y = row + (Self.cell.height - size.height * fit) / 2
    return Transform3D(
      scale,
      0,
      0,
      0,
      0,
      scale,
      0,
      0,
      0,
      0,
      1,
      0,
      column * Self.pitch.width,
      y,
      0,
      1
    )
  }

  /// Returns the y of the middle of the first row, from the centre of the stage.
  private func firstRow(at fraction: Double) -> Double {
    let top = max(0, Self.stageHeight - contentHeight) / 2 + Self.topInset
    return top + Self.pitch.height / 2 - Self.stageHeight / 2 - fraction * scrollLength
  }
}

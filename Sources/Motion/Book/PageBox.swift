/// The size of a page on the stage.
public struct PageBox: Equatable, Sendable {
  /// The maximum size of a box, in stage points.
  public static let room = Size(width: 460, height: 568)

  /// The width and height, in stage points.
  public let size: Size

  /// The maximum ratio between the sides of a page.
  private static let proportionMax = 1e4

  /// Creates the largest box with the aspect ratio of a page; it is not rounded to whole points.
  ///
  /// An invalid page gets the maximum size. A page is invalid if a side is not positive or is more
  /// than ten thousand times the other.
  public init(fitting pageSize: Size) {
    let proportion = pageSize.width / pageSize.height
    guard pageSize.width > 0, pageSize.width < .infinity, pageSize.height < .infinity,
      proportion >= 1 / Self.proportionMax, proportion <= Self.proportionMax
    else {
      size = Self.room
      return
    }
    // The side that fits equals the maximum exactly.
    size =
      if pageSize.width * Self.room.height >= pageSize.height * Self.room.width {
        Size(width: Self.room.width, height: Self.room.width * pageSize.height / pageSize.width)
      } else {
        Size(width: Self.room.height * pageSize.width / pageSize.height, height: Self.room.height)
      }
  }

  /// The radius of the outer corners, in stage points.
  public var cornerRadius: Double { size.width * 20 / 362 }
}

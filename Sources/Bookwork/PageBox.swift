public import Geometry

/// The place a page takes up on the stage.
public struct PageBox: Equatable, Sendable {
  /// The largest box a page may take.
  private static let room = Size(width: 460, height: 568)

  /// The box's width and height in points.
  public let size: Size

  /// The most that one side of a page may be of the other.
  private static let proportionMax = 1e4

  /// Creates the largest box of a page's proportions; it is not rounded to whole points.
  ///
  /// What is no page, a side that is not positive or ten thousand times the other, gets all of it.
  public init(fitting pageSize: Size) {
    let proportion = pageSize.width / pageSize.height
    guard pageSize.width < .infinity, pageSize.height < .infinity,
      proportion >= 1 / Self.proportionMax, proportion <= Self.proportionMax
    else {
      size = Self.room
      return
    }
    // The side that fits is the room's, exactly.
    size =
      if pageSize.width * Self.room.height >= pageSize.height * Self.room.width {
        Size(width: Self.room.width, height: Self.room.width * pageSize.height / pageSize.width)
      } else {
        Size(width: Self.room.height * pageSize.width / pageSize.height, height: Self.room.height)
      }
  }

  /// The radius of the corners away from the spine.
  public var cornerRadius: Double { size.width * 20 / 362 }
}

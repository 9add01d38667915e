public import Geometry

/// The place a page takes up on the stage.
public struct PageBox: Equatable, Sendable {
  /// The largest box a page may take.
  private static let room = Size(width: 460, height: 568)

  /// The box's width and height in points.
  public let size: Size

  /// Creates the largest box of a page's proportions; it is not rounded to whole points.
  public init(fitting pageSize: Size) {
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

extension BookLayout {
  /// The number of leaves before the end from which the board lies flat under the last of them.
  private static let boardReach = 7.0

  /// Returns the board behind the last leaf, in the same pose as the pages; nil where it is not
  /// visible.
  ///
  /// The board lies on the right like an additional leaf, below all pages, and no turn lifts it. A
  /// book that closes onto its back cover brings it to the left, where its outside lies above all
  /// pages. Pages are not affected by it.
  public func backBoard(in bookPose: BookPose) -> VisiblePart? {
    let (offset, flatness) = (bookPose.offset, bookPose.flatness)
    guard leafCount > 0, offset.isFinite, Double(leafCount) - offset <= Self.boardReach else {
      return nil
    }
    let pose = Pose(box: box, bookPose)
    func leaf(_ index: Int, _ offset: Double) -> Pose.Leaf {
      pose.leaf(elevation: elevation(ofLeaf: index, offset: offset, flatness: flatness))
    }
    let board = leaf(leafCount, min(offset, Double(leafCount - 1)))
    guard board.isRectoFacing else {
      // Its outside is the other side of the same element.
      return bookPose.closesOnBack ? part(of: board, in: pose, z: pageCount + 2) : nil
    }
    let (extent, rise) = (pose.extent(board), pose.rise(board))
    // Leaf 0 is the cover, which lies above all other leaves when the book is closed.
    var index = leafCount - 1
    while index >= 0 {
      let above = leaf(index, offset)
      if above.isRectoFacing, pose.extent(above) >= extent, pose.rise(above) >= rise { return nil }
      index = index > max(0, leafCount - Int(Self.boardReach) - 1) ? index - 1 : index > 0 ? 0 : -1
    }
    return part(of: board, in: pose, z: 0)
  }

  private func part(of board: Pose.Leaf, in pose: Pose, z: Int) -> VisiblePart {
    VisiblePart(
      page: pageCount,
      transform: pose.rectoTransform(board),
      shade: Pose.shade(elevation: board.elevation),
      z: z
    )
  }
}

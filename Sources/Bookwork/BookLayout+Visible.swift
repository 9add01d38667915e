public import Geometry

extension BookLayout {
  /// The maximum absolute ratio of the leaves that are examined; the others lie flat under the
  /// first of these.
  private static let reach = 1.2

  /// A leaf within reach, with the trapezoid of its visible face from the spine outwards.
  private struct Candidate {
    var index = 0
    var leaf = Pose.Leaf()
    var extent = 0.0
    var rise = 0.0

    /// Returns whether this face completely hides another of its side over which it is painted.
    func covers(_ other: Candidate) -> Bool { extent >= other.extent && rise >= other.rise }
  }

  /// Calls `body` for each visible page, in page order, with the page, its transform, shade and
  /// paint order.
  ///
  /// A page is visible if it faces the reader and is not completely under another. The cost does
  /// not depend on the number of pages, and nothing is allocated. In a book with an odd number of
  /// pages, the blank verso of the last leaf may be among them; its index is `pageCount`.
  public func forEachVisiblePage(
    offset: Double,
    openness: Double,
    shift: Double,
    closedScale: Double,
    flatness: Double = 0,
    _ body: (_ page: Int, _ transform: Transform3D, _ shade: Double, _ z: Int) -> Void
  ) {
    let pose = Pose(
      box: box,
      openness: openness,
      shift: shift,
      closedScale: closedScale,
      flatness: flatness
    )
    var candidates = InlineArray<18, Candidate>(repeating: Candidate())
    let count = gather(&candidates, offset: offset, pose: pose)
    for place in 0..<count {
      let candidate = candidates[place]
      let isRecto = candidate.leaf.isRectoFacing
      // Rectos lie under the rectos of earlier leaves, versos under those of later leaves.
      let above = isRecto ? 0..<place : (place + 1)..<count
      var isBuried = false
      for other in above where candidates[other].leaf.isRectoFacing == isRecto {
        if candidates[other].covers(candidate) {
          isBuried = true
          break
        }
      }
      if isBuried { continue }
      let page = isRecto ? recto(ofLeaf: candidate.index) : verso(ofLeaf: candidate.index)
      body(
        page,
        isRecto ? pose.rectoTransform(candidate.leaf) : pose.versoTransform(candidate.leaf),
        Pose.shade(elevation: candidate.leaf.elevation),
        z(ofPage: page)
      )
    }
  }

  /// Collects leaf 0 and the leaves within reach, in order, and returns their number, which is at
  /// most 1 + 17.
  private func gather(
    _ candidates: inout InlineArray<18, Candidate>,
    offset: Double,
    pose: Pose
  ) -> Int {
    guard leafCount > 0, offset.isFinite else { return 0 }
    // Beyond a resting leaf, ratios grow by a tenth per leaf. The clamp prevents extreme offsets
    // from trapping, and keeps the last leaf, which is the top of the left stack, within reach.
    let spread = (Self.reach - 0.5) * 10
    let low = min(max(offset - spread, -1), Double(leafCount - 1))
    let high = min(max(offset + spread + 1, 0), Double(leafCount - 1))
    let first = max(Int(low.rounded(.down)), 0)
    let last = max(Int(high.rounded(.up)), first)
    var count = 0
    func add(_ index: Int) {
      let leaf = pose.leaf(
        elevation: elevation(ofLeaf: index, offset: offset, flatness: pose.flatness)
      )
      candidates[count] = Candidate(
        index: index,
        leaf: leaf,
        extent: pose.extent(leaf),
        rise: pose.rise(leaf)
      )
      count += 1
    }
    // The cover is on top of all leaves that opening or closing moves back to the right.
    if first > 0 { add(0) }
    for index in first...last { add(index) }
    return count
  }
}

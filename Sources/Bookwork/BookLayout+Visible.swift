public import Geometry

extension BookLayout {
  /// Leaves whose ratio is within this are looked at; the ones beyond lie flat under the first of
  /// them.
  private static let reach = 1.2

  /// A leaf within reach, its seen face's trapezoid from the spine outwards.
  private struct Candidate {
    var index = 0
    var leaf = Pose.Leaf()
    var extent = 0.0
    var rise = 0.0

    /// Whether this face, painted above another of its side, leaves nothing of it to be seen.
    func covers(_ other: Candidate) -> Bool { extent >= other.extent && rise >= other.rise }
  }

  /// Calls `body` for each page that is seen, in their order: page, transform, shade and place in
  /// painting.
  ///
  /// A page is seen if it faces the reader and is not wholly under another. The cost does not
  /// depend on how many pages there are, and nothing is allocated. In an odd book the blank verso
  /// of the last leaf may be among the pages; it has the index `pageCount`.
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
      // Rectos lie under the leaves before them, versos under those after.
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

  /// Fills in leaf 0 and the leaves within reach, in order, and returns how many they are: at most
  /// 1 + 17.
  private func gather(
    _ candidates: inout InlineArray<18, Candidate>,
    offset: Double,
    pose: Pose
  ) -> Int {
    guard leafCount > 0, offset.isFinite else { return 0 }
    // Beyond a resting leaf ratios grow by a tenth per leaf. The clamp keeps wild offsets from
    // trapping and the last leaf, the top of the left stack, within reach of any.
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
    // The cover is the top of every leaf that opening or closing brings back to the right.
    if first > 0 { add(0) }
    for index in first...last { add(index) }
    return count
  }
}

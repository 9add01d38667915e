extension BookLayout {
  /// The outer fractions of a page of which one is drawn if another page covers the rest,
  /// descending.
  public static let edgeFractions = [0.16, 0.1, 0.06, 0.03]
  /// How much more of a page has to be covered, because coverages leave out the tilt of versos.
  private static let coveredSlack = 1e-3
  /// The number of strips of a bent leaf.
  public static let stripCount = LeafStrips.count

  /// Calls `body` for each visible page or part of one, in page order.
  ///
  /// A page is visible if it faces the reader and is not completely under another. The cost does
  /// not depend on the number of pages, and nothing is allocated. In a book with an odd number of
  /// pages, the blank verso of the last leaf may be among them; its index is `pageCount`.
  ///
  /// A bent leaf is drawn in strips, in order from the spine. They have one paint order; those
  /// farther from the spine are in front of the others.
  public func forEachVisiblePart(in bookPose: BookPose, _ body: (VisiblePart) -> Void) {
    let pose = Pose(box: box, bookPose)
    var candidates = InlineArray<18, Candidate>(repeating: Candidate())
    let count = gather(&candidates, offset: bookPose.offset, pose: pose)
    let turning = turningLeaf(in: bookPose)
    let shadow = turning.map {
      LeafShadow(of: $0, in: pose, isMirrored: bookPose.isMirrored)
    }
    for place in 0..<count {
      let candidate = candidates[place]
      if let turning, turning.index == candidate.index, !turning.profile.isRigid {
        addStrips(of: turning, pose: pose, body)
        continue
      }
      let isRecto = candidate.leaf.isRectoFacing
      // Rectos lie under the rectos of earlier leaves, versos under those of later leaves.
      let above = isRecto ? 0..<place : (place + 1)..<count
      var covered = 0.0
      for other in above where candidates[other].leaf.isRectoFacing == isRecto {
        if let turning, turning.index == candidates[other].index, !turning.profile.isRigid {
          continue
        }
        covered = max(covered, candidates[other].coverage(of: candidate))
        if covered >= 1 { break }
      }
      guard covered < 1 else { continue }
      add(candidate, covered: covered, pose: pose, body)
      guard let turning, let shadow, candidate.index == turning.index + (isRecto ? 1 : -1) else {
        continue
      }
      add(shadow, on: candidate, pose: pose, body)
    }
  }

  /// Returns what is drawn of a page of which a fraction, from the spine, is covered.
  private static func part(covered: Double) -> VisiblePart.Part {
    let edge = edgeFractions.lastIndex { covered >= 1 - $0 + coveredSlack }
    return edge.map { .edge($0) } ?? .whole
  }

  private func add(
    _ candidate: Candidate,
    covered: Double,
    pose: Pose,
    _ body: (VisiblePart) -> Void
  ) {
    let isRecto = candidate.leaf.isRectoFacing
    let page = isRecto ? recto(ofLeaf: candidate.index) : verso(ofLeaf: candidate.index)
    body(
      VisiblePart(
        page: page,
        part: Self.part(covered: covered),
        transform: isRecto
          ? pose.rectoTransform(candidate.leaf) : pose.versoTransform(candidate.leaf),
        shade: Pose.shade(elevation: candidate.leaf.elevation),
        z: z(ofPage: page)
      )
    )
  }

  private func add(
    _ shadow: LeafShadow,
    on candidate: Candidate,
    pose: Pose,
    _ body: (VisiblePart) -> Void
  ) {
    let isRecto = candidate.leaf.isRectoFacing
    let elevation = candidate.leaf.elevation
    guard let cast = shadow.onPage(elevation: elevation, isRight: isRecto) else { return }
    let page = isRecto ? recto(ofLeaf: candidate.index) : verso(ofLeaf: candidate.index)
    let whole =
      isRecto ? pose.rectoTransform(candidate.leaf) : pose.versoTransform(candidate.leaf)
    body(
      VisiblePart(
        page: page,
        part: .shadow,
        transform: whole.stretched(by: cast.lengths, height: box.size.height),
        shade: 0,
        opacity: cast.opacity,
        z: z(ofPage: page) + 1
      )
    )
  }

  private func addStrips(of turning: TurningLeaf, pose: Pose, _ body: (VisiblePart) -> Void) {
    var rectos = LeafStrips(turning.profile, turning.rulings, in: pose)
    var versos = LeafStrips(turning.profile, turning.rulings, in: pose, tilt: pose.tilt)
    let pages = (recto: self.recto(ofLeaf: turning.index), verso: verso(ofLeaf: turning.index))
    let z = max(z(ofPage: pages.recto), z(ofPage: pages.verso))
    var index = 0
    while let recto = rectos.advance(), let verso = versos.advance() {
      let isRecto = recto.facing >= 0
      body(
        VisiblePart(
          page: isRecto ? pages.recto : pages.verso,
          part: .strip(index),
          transform: pose.transform(isRecto ? recto : verso, isVerso: !isRecto),
          shade: Pose.shade(elevation: recto.elevation),
          z: z
        )
      )
      index += 1
    }
  }
}

// MARK: - The turning leaf

/// The leaf between the two sides of the book.
struct TurningLeaf {
  let index: Int
  let profile: LeafProfile
  let rulings: Rulings

  /// Returns the positions of the ends of its outer edge relative to the spine: to the right and
  /// towards the eye, in stage points.
  func edge(in pose: Pose) -> (upper: SIMD2<Double>, lower: SIMD2<Double>) {
    var strips = LeafStrips(profile, rulings, in: pose)
    var last = LeafStrips.Strip()
    while let strip = strips.advance() { last = strip }
    func end(_ y: Double) -> SIMD2<Double> {
      let position = last.position(pose.width, y)
      return SIMD2(position.x - pose.spine, position.z)
    }
    return (end(-pose.height / 2), end(pose.height / 2))
  }
}

extension BookLayout {
  /// The bend of a bundle of leaves, as a fraction of that of a single leaf.
  private static let bundleFlexibility = 0.4

  /// Returns the leaf that is on its way from one side to the other; nil if all leaves rest.
  ///
  /// The cover never bends, and the bundle of a long jump is stiffer than a single leaf. A closed
  /// book has no bent leaf.
  func turningLeaf(in pose: BookPose) -> TurningLeaf? {
    let offset = pose.offset
    guard offset.isFinite, offset > -1, offset < Double(leafCount - 1) else { return nil }
    let index = Int(offset.rounded(.up))
    let progress = offset - Double(index - 1)
    guard progress > 0, progress < 1 else { return nil }
    var bend = index == 0 ? 0 : pose.bend * min(max(pose.openness, 0), 1)
    if index == bundle?.lowerBound { bend *= Self.bundleFlexibility }
    return TurningLeaf(
      index: index,
      profile: LeafProfile(progress: progress, bend: bend, flatness: pose.flatness),
      rulings: pose.rulings
    )
  }
}

// MARK: - Candidates

/// A leaf within reach, with the trapezoid of its visible face from the spine outwards.
private struct Candidate {
  var index = 0
  var leaf = Pose.Leaf()
  var extent = 0.0
  var rise = 0.0
  var width = 0.0

  /// Returns the fraction of another face of its side, from the spine, that this face covers; it is
  /// painted over that face.
  func coverage(of other: Candidate) -> Double {
    guard rise >= other.rise else { return 0 }
    if extent >= other.extent { return 1 }
    // The place x of the other leaf is seen at x facing / (2000 - x sine).
    let seen = abs(other.leaf.facing) + extent * other.leaf.sine
    return extent * Perspective.distance / (other.width * seen)
  }
}

extension BookLayout {
  /// The maximum absolute ratio of the leaves that are examined; the others lie flat under the
  /// first of these.
  private static let reach = 1.2

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
        rise: pose.rise(leaf),
        width: pose.width
      )
      count += 1
    }
    // The cover is on top of all leaves that opening or closing moves back to the right.
    if first > 0 { add(0) }
    for index in first...last { add(index) }
    return count
  }
}

extension Transform3D {
  /// Returns the transform of a page whose upper and lower edges are shortened to fractions of
  /// their lengths, so that it becomes a trapezoid at the spine.
  fileprivate func stretched(by lengths: ShadowLengths, height: Double) -> Transform3D {
    let (upper, lower) = (lengths.upper, lengths.lower)
    // A perspective within the page, with n = 1 + 2 slope y / height:
    // x' = scale x / n, y' = (y + slope height / 2) / n
    let scale = 2 * upper * lower / (upper + lower)
    let slope = (upper - lower) / (upper + lower)
    let (nearer, moved) = (2 * slope / height, slope * height / 2)
    var stretched = self
    stretched.m11 *= scale
    stretched.m12 *= scale
    stretched.m13 *= scale
    stretched.m14 *= scale
    // The third row has no effect on a page; in proportion to the first one, it need not be sent.
    stretched.m31 *= scale
    stretched.m33 *= scale
    stretched.m34 *= scale
    guard slope != 0 else { return stretched }
    stretched.m21 += nearer * m41
    stretched.m22 += nearer * m42
    stretched.m23 += nearer * m43
    stretched.m24 += nearer * m44
    stretched.m41 += moved * m21
    stretched.m42 += moved * m22
    stretched.m43 += moved * m23
    stretched.m44 += moved * m24
    return stretched
  }
}

internal import Glibc

/// The leaves of a book about its spine; the offset counts turned spreads.
///
/// Page 2j is the recto of leaf j, and page 2j + 1 is its verso. Offset 0 is the first open spread,
/// pages 1 and 2, so leaf 0 is turned whenever the book is open.
public struct BookLayout: Equatable, Sendable {
  /// The tilt of a verso, in radians, which puts each face in front of its own back.
  static let versoTilt = 0.001

  /// The number of pages.
  public let pageCount: Int
  /// The box of each page on the stage.
  public let box: PageBox
  /// The leaves that turn as one during a jump, at least two; nil without a jump.
  public internal(set) var bundle: ClosedRange<Int>?

  /// Creates the layout of a book without a bundle.
  public init(pageCount: Int, box: PageBox) {
    self.pageCount = max(0, pageCount)
    self.box = box
  }

  /// The number of leaves; the verso of the last leaf may be blank.
  public var leafCount: Int { (pageCount + 1) / 2 - bundledCount }

  /// The offset of the last spread.
  public var maximumOffset: Double { Double(max(0, pageCount / 2 - 1 - bundledCount)) }

  /// Returns how far right a leaf is: 0 if upright, ±1/2 if resting open, ±1 and beyond if flat in
  /// its stack.
  public func ratio(ofLeaf leaf: Int, offset: Double) -> Double {
    let ratio = -0.5 + Double(leaf) - offset
    if ratio > 0.5 { return 0.5 + 0.1 * (ratio - 0.5) }
    if ratio < -0.5 { return -0.5 + 0.1 * (ratio + 0.5) }
    return ratio
  }

  /// Returns the angle between a leaf and the right side of the open book, 0...pi.
  ///
  /// - Parameters:
  ///   - leaf: The leaf, counted from the front.
  ///   - offset: The open spread, counted from 0; fractional while a leaf turns.
  ///   - flatness: 0 for the standing pose, in which a leaf rests at 45 degrees; 1 for flat on the
  ///     table.
  /// - Returns: The angle in radians.
  public func elevation(ofLeaf leaf: Int, offset: Double, flatness: Double = 0) -> Double {
    let ratio = ratio(ofLeaf: leaf, offset: offset)
    let paper = (1 - min(max(ratio, -1), 1)) * .pi / 2
    if flatness == 0 { return paper }
    // A weighted sum is exact at both ends.
    let flat = (0.5 - min(max(ratio, -0.5), 0.5)) * .pi
    return paper * (1 - flatness) + flat * flatness
  }

  /// Returns the angle of a page about the spine, in radians.
  public func angle(ofPage page: Int, offset: Double) -> Double {
    let elevation = elevation(ofLeaf: page / 2, offset: offset)
    return page.isMultiple(of: 2) ? -elevation : .pi - elevation + Self.versoTilt
  }

  /// Returns the transform of a page of the open book, with its spine edge at the centre of the
  /// stage.
  public func transform(ofPage page: Int, offset: Double) -> Transform3D {
    transform(ofPage: page, in: BookPose(offset: offset))
  }

  /// Returns the transform of a page in a pose; at openness 0 the closed book is centred like a
  /// cover on its shelf.
  ///
  /// - Parameters:
  ///   - page: The page, in 0...pageCount.
  ///   - bookPose: The pose; its bend is ignored.
  /// - Returns: The matrix of a page whose spine edge is the origin.
  public func transform(ofPage page: Int, in bookPose: BookPose) -> Transform3D {
    let pose = Pose(box: box, bookPose)
    let leaf = leaf(page / 2, bookPose, pose)
    return page.isMultiple(of: 2) ? pose.rectoTransform(leaf) : pose.versoTransform(leaf)
  }

  /// Returns whether the recto of a leaf faces the reader, rather than its verso.
  public func isRectoFacing(leaf: Int, in bookPose: BookPose) -> Bool {
    self.leaf(leaf, bookPose, Pose(box: box, bookPose)).isRectoFacing
  }

  private func leaf(_ index: Int, _ bookPose: BookPose, _ pose: Pose) -> Pose.Leaf {
    pose.leaf(
      elevation: elevation(ofLeaf: index, offset: bookPose.offset, flatness: bookPose.flatness)
    )
  }

  /// Returns the strength of a page's shadow, which is 1 upright and 0 flat.
  public func shade(ofPage page: Int, offset: Double, openness: Double = 1) -> Double {
    Pose.shade(elevation: openness * elevation(ofLeaf: page / 2, offset: offset))
  }

  /// Returns the paint order of a page: on the right, pages with lower numbers are on top; on the
  /// left, those with higher numbers.
  public func z(ofPage page: Int) -> Int { page.isMultiple(of: 2) ? pageCount - page : page }

  // Bundles of leaves. Leaves that a jump skips turn as one bundle: its front is the page that the
  // jump leaves, its back is the target page, and the pages between are not seen.
  //
  // With a bundle, the layout counts leaves and offsets as if the bundle were a single leaf at its
  // lower end; pages keep their numbers.

  /// Returns the layout in which the given leaves form a bundle.
  ///
  /// - Precondition: The leaves exist in the book without a bundle.
  public func bundling(_ leaves: ClosedRange<Int>) -> BookLayout {
    precondition(leaves.lowerBound >= 0 && leaves.upperBound < (pageCount + 1) / 2)
    var bundled = self
    bundled.bundle = leaves.count > 1 ? leaves : nil
    return bundled
  }

  /// The layout without a bundle.
  public var unbundled: BookLayout {
    var loose = self
    loose.bundle = nil
    return loose
  }

  /// The number of leaves that the layout does not count because of the bundle.
  public var bundledCount: Int { bundle.map { $0.count - 1 } ?? 0 }

  /// Returns the spread at an offset of this layout, as counted without a bundle; between two
  /// spreads, the nearer one.
  public func spread(at offset: Double) -> Double {
    guard let bundle else { return offset.rounded() }
    let whole = offset.rounded()
    return whole >= Double(bundle.lowerBound) ? whole + Double(bundledCount) : whole
  }

  /// Returns an offset of this layout as counted without a bundle; nil while the bundle is moving.
  public func unbundledOffset(_ offset: Double) -> Double? {
    guard let bundle else { return offset }
    if offset <= Double(bundle.lowerBound - 1) { return offset }
    return offset >= Double(bundle.lowerBound) ? offset + Double(bundledCount) : nil
  }

  /// Returns the page on the front of a leaf of this layout.
  func recto(ofLeaf leaf: Int) -> Int {
    guard let bundle, leaf > bundle.lowerBound else { return 2 * leaf }
    return 2 * (leaf + bundledCount)
  }

  /// Returns the page on the back of a leaf of this layout.
  func verso(ofLeaf leaf: Int) -> Int {
    guard let bundle, leaf >= bundle.lowerBound else { return 2 * leaf + 1 }
    return 2 * (leaf + bundledCount) + 1
  }

  /// Returns the visible extent of the resting pages from the centre of the stage: half the width,
  /// and half the height at the fore-edge, which is nearer to the eye than the spine.
  ///
  /// - Parameter flatness: 0 for the standing pose, 1 for flat.
  /// - Returns: The extent in stage points.
  public func reach(flatness: Double) -> Size {
    let elevation = (1 - flatness) * .pi / 4
    let width = Pose.scale(flatness: flatness) * box.size.width
    let nearer = 1 + width * sin(elevation) * Perspective.m34
    return Size(
      width: width * cos(elevation) / nearer,
      height: Pose.scale(flatness: flatness) * box.size.height / 2 / nearer
    )
  }

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

  /// Returns the point of a turning leaf that is seen at a point of the stage, the nearest to the
  /// eye of several.
  /// - Parameters:
  ///   - seen: The point, in stage points from the centre.
  ///   - shape: The shape of the leaf.
  /// - Returns: The point of the paper; nil if the leaf is not seen there.
  public func paper(at seen: Point, on shape: LeafShape) -> PaperPoint? {
    let scaled = Pose.scale(flatness: shape.flatness)
    let (width, height) = (scaled * box.size.width, scaled * box.size.height)
    let pose = Pose(box: box, BookPose(offset: 0, flatness: shape.flatness))
    var strips = LeafStrips(shape.profile, shape.rulings, in: pose, tilt: pose.tilt / 2)
    var found: PaperPoint?
    var (index, inner) = (0.0, 0.0)
    while let strip = strips.advance() {
      index += 1
      let outer = index / Double(LeafStrips.count)
      defer { inner = outer }
      guard let (x, y) = strip.place(seenAt: seen) else { continue }
      let point = PaperPoint(arc: x / width, height: y / height)
      guard point.arc >= 0, point.arc <= 1, abs(point.height) <= 0.5 else { continue }
      let crossing = shape.rulings.position(arc: point.arc, height: point.height)
      // The strips that follow are nearer to the eye.
      if crossing >= inner, crossing <= outer { found = point }
    }
    return found
  }
}

extension LeafStrips.Strip {
  /// Returns the point of the plane that is seen at a point of the stage: its distances from the
  /// spine and below the middle, in stage points; nil if the plane is seen from its edge.
  fileprivate func place(seenAt seen: Point) -> (x: Double, y: Double)? {
    // The position p fulfils p.x = seen.x (1 - p.z / 2000), and the same for y.
    func row(_ vector: SIMD3<Double>) -> SIMD2<Double> {
      let share = vector.z / Perspective.distance
      return SIMD2(vector.x + seen.x * share, vector.y + seen.y * share)
    }
    let (across, down, from) = (row(across), row(down), SIMD2(seen.x, seen.y) - row(origin))
    let determinant = across.x * down.y - across.y * down.x
    guard determinant != 0 else { return nil }
    return (
      (from.x * down.y - from.y * down.x) / determinant,
      (across.x * from.y - across.y * from.x) / determinant
    )
  }
}

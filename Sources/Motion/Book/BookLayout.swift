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
      elevation: elevation(
        ofLeaf: index,
        offset: bookPose.offset,
        flatness: bookPose.flatness
      )
    )
  }

  /// Returns the strength of a page's shadow, which is 1 upright and 0 flat.
  public func shade(ofPage page: Int, offset: Double, openness: Double = 1) -> Double {
    Pose.shade(elevation: openness * elevation(ofLeaf: page / 2, offset: offset))
  }

  /// Returns the paint order of a page: on the right, pages with lower numbers are on top; on the
  /// left, those with higher numbers.
  public func z(ofPage page: Int) -> Int {
    page.isMultiple(of: 2) ? pageCount - page : page
  }
}

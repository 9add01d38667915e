/// Bundles of leaves. Leaves that a jump skips turn as one bundle: its front is the page that the
/// jump leaves, its back is the target page, and the pages between are not seen.
///
/// With a bundle, the layout counts leaves and offsets as if the bundle were a single leaf at its
/// lower end; pages keep their numbers.
extension BookLayout {
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
}

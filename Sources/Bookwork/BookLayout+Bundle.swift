/// Leaves that a reader passes over turn as one: before them lies the page that is left, behind
/// them the one that is looked for, and those between are not seen.
///
/// With a bundle the layout counts leaves and offsets as if the bundle were a single leaf, the one
/// at its lower end; pages keep their numbers.
extension BookLayout {
  /// The layout with leaves bundled.
  ///
  /// - Precondition: The leaves are there.
  public func bundling(_ leaves: ClosedRange<Int>) -> BookLayout {
    precondition(leaves.lowerBound >= 0 && leaves.upperBound < (pageCount + 1) / 2)
    var bundled = self
    bundled.bundle = leaves.count > 1 ? leaves : nil
    return bundled
  }

  /// The layout with every leaf on its own.
  public var unbundled: BookLayout {
    var loose = self
    loose.bundle = nil
    return loose
  }

  /// How many leaves are not counted.
  public var bundledCount: Int { bundle.map { $0.count - 1 } ?? 0 }

  /// The spread that an offset of this layout shows, in the book without bundle: of one between two
  /// spreads the nearer.
  public func spread(at offset: Double) -> Double {
    guard let bundle else { return offset.rounded() }
    let whole = offset.rounded()
    return whole >= Double(bundle.lowerBound) ? whole + Double(bundledCount) : whole
  }

  /// The same offset in the book without bundle; nil while the bundle is in the air.
  public func unbundledOffset(_ offset: Double) -> Double? {
    guard let bundle else { return offset }
    if offset <= Double(bundle.lowerBound - 1) { return offset }
    return offset >= Double(bundle.lowerBound) ? offset + Double(bundledCount) : nil
  }

  /// The page before a leaf of this layout.
  func recto(ofLeaf leaf: Int) -> Int {
    guard let bundle, leaf > bundle.lowerBound else { return 2 * leaf }
    return 2 * (leaf + bundledCount)
  }

  /// The page behind a leaf of this layout.
  func verso(ofLeaf leaf: Int) -> Int {
    guard let bundle, leaf >= bundle.lowerBound else { return 2 * leaf + 1 }
    return 2 * (leaf + bundledCount) + 1
  }
}

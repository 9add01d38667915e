internal import Motion

/// The list of collections: a column of ledges that scrolls vertically.
///
/// All lengths are in stage points. At scroll 0 the first ledge is below the top bar.
struct LedgeList: Equatable, Sendable {
  /// The size of one ledge, which is wide enough for a title and a row of spines on a stage of
  /// 1024.
  static let ledge = Size(width: 944, height: 190)
  /// The distance from the top of one ledge to the top of the next.
  static let pitch = 224.0
  /// The free space above the first ledge, for the bar.
  static let topInset = 92.0
  /// The free space below the last ledge.
  static let bottomInset = 32.0

  let count: Int

  /// The maximum scroll; 0 if everything fits.
  var maximumScroll: Double {
    let content =
      Self.topInset + Double(count - 1) * Self.pitch + Self.ledge.height + Self.bottomInset
    return max(0, content - Stage.size.height)
  }

  /// Returns the y of a ledge's centre, from the centre of the stage.
  func y(of index: Int, scroll: Double) -> Double {
    Self.topInset + Self.ledge.height / 2 + Double(index) * Self.pitch - Stage.size.height / 2
      - scroll
  }

  /// Returns the ledges whose centres are within `reach` of the stage's centre, and at most one
  /// more at each end.
  func indices(within reach: Double, scroll: Double) -> Range<Int> {
    let first = y(of: 0, scroll: scroll)
    func index(_ y: Double) -> Int {
      Int(min(max((y - first) / Self.pitch, 0), Double(count)).rounded(.up))
    }
    return max(0, index(-reach) - 1)..<min(count, index(reach) + 1)
  }

  /// Returns the index of the ledge at a point of the stage; nil if there is none.
  func index(at point: Point, scroll: Double) -> Int? {
    guard abs(point.x) <= Self.ledge.width / 2 else { return nil }
    let fromFirst = (point.y - y(of: 0, scroll: scroll)) / Self.pitch
    guard fromFirst.isFinite, abs(fromFirst) < 1e6 else { return nil }
    let index = Int(fromFirst.rounded())
    guard index >= 0, index < count,
      abs(point.y - y(of: index, scroll: scroll)) <= Self.ledge.height / 2
    else { return nil }
    return index
  }

  /// Returns the scroll nearest to the present one at which a ledge is completely in view.
  func scroll(showing index: Int, from scroll: Double) -> Double {
    let top = Double(index) * Self.pitch
    let bottom =
      top + Self.ledge.height + Self.topInset + Self.bottomInset - Stage.size.height
    return min(max(min(max(scroll, bottom), top), 0), maximumScroll)
  }
}

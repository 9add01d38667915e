internal import Motion
package import Scene

/// The places at which a window that is fitted to the pages of the flat book rests, in the order in
/// which they are read.
///
/// Each place shows a part of a page, from its top to its bottom; parts overlap a little, so that a
/// line that is cut at the edge of one is whole in the next.
package struct FitPlan: Equatable, Sendable {
  /// One place.
  package struct Stop: Equatable, Sendable {
    /// The page, or the first of both.
    package let page: Framing.Page
    /// The zoom and pan over the framing.
    package let view: ZoomTransform
  }

  /// The pages of a spread that are not blank.
  package struct Pages: Equatable, Sendable {
    /// Whether the sides have a page.
    package var hasFirst, hasSecond: Bool
    /// Whether one wide page takes both sides.
    package var isWide: Bool

    /// Creates the pages of a spread.
    package init(hasFirst: Bool = true, hasSecond: Bool = true, isWide: Bool = false) {
      (self.hasFirst, self.hasSecond, self.isWide) = (hasFirst, hasSecond, isWide)
    }
  }

  /// The places, which all have the same zoom; at least one.
  package let stops: [Stop]
  /// Whether each place shows one page.
  package let showsOnePage: Bool

  /// The zoom of all places.
  package var zoom: Double { stops[0].view.zoom }

  /// Returns the index of the place that is nearest to a view.
  package func nearest(to view: ZoomTransform) -> Int {
    func distance(_ index: Int) -> Double {
      let stop = stops[index].view
      return abs(stop.x - view.x) + abs(stop.y - view.y)
    }
    return stops.indices.min { distance($0) < distance($1) } ?? 0
  }

  /// Returns whether a view has the zoom of the places.
  package func holds(_ view: ZoomTransform) -> Bool {
    abs(view.zoom / zoom - 1) < Self.zoomTolerance
  }

  /// The relative difference up to which two zooms count as equal.
  private static let zoomTolerance = 0.02
}

extension FitPlan {
  /// The fraction of the window by which the next part of a page moves on.
  private static let onward = 0.9
  /// The number of halves of a page, with what they share, that are as high as the page.
  private static let halves = 0.52
  /// The space beside the words in the window of a phone, and in a larger one, in CSS pixels.
  private static let margins = (phone: 1.0, large: 24.0)

  /// Returns the places of a window over a stage; nil if it shows the whole book.
  /// - Parameters:
  ///   - fit: What fills the window.
  ///   - stage: The stage.
  ///   - pages: The pages of the open spread.
  ///   - framing: The member's framing.
  ///   - viewport: The member's window.
  package init?(
    _ fit: Fit,
    over stage: Stage,
    pages: Pages,
    framing: Framing,
    in viewport: Viewport
  ) {
    guard fit.span != .whole, stage.isOpenFlat, viewport.size.width > 0, viewport.size.height > 0
    else { return nil }
    let isTall = Framing.isTall(viewport)
    let sides: [Framing.Page]
    if isTall {
      sides = [framing.pageAtRest]
    } else if fit.span == .spread || pages.isWide || !(pages.hasFirst || pages.hasSecond) {
      sides = []
    } else {
      sides = (pages.hasFirst ? [.first] : []) + (pages.hasSecond ? [.second] : [])
    }
    let window = Window(viewport, framing: framing.goal)
    let words = fit.span == .words && !pages.isWide ? fit.words : .page
    var stops: [Stop] = []
    var zoom: Double?
    for side in sides.isEmpty ? [nil] : sides.map(Optional.some) {
      let part = Part(of: side, stage: stage, words: words)
      let scale = zoom ?? window.scale(of: part, fit.span, margin: Self.margin(fit, viewport))
      zoom = scale
      stops += Self.tops(of: part, span: fit.span, scale: scale, in: window).map {
        Stop(page: side ?? .first, view: window.view(of: Point(x: part.x, y: $0), scale: scale))
      }
    }
    self.stops = stops
    showsOnePage = !sides.isEmpty
  }

  private static func margin(_ fit: Fit, _ viewport: Viewport) -> Double {
    guard fit.span == .words else { return 0 }
    return Framing.isPhone(viewport) ? margins.phone : margins.large
  }

  /// Returns the stage points, from the top, that the places show in the middle of the window.
  private static func tops(
    of part: Part,
    span: Fit.Span,
    scale: Double,
    in window: Window
  ) -> [Double] {
    let shown = window.height / scale
    let hidden = part.height - shown
    guard hidden * scale > 1 else { return [(part.top + part.bottom) / 2] }
    let more = span == .half ? 1 : (hidden / (onward * shown) - 1e-6).rounded(.up)
    // A page that is far higher than wide has no more places than anybody turns through.
    let count = Int(min(max(more, 1), partsMax))
    return (0...count).map { part.top + shown / 2 + hidden * Double($0) / Double(count) }
  }

  private static let partsMax = 50.0

  /// The part of a spread that fills the window's width, in stage points.
  private struct Part {
    /// The middle, from the spine.
    var x: Double
    var width: Double
    var top, bottom: Double

    var height: Double { bottom - top }

    init(of side: Framing.Page?, stage: Stage, words: Fit.Words) {
      let reach = stage.flatReach
      top = (2 * words.top - 1) * reach.height
      bottom = (2 * words.bottom - 1) * reach.height
      guard let side else {
        (x, width) = (0, 2 * reach.width)
        return
      }
      let edge = side.isLeft(in: stage) ? -reach.width : 0
      x = edge + (words.left + words.right) / 2 * reach.width
      width = (words.right - words.left) * reach.width
    }
  }

  /// The part of a window between its bars.
  private struct Window {
    /// CSS pixels.
    var width, height: Double
    /// How far its middle is below the window's, in CSS pixels.
    var down: Double
    /// CSS pixels per point of the window.
    var unit: Double
    var framing: ZoomTransform

    init(_ viewport: Viewport, framing: ZoomTransform) {
      let bars = Framing.bars(aroundBookIn: viewport)
      width = viewport.size.width
      height = max(viewport.size.height - bars.top - bars.foot, 1)
      down = (bars.top - bars.foot) / 2
      unit = Camera(viewport: viewport).scale
      self.framing = framing
    }

    /// Returns the CSS pixels per stage point at which a part fills the window.
    func scale(of part: Part, _ span: Fit.Span, margin: Double) -> Double {
      var scale = max(width - 2 * margin, 1) / max(part.width, 1)
      if span == .half { scale = min(scale, height / max(halves * part.height, 1)) }
      let zoom = ZoomView.rested(scale / (unit * framing.zoom))
      return zoom * unit * framing.zoom
    }

    /// Returns the zoom and pan at which a point of the stage is in the middle.
    func view(of point: Point, scale: Double) -> ZoomTransform {
      let zoom = scale / (unit * framing.zoom)
      return ZoomTransform(
        zoom: zoom,
        x: -zoom * (framing.zoom * point.x + framing.x),
        y: down / unit - zoom * (framing.zoom * point.y + framing.y)
      )
    }
  }
}

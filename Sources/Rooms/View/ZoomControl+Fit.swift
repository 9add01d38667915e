internal import Motion
internal import Scene
internal import Staging

/// A window whose width is filled by pages or words: it moves through the parts of each page.
extension ZoomControl {
  /// The places at which the window rests over a stage; nil if it shows the whole book.
  func plan(over stage: Stage) -> FitPlan? {
    FitPlan(fit.choice, over: stage, pages: fit.pages, framing: framing, in: viewport)
  }

  /// Returns whether the pages fill the window as the member has chosen, not magnified further.
  func isFitted(over stage: Stage) -> Bool { plan(over: stage)?.holds(view.goal) ?? false }

  /// Returns whether the member has zoomed in from what the window shows otherwise.
  func isMagnified(over stage: Stage) -> Bool { view.isZoomed && !isFitted(over: stage) }

  /// The zoom from which a page counts as magnified.
  func usualZoom(over stage: Stage) -> Double { plan(over: stage)?.zoom ?? 1 }

  /// The page of the open book that the window shows at rest; nil if it shows both.
  func shownPage(over stage: Stage) -> Framing.Page? {
    guard stage.openBook != nil else { return nil }
    if Framing.isTall(viewport) { return framing.pageAtRest }
    guard let plan = plan(over: stage), plan.showsOnePage, fit.isInForce else { return nil }
    return nearestStop(of: plan).page
  }

  /// Changes how the window shows the pages.
  mutating func choose(_ choice: Fit, over stage: Stage, at now: Double) {
    guard choice != fit.choice else { return }
    let place = currentStop(over: stage)?.page
    fit.choice = choice
    guard stage.isOpenFlat, !view.isHeld else { return }
    fit.isInForce = plan(over: stage) != nil
    if fit.isInForce {
      showStart(of: place ?? framing.pageAtRest, over: stage, at: now)
    } else {
      view.goAway(at: now)
    }
  }

  /// The part of a page where the window enters it.
  enum Entry { case start, end }

  /// Moves to the first or the last part of a page, or to the corner where it begins if it is
  /// magnified.
  mutating func showStart(
    of page: Framing.Page,
    from entry: Entry = .start,
    over stage: Stage,
    at now: Double
  ) {
    guard let plan = plan(over: stage) else {
      if view.isZoomed {
        view.showTop(atLeft: !page.isLeft(in: stage), over: bounds(over: stage), at: now)
      }
      return
    }
    let stops = plan.stops.filter { $0.page == page || !plan.showsOnePage }
    let stop = (entry == .start ? stops.first : stops.last) ?? plan.stops[0]
    view.go(to: stop.view, at: now)
  }

  /// Moves to the next or the previous part of the spread.
  /// - Returns: Whether there is one.
  mutating func stepThroughParts(_ step: Int, over stage: Stage, at now: Double) -> Bool {
    guard let plan = plan(over: stage), plan.holds(view.goal), !view.isHeld else { return false }
    let next = plan.nearest(to: view.goal) + step.signum()
    guard plan.stops.indices.contains(next) else { return false }
    view.go(to: plan.stops[next].view, at: now)
    return true
  }

  /// Ends what the member has magnified: the window shows the nearest part of a page, or the whole
  /// stage.
  mutating func goBack(over stage: Stage, at now: Double) {
    guard let plan = plan(over: stage) else { return view.goAway(at: now) }
    view.go(to: nearestStop(of: plan).view, at: now)
  }

  /// The place at which the window is or will be; nil if it shows the whole book.
  func currentStop(over stage: Stage) -> FitPlan.Stop? {
    plan(over: stage).map { nearestStop(of: $0) }
  }

  /// Returns the place whose middle is nearest to that of the window, at any zoom.
  private func nearestStop(of plan: FitPlan) -> FitPlan.Stop {
    let goal = view.goal
    let ratio = plan.zoom / goal.zoom
    let scaled = ZoomTransform(zoom: plan.zoom, x: goal.x * ratio, y: goal.y * ratio)
    return plan.stops[plan.nearest(to: scaled)]
  }

  /// Fits a book that has been laid flat, or another spread, to the window.
  mutating func refit(_ stage: Stage, turned: Int, at now: Double) {
    let wanted = fit.wanted
    if turned != 0 { fit.wanted = nil }
    guard let plan = plan(over: stage), !view.isHeld else { return }
    let isNew = !fit.isInForce
    fit.isInForce = true
    if isNew { return showStart(of: wanted ?? framing.pageAtRest, over: stage, at: now) }
    // A member who has zoomed out from the chosen fit keeps the zoom.
    guard turned != 0, view.isZoomed || plan.holds(view.goal) else { return }
    let isBack = turned == -1 && wanted == nil
    let page = wanted ?? (isBack ? .second : .first)
    if isMagnified(over: stage) {
      view.showTop(atLeft: !isBack != stage.isMirrored, over: bounds(over: stage), at: now)
    } else {
      let shown = Framing.isTall(viewport) ? framing.pageAtRest : page
      showStart(of: shown, from: isBack ? .end : .start, over: stage, at: now)
    }
  }
}

// MARK: - Wheels

extension ZoomControl {
  /// How long a wheel must rest at the end of a page before it turns a leaf, in seconds.
  private static let endPause = 0.25

  /// Scrolls by a wheel event.
  /// - Returns: Whether the event moves the zoom; if not, it is for the stage.
  mutating func scroll(dx: Double, dy: Double, over stage: Stage, at now: Double) -> Bool {
    guard view.isZoomed, !view.isHeld else { return view.isHeld }
    let field = bounds(over: stage)
    if isFitted(over: stage) {
      if abs(dx) > abs(dy) { return false }
      let isAtEnd = view.isAtHeight(dy > 0 ? -1 : 1, over: field)
      let rested = now - scrollTime
      // The momentum of a trackpad that has reached the end of a page does not turn it.
      if !isAtEnd || rested < Self.endPause { scrollTime = now }
      if isAtEnd { return rested < Self.endPause }
    }
    let scale = window.scale
    let across = isFitted(over: stage) ? 0 : dx
    view.scroll(dx: across / scale, dy: dy / scale, over: field, at: now)
    return true
  }
}

internal import Scene
internal import Staging

/// What the stage does, and the window follows.
extension ZoomControl {
  /// Follows a change of the stage: the zoom moves to the page that is turned to, and ends when the
  /// book no longer lies flat.
  /// - Parameters:
  ///   - stage: The current stage.
  ///   - turned: How many leaves were turned, negative for backwards.
  ///   - holds: Whether a finger of the member holds the stage.
  ///   - now: The current time, in seconds.
  /// - Returns: Whether the zoom or the framing has changed.
  mutating func follow(_ stage: Stage, turned: Int, holds: Bool, at now: Double) -> Bool {
    if stage.openBook == nil { fit = FitControl() } else { beginReading() }
    let page = framing.pageAtRest
    let isReframed = framing.follow(stage, in: viewport, turned: turned, holds: holds, at: now)
    let before = view
    if !stage.isOpenFlat {
      fit.isInForce = false
      guard !view.isAway else { return isReframed }
      view.goAway(at: now)
      if target == .zoom { target = .nobody }
    } else if fit.choice.span != .whole {
      refit(stage, turned: turned, at: now)
      if turned == 0, page != framing.pageAtRest {
        showStart(of: framing.pageAtRest, over: stage, at: now)
      }
    } else if turned != 0, view.isZoomed {
      let isAtLeft = stage.step(towards: 1) == turned.signum()
      view.showTop(atLeft: isAtLeft, over: bounds(over: stage), at: now)
    }
    if view.isHeld, target == .nobody, !stage.isDriven {
      // The wheel that laid the book flat and continued has ended.
      view.letGo(cancelled: true, over: bounds(over: stage), at: now)
    }
    return isReframed || view != before
  }

  /// Shows the page that is read first of a book that has been opened: not the blank inside of its
  /// cover.
  private mutating func beginReading() {
    guard !fit.isOpen else { return }
    fit.isOpen = true
    if !fit.pages.hasFirst, fit.pages.hasSecond { framing.begin(at: .second) }
  }

  /// Looks at a page of the open spread, from its top if the view is zoomed.
  /// - Returns: Whether the window has changed.
  mutating func look(
    at page: Framing.Page,
    of stage: Stage,
    from entry: Entry = .start,
    at now: Double
  ) -> Bool {
    if Framing.isTall(viewport) {
      guard framing.look(at: page, of: stage, in: viewport, at: now) else { return false }
    } else {
      guard let shown = shownPage(over: stage), shown != page, !view.isHeld else { return false }
    }
    showStart(of: page, from: entry, over: stage, at: now)
    return true
  }

  /// Shows a page after the jump to it that follows.
  mutating func want(_ page: Framing.Page) {
    framing.want(page)
    fit.wanted = page
  }

  /// Shows the stage in a new window, or another stage.
  mutating func reframe(over stage: Stage, at now: Double) {
    if stage.openBook != nil { beginReading() }
    let stop = fit.isInForce ? currentStop(over: stage) : nil
    framing.show(stage, in: viewport)
    if let stop, !view.isHeld, let plan = plan(over: stage) {
      let places = plan.stops.filter { $0.page == stop.page }
      return view.go(to: (places.first ?? plan.stops[0]).view, at: now)
    }
    view.stayWithin(bounds(over: stage), at: now)
  }
}

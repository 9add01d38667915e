internal import Scene
internal import Staging

/// What of the library a stage shows, in which order, and when it shows a change.
///
/// A change waits until the stage rests, so that nothing is taken out of anybody's hand. An order
/// or a filter is worked out elsewhere first: ``step(at:over:rests:isTouched:)`` tells what to do
/// next. Times are seconds of the room's clock.
struct LibrarySelection: Sendable {
  /// How long a change waits for the stage to rest, in seconds.
  static let restSeconds = 2.0
  /// How long it waits for fingers to be lifted, in seconds: longer than anybody holds a leaf.
  static let heldSeconds = 30.0
  /// The least time between two changes that are shown, in seconds: a filter keeps up with typing,
  /// and nobody keeps a server busy sorting.
  static let changeSeconds = 0.2

  /// What is shown: the library in the members' arrangement.
  private(set) var shown: ShownLibrary
  /// The library as it is.
  private(set) var library: ShownLibrary
  /// The order and the filter that the members have chosen.
  private(set) var arrangement = Arrangement()
  /// The library when its books were last put in the order in which they were read.
  private var timed: ShownLibrary?
  /// Whether the books are to be put in that order anew.
  private var ordersAnew = false
  /// The arrangement that is being worked out.
  private var asked: ArrangementRequest?
  /// The last arrangement that was worked out.
  private var prepared: (request: ArrangementRequest, library: ShownLibrary)?
  /// A change that waits to be shown.
  private var change: Change?
  /// When a change was shown last.
  private var changeTime = -Double.infinity

  private struct Change: Sendable {
    /// Since when it waits.
    var since: Double
    /// When it is shown even over fingers that hold something.
    var limit: Double
    /// When it may be shown; nil while its arrangement is being worked out.
    var wakeTime: Double?
  }

  /// What a stage has to do for a change that waits.
  enum Step {
    /// Nothing until ``LibrarySelection/wakeTime``.
    case wait
    /// Work out an arrangement and give it to ``LibrarySelection/take(_:for:)``.
    case ask(ArrangementRequest)
    /// Close the open book, which this library does not have; if there is nothing to close, show
    /// the library.
    case closeBook(before: ShownLibrary)
    /// Show this library.
    case show(ShownLibrary)
  }

  /// Shows a whole library, as it is.
  init(_ library: ShownLibrary) { (shown, self.library) = (library, library) }

  /// Whether a change waits to be shown.
  var isWaiting: Bool { change != nil }

  /// When ``step(at:over:rests:isTouched:)`` has something to do; nil if only ``take(_:for:)`` goes
  /// on, or nothing waits.
  var wakeTime: Double? { change?.wakeTime }
}

// MARK: - Changes

extension LibrarySelection {
  /// Takes another state of the library.
  /// - Parameters:
  ///   - library: The library as it is now.
  ///   - waits: Whether the change waits to be shown; otherwise it shows with the next one.
  ///   - now: When, in seconds.
  /// - Returns: Whether it waits.
  mutating func replace(_ library: ShownLibrary, waits: Bool, at now: Double) -> Bool {
    self.library = library
    if waits { wait(from: now) }
    return waits
  }

  /// Takes another library in its own order, which is to be shown at once.
  mutating func exchange(_ library: ShownLibrary) {
    self.library = library
    arrangement = Arrangement()
    change = nil
  }

  /// Takes another order or filter.
  /// - Returns: Whether anything is to change.
  mutating func arrange(_ arrangement: Arrangement, at now: Double) -> Bool {
    // The arrangement of before changes nothing, except that books were read meanwhile.
    guard arrangement != self.arrangement || arrangement.order == .lastRead else { return false }
    ordersAnew = true
    self.arrangement = arrangement
    wait(from: now)
    return true
  }

  /// Puts the books in the order in which they were read, because their list comes into view.
  mutating func openList(at now: Double) {
    guard arrangement.order == .lastRead, library != timed else { return }
    ordersAnew = true
    wait(from: now)
  }

  private mutating func wait(from now: Double) {
    var change = change ?? Change(since: now, limit: now + Self.heldSeconds)
    change.wakeTime = change.since + Self.restSeconds
    self.change = change
  }

  /// Notes that the change that waited is shown.
  mutating func endWait(at now: Double) {
    change = nil
    changeTime = now
  }

  /// Notes that a library is shown.
  /// - Returns: Whether it is another than before.
  mutating func show(_ library: ShownLibrary) -> Bool {
    guard library != shown else { return false }
    shown = library
    return true
  }

  /// Notes that a library is shown with another stage, whatever waited to be shown.
  mutating func present(_ library: ShownLibrary) {
    shown = library
    change = nil
  }
}

// MARK: - Showing them

extension LibrarySelection {
  /// Tells what the change that waits needs next.
  /// - Parameters:
  ///   - now: When, in seconds.
  ///   - stage: The stage that shows the library.
  ///   - rests: Whether nothing moves on it, and its last frame is seen.
  ///   - isTouched: Whether a finger lies on it, which may yet become a tap on what is seen.
  /// - Returns: What the stage has to do.
  mutating func step(
    at now: Double,
    over stage: Stage,
    rests: Bool,
    isTouched: Bool
  ) -> Step {
    guard let since = change?.since, let limit = change?.limit else { return .wait }
    guard now >= changeTime + Self.changeSeconds else {
      let next = min(wakeTime ?? .infinity, changeTime + Self.changeSeconds)
      change?.wakeTime = next
      return .wait
    }
    let isLate = now >= since + Self.restSeconds
    guard (rests && !isTouched) || isLate else {
      change?.wakeTime = since + Self.restSeconds
      return .wait
    }
    if isLate, stage.isDriven || isTouched, now < limit {
      change?.since = now
      change?.wakeTime = now + Self.restSeconds
      return .wait
    }
    if ordersAnew {
      if arrangement.order == .lastRead { timed = library }
      ordersAnew = false
    }
    guard let next = arranged(keeping: stage.openBook) else {
      change?.wakeTime = nil
      return ask(keeping: stage.openBook)
    }
    if !isLate, !stage.hasOpenBook(in: next.layout) { return .closeBook(before: next) }
    return .show(next)
  }

  /// The library as it is to be shown.
  /// - Parameter kept: The id of a book that is shown whatever the filter says; nil for none.
  /// - Returns: The library; nil if its arrangement has not been worked out.
  func arranged(keeping kept: String?) -> ShownLibrary? {
    if arrangement.isPlain { return library }
    guard let prepared, prepared.request == request(keeping: kept) else { return nil }
    return prepared.library
  }

  private func request(keeping kept: String?) -> ArrangementRequest {
    ArrangementRequest(
      library: library,
      timed: arrangement.order == .lastRead ? timed : nil,
      arrangement: arrangement,
      kept: kept
    )
  }

  private mutating func ask(keeping kept: String?) -> Step {
    let request = request(keeping: kept)
    guard asked != request else { return .wait }
    asked = request
    return .ask(request)
  }

  /// Takes an arrangement that was worked out.
  /// - Returns: Whether it is the one that was last asked for; any other is ignored.
  mutating func take(_ library: ShownLibrary, for request: ArrangementRequest) -> Bool {
    guard request == asked else { return false }
    asked = nil
    prepared = (request, library)
    return true
  }

  /// Forgets the arrangements that were asked for in the name of another stage.
  mutating func forgetRequests() { (asked, prepared) = (nil, nil) }
}

internal import Scene
internal import Staging

/// The part of the library that a stage shows, its order, and when changes to it are shown.
///
/// A change waits until the stage rests, so that nothing disappears while a member holds it. An
/// order or a filter is first computed elsewhere; ``step(at:over:rests:isTouched:)`` returns what
/// to do next. Times are seconds of the room's clock.
struct LibrarySelection: Sendable {
  /// How long a change waits for the stage to rest, in seconds.
  static let restSeconds = 2.0
  /// How long a change waits for fingers to be lifted, in seconds: longer than anybody holds a
  /// leaf.
  static let heldSeconds = 30.0
  /// The least time between two changes that are shown, in seconds: short enough for a filter to
  /// keep up with typing, and long enough that nobody can keep a server busy sorting.
  static let changeSeconds = 0.2

  /// What is shown: the library in the members' arrangement.
  private(set) var shown: ShownLibrary { didSet { changeCount &+= 1 } }
  /// The current state of the library.
  private(set) var library: ShownLibrary { didSet { changeCount &+= 1 } }
  /// How often any of the two has changed.
  private(set) var changeCount = 0
  /// The order and the filter that the members have chosen.
  private(set) var arrangement = Arrangement()
  /// The library as it was when its books were last sorted by reading time.
  private var timed: ShownLibrary?
  /// Whether to sort by the latest reading times when the next change is shown.
  private var ordersAnew = false
  /// The arrangement that was requested and is being computed.
  private var asked: ArrangementRequest?
  /// The last arrangement that was computed.
  private var prepared: (request: ArrangementRequest, library: ShownLibrary)?
  /// The change that waits to be shown.
  private var change: Change?
  /// When a change was shown last.
  private var changeTime = -Double.infinity

  private struct Change: Sendable {
    /// A change that waits until an open book is closed, however long that takes.
    static let untilBookCloses = Change(since: .infinity, limit: .infinity)

    /// When the wait began.
    var since: Double
    /// When it is shown even if fingers hold something.
    var limit: Double
    /// When to try to show it; nil while its arrangement is being computed.
    var wakeTime: Double?
  }

  /// What a stage has to do for a waiting change.
  enum Step {
    /// Nothing until ``LibrarySelection/wakeTime``.
    case wait
    /// Compute an arrangement and pass it to ``LibrarySelection/take(_:for:)``.
    case ask(ArrangementRequest)
    /// Close the open book, which this library does not contain; if there is nothing to close, show
    /// the library.
    case closeBook(before: ShownLibrary)
    /// Show this library.
    case show(ShownLibrary)
  }

  /// Creates a selection that shows a whole library in its own order.
  init(_ library: ShownLibrary) { (shown, self.library) = (library, library) }

  /// Whether a change waits to be shown.
  var isWaiting: Bool { change != nil }

  /// When ``step(at:over:rests:isTouched:)`` has something to do; nil if nothing waits, or if
  /// ``take(_:for:)`` has to be called first.
  var wakeTime: Double? { change?.wakeTime }
}

// MARK: - Changes

extension LibrarySelection {
  /// Stores another state of the library.
  /// - Parameters:
  ///   - library: The current state of the library.
  ///   - waits: Whether the change waits to be shown; otherwise it is shown with the next change.
  ///   - now: The current time, in seconds.
  /// - Returns: Whether the change waits.
  mutating func replace(_ library: ShownLibrary, waits: Bool, at now: Double) -> Bool {
    self.library = library
    if waits { wait(from: now) }
    return waits
  }

  /// Stores another library in its own order, which is to be shown at once.
  mutating func exchange(_ library: ShownLibrary) {
    self.library = library
    arrangement = Arrangement()
    change = nil
  }

  /// Stores another order or filter.
  /// - Returns: Whether anything has to change.
  mutating func arrange(_ arrangement: Arrangement, at now: Double) -> Bool {
    // The same arrangement changes nothing, unless books may have been read in the meantime.
    guard arrangement != self.arrangement || arrangement.order == .lastRead else { return false }
    ordersAnew = true
    self.arrangement = arrangement
    wait(from: now)
    return true
  }

  /// Sorts the books by reading time again, because their list comes into view.
  mutating func openList(at now: Double) {
    guard arrangement.order == .lastRead, library != timed else { return }
    ordersAnew = true
    wait(from: now)
  }

  private mutating func wait(from now: Double) {
    guard let change else { return beginWait(at: now) }
    self.change?.wakeTime = change.since + Self.restSeconds
  }

  private mutating func beginWait(at now: Double) {
    change = Change(since: now, limit: now + Self.heldSeconds, wakeTime: now + Self.restSeconds)
  }

  /// Records that the waiting change is shown.
  mutating func endWait(at now: Double) {
    change = nil
    changeTime = now
  }

  /// Records that a library is shown.
  /// - Returns: Whether it differs from the library before.
  mutating func show(_ library: ShownLibrary) -> Bool {
    guard library != shown else { return false }
    shown = library
    return true
  }

  /// Records that a library is shown with another stage, and discards the waiting change.
  mutating func present(_ library: ShownLibrary) {
    shown = library
    change = nil
  }
}

// MARK: - Showing them

extension LibrarySelection {
  /// Returns what the waiting change needs next.
  /// - Parameters:
  ///   - now: The current time, in seconds.
  ///   - stage: The stage that shows the library.
  ///   - rests: Whether nothing moves on the stage, and its last frame has been seen.
  ///   - isTouched: Whether a finger is on it, which may still become a tap on what is visible.
  /// - Returns: What the stage has to do.
  mutating func step(at now: Double, over stage: Stage, rests: Bool, isTouched: Bool) -> Step {
    if isWaiting, keepsBook(of: stage) {
      change = .untilBookCloses
      return .wait
    }
    // The reader has closed the book.
    if change?.since == .infinity { beginWait(at: now) }
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

  /// Whether a stage has a book open whose file is gone; it stays until it is closed.
  func keepsBook(of stage: Stage) -> Bool { stage.openBook.map(library.missing.contains) ?? false }

  /// Returns the library in the arrangement that is to be shown.
  /// - Parameter kept: The id of a book that is shown regardless of the filter; nil for none.
  /// - Returns: The library; nil if its arrangement has not been computed.
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

  /// Stores an arrangement that was computed.
  /// - Returns: Whether it is the one that was requested last; any other is ignored.
  mutating func take(_ library: ShownLibrary, for request: ArrangementRequest) -> Bool {
    guard request == asked else { return false }
    asked = nil
    prepared = (request, library)
    return true
  }

  /// Discards the arrangements that were requested for another stage.
  mutating func forgetRequests() { (asked, prepared) = (nil, nil) }
}

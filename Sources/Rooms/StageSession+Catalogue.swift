internal import Scene
internal import Staging
internal import Wire

/// The library that changes under the readers, and the order that they want it in.
extension StageSession {
  /// How long another catalogue waits for the stage to rest, in seconds.
  static let catalogueSeconds = 2.0
  /// How long it waits for fingers to be lifted, in seconds: longer than anybody holds a leaf.
  static let catalogueHeldSeconds = 30.0

  /// The least time between two catalogues that are shown because somebody arranged them, in
  /// seconds: whoever types a filter sees it keep up, and nobody keeps a server busy sorting.
  static let arrangeSeconds = 0.2

  /// Takes another state of the library; it is shown when the stage rests.
  /// - Parameters:
  ///   - library: The library as it is now.
  ///   - isReadingAlone: Whether books differ in nothing but when they were read last; they are
  ///     then not put in another order under the reader.
  ///   - now: When, in seconds.
  ///   - effects: Takes what is to be sent.
  mutating func replace(
    library: ShownLibrary,
    isReadingAlone: Bool,
    now: Double,
    into effects: inout Effects
  ) {
    self.library = library
    guard !isReadingAlone, playback == nil else { return }
    wait(now: now)
    refreshCatalogue(now: now, into: &effects)
  }

  /// Takes another state of the library and shows it at once, whatever moves.
  /// - Parameters:
  ///   - library: The library as it is now.
  ///   - keepsFingers: Whether fingers that are down go on with what they hold.
  ///   - now: When, in seconds.
  ///   - effects: Takes what is to be sent.
  mutating func exchange(
    library: ShownLibrary,
    keepsFingers: Bool = false,
    now: Double,
    into effects: inout Effects
  ) {
    self.library = library
    arrangement = Arrangement()
    (catalogueWaits, catalogueWake) = (nil, nil)
    guard playback == nil else { return }
    show(library, keepsFingers: keepsFingers, now: now, into: &effects)
  }

  /// Lays the library out anew.
  mutating func arrange(_ arrangement: Arrangement, now: Double, into effects: inout Effects) {
    // What holds already changes nothing, but that books were read meanwhile.
    guard arrangement != self.arrangement || arrangement.order == .lastRead else { return }
    ordersAnew = true
    self.arrangement = arrangement
    wait(now: now)
    refreshCatalogue(now: now, into: &effects)
  }

  /// A reader who comes to the list finds the books in order.
  mutating func openedList(now: Double) {
    // A recording has its own library; what it shows is not put in order.
    guard arrangement.order == .lastRead, playback == nil else { return }
    guard library != orderedLibrary else { return }
    ordersAnew = true
    wait(now: now)
  }

  mutating func wait(now: Double) {
    if catalogueWaits == nil { catalogueLimit = now + Self.catalogueHeldSeconds }
    let since = catalogueWaits ?? now
    catalogueWaits = since
    catalogueWake = since + Self.catalogueSeconds
  }

  /// Shows the catalogue that waits, if the stage rests or has not come to rest for too long.
  /// - Returns: Whether it was shown, or an open book closes for it.
  @discardableResult
  mutating func refreshCatalogue(now: Double, into effects: inout Effects) -> Bool {
    guard let since = catalogueWaits, playback == nil else { return false }
    // A finger that lies still may yet be a tap on what it sees.
    let isTouched = members.contains { $0.view.isTouched }
    // Of several that come one after another the last is shown.
    guard now >= catalogueTime + Self.arrangeSeconds else {
      catalogueWake = min(catalogueWake ?? .infinity, catalogueTime + Self.arrangeSeconds)
      return false
    }
    let rests = stage.isSettled(at: now) && frameTime <= now && !isTouched
    let isLate = now >= since + Self.catalogueSeconds
    guard rests || isLate else {
      catalogueWake = since + Self.catalogueSeconds
      return false
    }
    if isLate, stage.isDriven || isTouched, now < catalogueLimit {
      // Nothing is taken out of anybody's hand because a book came in.
      catalogueWaits = now
      catalogueWake = now + Self.catalogueSeconds
      return false
    }
    if ordersAnew {
      if arrangement.order == .lastRead { orderedLibrary = library }
      ordersAnew = false
    }
    guard let next = arranged(keeping: stage.openBook) else {
      // The answer comes back by take(_:for:now:into:).
      catalogueWake = nil
      ask(into: &effects)
      return false
    }
    if !isLate, !stage.hasOpenBook(in: next.layout) {
      // A book that is no longer there is closed first, a step at a time.
      if apply(.key(.escape), at: now, into: &effects) {
        answer(changed: true, target: now, now: now, into: &effects)
        return true
      }
    }
    catalogueWaits = nil
    catalogueWake = nil
    catalogueTime = now
    show(next, now: now, into: &effects)
    return true
  }

  // MARK: Arranging, elsewhere

  private func request(keeping kept: String?) -> ArrangementRequest {
    let timed = arrangement.order == .lastRead ? orderedLibrary : nil
    return ArrangementRequest(
      library: library,
      timed: timed,
      arrangement: arrangement,
      kept: kept
    )
  }

  /// The library as it is to be shown; nil if it has to be arranged for that first.
  func arranged(keeping kept: String?) -> ShownLibrary? {
    if arrangement.isPlain { return library }
    guard let prepared, prepared.request == request(keeping: kept) else { return nil }
    return prepared.library
  }

  private mutating func ask(into effects: inout Effects) {
    let request = request(keeping: stage.openBook)
    guard asked != request else { return }
    asked = request
    effects.list.append(.arrange(request, room: room, reader: reader))
  }

  /// Takes a library that was arranged as it was asked for, and shows it when the stage rests.
  mutating func take(
    _ library: ShownLibrary,
    for request: ArrangementRequest,
    now: Double,
    into effects: inout Effects
  ) {
    guard request == asked else { return }
    asked = nil
    prepared = (request, library)
    refreshCatalogue(now: now, into: &effects)
  }

  private mutating func show(
    _ next: ShownLibrary,
    keepsFingers: Bool = false,
    now: Double,
    into effects: inout Effects
  ) {
    let isOther = next != shown
    if isOther {
      lastInputTime = max(lastInputTime, now)
      stage.replace(library: next.layout, at: lastInputTime)
      if notes {
        effects.list.append(.noteLibrary(next.layout.outline, room: room, time: lastInputTime))
      }
      shown = next
      refreshElements(into: &effects)
      holder = nil
      imagesAsked = nil
      for index in members.indices where !keepsFingers {
        // What fingers held is no longer there; they count again when they have been lifted.
        members[index].view.dropHeld()
      }
      zoomSpread = stage.spread
    }
    captionKey = nil
    if encoder.lastNumber != nil {
      updateCaption(at: now, into: &effects)
      updateZooms(at: now, into: &effects)
      if isOther {
        emit(at: max(now, lastInputTime), now: now, into: &effects)
        retireMissing(into: &effects)
        introduceUpcoming(at: now, into: &effects)
      }
    } else {
      updateCaption(at: now, into: &effects)
      frame = stage.frame(at: now)
    }
    scheduleWake(now: now)
  }
}

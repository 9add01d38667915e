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
    library: Catalogue,
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
  mutating func exchange(library: Catalogue, now: Double, into effects: inout Effects) {
    self.library = library
    arrangement = Arrangement()
    (catalogueWaits, catalogueWake) = (nil, nil)
    guard playback == nil else { return }
    show(library, now: now, into: &effects)
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
    let times = library.lastReadTimes
    guard times != orderedTimes else { return }
    orderedTimes = times
    wait(now: now)
  }

  private mutating func wait(now: Double) {
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
    let isTouched = members.contains { $0.recognizer.isTouched }
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
      if arrangement.order == .lastRead { orderedTimes = library.lastReadTimes }
      ordersAnew = false
    }
    let library = arrangement.order == .lastRead ? library.read(at: orderedTimes) : library
    let next = library.arranged(arrangement, keeping: stage.openBook)
    if !isLate, !stage.hasOpenBook(in: next.outline) {
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

  private mutating func show(_ next: Catalogue, now: Double, into effects: inout Effects) {
    if next != catalogue {
      lastInputTime = max(lastInputTime, now)
      let outline = next.outline
      stage.replace(library: outline, at: lastInputTime)
      if notes {
        effects.list.append(.noteLibrary(outline, room: room, time: lastInputTime))
      }
      catalogue = next
      encoder.reset()
      introduced = []
      holder = nil
      for index in members.indices {
        members[index].ready = []
        imagesAsked = nil
        // What fingers held is no longer there; they are understood again when they are lifted.
        members[index].recognizer.forget()
      }
      zoomSpread = stage.spread
    }
    captionKey = nil
    if encoder.lastNumber != nil {
      updateCaption(at: now, into: &effects)
      updateZoomViews(at: now, into: &effects)
      if encoder.needsReset {
        emit(at: max(now, lastInputTime), now: now, into: &effects)
        introduceUpcoming(at: now, into: &effects)
      }
    } else {
      updateCaption(at: now, into: &effects)
      frame = stage.frame(at: now)
    }
    scheduleWake(now: now)
  }
}

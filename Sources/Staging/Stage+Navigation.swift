internal import Motion
internal import Scene

/// The moves that follow the present ones; any other input cancels them.
enum Navigation: Equatable, Sendable {
  /// To a book, which then opens at a page or is in the middle of its shelf.
  case book(BookIndex, opens: Bool, page: Int?)
  /// To the list, once the book is back on its shelf.
  case list
  /// To a collection of the list, by its index, once the last shelf is out of sight.
  case collection(Int)
}

extension Stage {
  /// Starts the navigation to a book; an id that is not in the library is ignored.
  mutating func go(to id: String, opens: Bool, page: Int?, at time: Double) {
    guard !isDriven, let place = library.index(of: id, preferring: collection) else { return }
    navigation = .book(place, opens: opens, page: page)
    pursue(at: time)
  }

  /// Starts the next move of the navigation if the previous one has landed.
  mutating func pursue(at time: Double) {
    guard !isDriven else { return }
    switch navigation {
    case nil: break
    case .book(let place, let opens, let page): pursue(place, opens: opens, page: page, at: time)
    case .list:
      guard !taken.isOut(at: time) else { return }
      navigation = nil
      position.slide(to: 0, at: time)
    case .collection(let index):
      guard position.slide.isSettled(at: time) else { return }
      navigation = nil
      show(index, at: time)
    }
  }

  private mutating func pursue(_ place: BookIndex, opens: Bool, page: Int?, at time: Double) {
    if taken.isOut(at: time) { return pursueWithBook(place, opens: opens, page: page, at: time) }
    guard position.slide.isSettled(at: time) else { return }
    if position.slide.target == 0 {
      guard library.contains(place) else { return navigation = nil }
      position.collection = place.collection
      position.scrollList(showing: collection, at: time)
      position.slide(to: 1, at: time)
    } else if collection != place.collection {
      position.slide(to: 0, at: time)
    } else if centreBook(at: time) != place.book || (opens && position.wall.target != 0) {
      position.scrollShelf(to: place.book, at: time)
      // A book opens from the carousel.
      if opens { position.arrange(as: 0, at: time) }
    } else if position.carousel.isSettled(at: time), position.wall.isSettled(at: time) {
      navigation = nil
      if opens { open(at: time, page: page) }
    }
  }

  private mutating func pursueWithBook(_ place: BookIndex, opens: Bool, page: Int?, at time: Double)
  {
    guard taken.index == place, opens else {
      if taken.opening.target != 0 { taken.close(at: time) }
      return
    }
    navigation = nil
    if taken.opening.target != 1 { open(at: time) }
    if let page { jump(to: page, at: time) }
  }

  /// Opens the book in the middle at a page.
  private mutating func open(at time: Double, page: Int?) {
    open(at: time)
    if let page, taken.isOut(at: time) { taken.leaves.open(atPage: page) }
  }
}

// MARK: - Moves, each of which keeps the position and velocity of what it interrupts

extension Stage {
  /// Opens the book in the middle, or reverses a closing one.
  mutating func open(at time: Double) {
    if takeCentreBook(at: time) { taken.open(at: time) }
  }

  /// Opens a book of the present shelf; from the wall, after it is in the middle of the carousel.
  mutating func open(_ index: Int, at time: Double) {
    let isCarousel = position.wall.isSettled(at: time) && !isWall
    if isCarousel || taken.isOut(at: time) { return open(at: time) }
    guard position.shelf.map({ (0..<$0.count).contains(index) }) == true else { return }
    navigation = .book(BookIndex(collection: collection, book: index), opens: true, page: nil)
    pursue(at: time)
  }

  /// Takes the book in the middle, unless a book is already taken.
  /// - Returns: False if the shelf is empty, or the book cannot be opened.
  mutating func takeCentreBook(at time: Double) -> Bool {
    if taken.isOut(at: time) { return true }
    // For a moving carousel, this is the book at its target, which a tap or Enter meant.
    guard let centre = centreBook(at: time) else { return false }
    position.scrollShelf(to: centre, at: time)
    guard library[BookIndex(collection: collection, book: centre)].isReadable else { return false }
    takeOffShelf(centre)
    return true
  }

  /// Turns the open book to a page, or moves the shelf to the book with that index, unless a finger
  /// drives.
  mutating func jump(to page: Int, at time: Double) {
    if destination == .shelf, !isDriven, !taken.isOut(at: time) {
      return position.scrollShelf(to: page, at: time)
    }
    guard destination == .book, !isDriven, taken.index != nil else {
      return taken.leaves.cancelQueuedJump()
    }
    taken.pastEnd = nil
    taken.leaves.jump(to: page, at: time)
  }
}

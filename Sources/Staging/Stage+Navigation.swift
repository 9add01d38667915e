internal import Bookwork
internal import Motion
internal import Scene

/// A series of moves that leads to a book; any other input cancels it.
struct Navigation: Equatable, Sendable {
  var place: Stage.Place
  var opens: Bool
  var page: Int?
}

extension Stage {
  /// Starts the navigation to a book; an id that is not in the library is ignored.
  mutating func go(to id: String, opens: Bool, page: Int?, at time: Double) {
    guard !isDriven, let place = library.place(of: id) else { return }
    navigation = Navigation(place: place, opens: opens, page: page)
    pursue(at: time)
  }

  /// Starts the next move of the navigation if the previous one has landed.
  mutating func pursue(at time: Double) {
    guard let navigation, !isDriven else { return }
    if taken.isOut(at: time) { return pursueWithBook(navigation, at: time) }
    guard position.slide.isSettled(at: time) else { return }
    if position.slide.target == 0 {
      guard library.contains(navigation.place) else {
        return self.navigation = nil
      }
      position.collection = navigation.place.collection
      scrollList(showing: collection, at: time)
      position.slide(to: 1, at: time)
    } else if collection != navigation.place.collection {
      position.slide(to: 0, at: time)
    } else if centreBook(at: time) != navigation.place.book {
      scrollShelf(to: navigation.place.book, at: time)
    } else if position.carousel.isSettled(at: time) {
      self.navigation = nil
      if navigation.opens { open(at: time, page: navigation.page) }
    }
  }

  private mutating func pursueWithBook(_ navigation: Navigation, at time: Double) {
    guard taken.place == navigation.place, navigation.opens else {
      if taken.opening.target != 0 { taken.close(at: time) }
      return
    }
    self.navigation = nil
    if taken.opening.target != 1 { open(at: time) }
    if let page = navigation.page { jump(to: page, at: time) }
  }

  /// Opens the book in the middle at a page.
  private mutating func open(at time: Double, page: Int?) {
    open(at: time)
    if let page, taken.isOut(at: time) { taken.leaves.open(atPage: page) }
  }
}

// MARK: - Moves, each of which keeps the position and velocity of what it interrupts

extension Stage {
  /// Scrolls the list until a collection is in view.
  mutating func scrollList(showing index: Int, at time: Double) {
    let target = list.scroll(showing: index, from: position.scroll.target)
    position.scroll(to: target, in: list, at: time)
  }

  /// Moves the carousel of the present shelf to a book.
  mutating func scrollShelf(to index: Int, at time: Double) {
    if let shelf { position.scroll(to: index, on: shelf, at: time) }
  }

  /// Opens the book in the middle, or reverses a closing one.
  mutating func open(at time: Double) {
    if takeCentreBook(at: time) { taken.open(at: time) }
  }

  /// Takes the book in the middle, unless a book is already taken.
  /// - Returns: False if the shelf is empty.
  mutating func takeCentreBook(at time: Double) -> Bool {
    if taken.isOut(at: time) { return true }
    // For a moving carousel, this is the book at its target, which a tap or Enter meant.
    guard let centre = centreBook(at: time) else { return false }
    scrollShelf(to: centre, at: time)
    takeOffShelf(centre)
    return true
  }

  /// Turns the open book to a page, unless a finger drives.
  mutating func jump(to page: Int, at time: Double) {
    guard destination == .book, !isDriven, taken.place != nil else {
      return taken.leaves.cancelQueuedJump()
    }
    taken.leaves.jump(to: page, at: time)
  }
}

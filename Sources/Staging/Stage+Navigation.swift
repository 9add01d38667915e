internal import Bookwork
internal import Motion
internal import Scene

/// The way to a book, as a series of moves; any other input cancels it.
struct Navigation: Equatable, Sendable {
  var place: Stage.Place
  var opens: Bool
  var page: Int?
}

extension Stage {
  /// Starts towards a book; ignores an id that is not in the library.
  mutating func go(to id: String, opens: Bool, page: Int?, at time: Double) {
    guard gesture == nil, let place = library.place(of: id) else { return }
    navigation = Navigation(place: place, opens: opens, page: page)
    pursue(at: time)
  }

  /// Starts the next move of the navigation if the previous one has landed.
  mutating func pursue(at time: Double) {
    guard let navigation, gesture == nil else { return }
    if isBookOut(at: time) { return pursueWithBook(navigation, at: time) }
    guard slide.isSettled(at: time) else { return }
    if slide.target == 0 {
      guard library.contains(navigation.place) else {
        return self.navigation = nil
      }
      collection = navigation.place.collection
      scrollList(to: list.scroll(showing: collection, from: scroll.target), at: time)
      goToShelf(at: time)
    } else if collection != navigation.place.collection {
      goToList(at: time)
    } else if centreBook(at: time) != navigation.place.book {
      scrollShelf(to: navigation.place.book, at: time)
    } else if carousel.isSettled(at: time) {
      self.navigation = nil
      if navigation.opens { open(at: time, page: navigation.page) }
    }
  }

  private mutating func pursueWithBook(_ navigation: Navigation, at time: Double) {
    guard place == navigation.place, navigation.opens else {
      if opening.target != 0 { close(at: time) }
      return
    }
    self.navigation = nil
    if opening.target != 1 { open(at: time) }
    if let page = navigation.page { jump(to: page, at: time) }
  }

  /// Opens the book in the middle at a page.
  private mutating func open(at time: Double, page: Int?) {
    open(at: time)
    guard let page, isBookOut(at: time) else { return }
    // In the closed book all leaves lie on one side, so none is seen turning.
    turn = .rest(min(Double(Self.spread(ofPage: page)), leaves.maximumOffset))
  }
}

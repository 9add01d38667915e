package import Scene

extension Stage {
  /// How long before a given time the input of ``way(at:)`` is applied so that the stage is at rest
  /// at that time, in seconds; longer than any motion takes.
  package static let standingSeconds = 1000.0

  /// Returns the input that brings a new stage of this library, with its places, to the state or
  /// target of this one; apply it ``standingSeconds`` before the new stage is used.
  package func way(at time: Double) -> [Input] {
    if let openBook { return [.go(book: openBook, opens: true, page: firstPage)] }
    guard screen == .shelf, let index = centreBook(at: time),
      library.shelves.indices.contains(collection)
    else { return [] }
    let place = Place(collection: collection, book: index)
    let way: [Input] = [.go(book: library[place].id, opens: false, page: nil)]
    // The way to the book has to end before the covers can become a wall.
    return isWall ? way + [.settle, .key(.minus), .settle] : way
  }

  /// Returns a stage at rest in the state or target of this one, on another clock or without its
  /// past.
  /// - Parameters:
  ///   - time: A time of this stage's clock.
  ///   - now: The time of the other clock at which the new stage is at rest.
  /// - Returns: The stage, whose past is ``standingSeconds`` long.
  package func standing(from time: Double? = nil, at now: Double) -> Stage {
    var stage = Stage(library: library, dragRule: dragRule)
    stage.restore(places: bookPlaces)
    for input in way(at: time ?? now) { stage.apply(input, at: now - Self.standingSeconds) }
    stage.advance(to: now)
    return stage
  }
}

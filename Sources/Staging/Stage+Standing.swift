public import Scene

extension Stage {
  /// How long before an instant a stage was brought to where it stands then, in seconds: longer
  /// than any way takes.
  public static let standingSeconds = 1000.0

  /// What brings a new stage of this library, with its books where they were left, to where this
  /// one stands or goes; to be done ``standingSeconds`` before.
  public func way(at time: Double) -> [Input] {
    if let openBook { return [.go(book: openBook, opens: true, page: firstPage)] }
    guard screen == .shelf, let index = centreBook(at: time),
      library.shelves.indices.contains(collection)
    else { return [] }
    let place = Place(collection: collection, book: index)
    return [.go(book: library[place].id, opens: false, page: nil)]
  }

  /// A stage at rest where this one stands or goes, on another clock or without this one's past.
  /// - Parameters:
  ///   - time: An instant of this stage's clock.
  ///   - now: The instant of the other clock at which the new one rests.
  /// - Returns: The stage, whose past is ``standingSeconds`` long.
  public func standing(from time: Double? = nil, at now: Double) -> Stage {
    var stage = Stage(library: library)
    stage.restore(places: bookPlaces)
    for input in way(at: time ?? now) { stage.apply(input, at: now - Self.standingSeconds) }
    stage.advance(to: now)
    return stage
  }
}

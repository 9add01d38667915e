internal import Motion
package import Scene

extension Stage {
  /// Returns the frame at a time.
  ///
  /// The frame is a pure function of the state and the time; times before the last input use the
  /// present state.
  package func frame(at time: Double) -> Frame {
    var frame = Frame(screen: screen, isSettled: false, placements: [])
    render(at: time, into: &frame)
    return frame
  }

  /// Renders the frame at a time into an existing frame, whose storage is reused.
  ///
  /// The cost does not depend on the length of the book. Nothing is allocated once `frame` has
  /// grown.
  package func render(at time: Double, into frame: inout Frame) {
    if let deadline, deadline <= time {
      var later = self
      later.advance(to: time)
      return later.paint(at: time, into: &frame)
    }
    paint(at: time, into: &frame)
  }

  private func paint(at time: Double, into frame: inout Frame) {
    frame.screen = screen
    frame.isSettled = isSettled(at: time)
    frame.placements.removeAll(keepingCapacity: true)
    position.placeLedges(at: time, into: &frame)
    position.placeCovers(at: time, without: taken, into: &frame)
    guard taken.isOut(at: time), let shelf = position.shelf else { return }
    // A book taken while its shelf still moves starts at its cover's position, with the same
    // opacity.
    let distance = shelf.distance(of: book, offset: position.carousel.value(at: time))
    taken.place(
      from: distance + position.shelfShift(at: time),
      scale: shelf.scale(distance: distance),
      opacity: position.shelfOpacity(slide: position.slide.value(at: time)),
      at: time,
      into: &frame
    )
  }
}

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
    if taken.isOut(at: time) { placePages(at: time, into: &frame) }
  }

  private func placePages(at time: Double, into frame: inout Frame) {
    guard let shelf = position.shelf else { return }
    let openness = taken.opening.value(at: time)
    // A book taken while its shelf still moves starts at its cover's position, with the same
    // opacity.
    let distance = shelf.distance(of: book, offset: position.carousel.value(at: time))
    let place = distance + position.shelfShift(at: time)
    let opacity = position.shelfOpacity(slide: position.slide.value(at: time))
    guard opacity > 0 else { return }
    let first = library.key(.page, of: BookIndex(collection: collection, book: book))
    let leaves = taken.leaves.layout
    let isMirrored = isMirrored
    let pose = BookPose(
      offset: taken.leaves.turn.value(at: time),
      openness: openness,
      closesOnBack: taken.closesOnBack,
      shift: (isMirrored ? -place : place) * (1 - openness),
      closedScale: shelf.scale(distance: distance),
      flatness: clamp(taken.lay.value(at: time)),
      bend: flexibility * taken.leaves.bend(at: time),
      rulings: taken.leaves.curl.rulings,
      isMirrored: isMirrored
    )
    leaves.forEachVisiblePart(in: pose) { part in
      frame.placements.append(
        Placement(
          key: ElementKey(
            kind: .page,
            item: first.item,
            page: part.page,
            part: ElementPart(part.part, curl: taken.leaves.curl)
          ),
          transform: isMirrored ? part.transform.mirrored : part.transform,
          opacity: opacity * part.opacity,
          shade: part.shade,
          z: part.z
        )
      )
    }
    guard let board = leaves.backBoard(in: pose) else { return }
    frame.placements.append(
      Placement(
        key: ElementKey(kind: .board, item: first.item),
        transform: isMirrored ? board.transform.mirrored : board.transform,
        opacity: opacity,
        shade: board.shade,
        z: board.z
      )
    )
  }
}

extension ElementPart {
  fileprivate init(_ part: VisiblePart.Part, curl: Curl) {
    switch part {
    case .whole: self = .whole
    case .edge(let index): self = .edge(index)
    case .strip(let index): self = .strip(index, curl: curl)
    case .shadow: self = .shadow
    }
  }
}

/// Clamps a fraction to 0...1, so that the overshoot of a spring never leaves the range of an
/// opacity.
func clamp(_ fraction: Double) -> Double { min(max(fraction, 0), 1) }

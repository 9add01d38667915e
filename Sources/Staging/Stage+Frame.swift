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
    let slide = position.slide.value(at: time)
    if slide < 1 { placeLedges(at: time, slide: slide, into: &frame) }
    if slide > 0 { placeCovers(at: time, slide: slide, into: &frame) }
    if taken.isOut(at: time) { placePages(at: time, into: &frame) }
  }

  /// The maximum distances of a visible element from the centre of the stage, in stage points; they
  /// exceed the width and height of any common window.
  static let sightX = 2048.0
  private static let sightY = 1536.0

  private func placeLedges(at time: Double, slide: Double, into frame: inout Frame) {
    let opacity = position.listOpacity(slide: slide)
    guard opacity > 0 else { return }
    let scroll = position.scroll.value(at: time)
    for index in list.indices(within: Self.sightY, scroll: scroll) {
      let y = list.y(of: index, scroll: scroll)
      guard abs(y) < Self.sightY else { continue }
      frame.placements.append(
        Placement(
          key: library.ledge(index),
          transform: .translation(x: -Self.size.width * slide, y: y, z: 0),
          opacity: opacity,
          shade: 0,
          z: 0
        )
      )
    }
  }

  private func placeCovers(at time: Double, slide: Double, into frame: inout Frame) {
    guard shelf != nil else { return }
    let (collection, book) = (self.collection, self.book)
    let arriving = position.shelfOpacity(slide: slide)
    let isOut = taken.isOut(at: time)
    let opacity = arriving * (isOut ? clamp(1 - taken.opening.value(at: time)) : 1)
    guard opacity > 0 else { return }
    let covers = covers(at: time)
    for index in covers.visible where !(isOut && index == book) {
      let transform = covers.transform(of: index)
      guard abs(transform.m41) < Self.sightX else { continue }
      frame.placements.append(
        Placement(
          key: library.key(.cover, of: BookIndex(collection: collection, book: index)),
          transform: transform,
          opacity: opacity,
          shade: 0,
          z: covers.z(of: index)
        )
      )
    }
  }

  private func placePages(at time: Double, into frame: inout Frame) {
    guard let shelf else { return }
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

internal import Bookwork
internal import Geometry
internal import Motion
public import Scene

extension Stage {
  /// Returns the frame at a time.
  ///
  /// A pure function of the state and the time; times before the last input use the present state.
  public func frame(at time: Double) -> Frame {
    var frame = Frame(screen: screen, isSettled: false, placements: [])
    render(at: time, into: &frame)
    return frame
  }

  /// Renders the frame at a time into an existing frame, whose storage is reused.
  ///
  /// The cost does not depend on the length of the book; allocates nothing once `frame` has grown.
  public func render(at time: Double, into frame: inout Frame) {
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
    let slide = self.slide.value(at: time)
    if slide < 1 { placeLedges(at: time, slide: slide, into: &frame) }
    if slide > 0 { placeCovers(at: time, slide: slide, into: &frame) }
    if isBookOut(at: time) { placePages(at: time, into: &frame) }
  }

  /// Whether the book has left its shelf, where its cover is then hidden.
  func isBookOut(at time: Double) -> Bool {
    !(opening.isSettled(at: time) && opening.target == 0)
  }

  /// The maximum distance of a visible element from the centre of the stage, beyond the width of
  /// any common window.
  private static let sightX = 2048.0
  private static let sightY = 1536.0

  private func placeLedges(at time: Double, slide: Double, into frame: inout Frame) {
    // On the way there they fade out in the first half; on the way back they fade in in that half.
    let opacity = clamp(slidesBack ? 2 * (1 - slide) : 1 - 2 * slide)
    guard opacity > 0 else { return }
    let scroll = self.scroll.value(at: time)
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

  /// Returns how far right of its place the shelf is while it slides in or out.
  func shelfShift(at time: Double) -> Double { Self.size.width * (1 - slide.value(at: time)) }

  /// On the way there the shelf fades in in the first half; on the way back it fades out all the
  /// way.
  private func shelfOpacity(slide: Double) -> Double { clamp(slidesBack ? slide : 2 * slide) }

  private func placeCovers(at time: Double, slide: Double, into frame: inout Frame) {
    guard let shelf else { return }
    let collection = self.collection
    let arriving = shelfOpacity(slide: slide)
    let isOut = isBookOut(at: time)
    let opacity = arriving * (isOut ? clamp(1 - opening.value(at: time)) : 1)
    guard opacity > 0 else { return }
    let offset = carousel.value(at: time)
    let x = shelfShift(at: time)
    let reach = Int(Self.sightX / shelf.pitch) + 1
    let middle = shelf.nearestItem(offset: offset)
    for index in max(0, middle - reach)..<min(shelf.count, middle + reach + 1)
    where !(isOut && index == book) {
      var transform = shelf.transform(of: index, offset: offset)
      transform.m41 += x
      guard abs(transform.m41) < Self.sightX else { continue }
      frame.placements.append(
        Placement(
          key: library.key(.cover, of: Place(collection: collection, book: index)),
          transform: transform,
          opacity: opacity,
          shade: 0,
          z: 0
        )
      )
    }
  }

  private func placePages(at time: Double, into frame: inout Frame) {
    guard let shelf else { return }
    let openness = opening.value(at: time)
    // A book taken while its shelf still moves starts where its cover is, with the same opacity.
    let distance = shelf.distance(of: book, offset: carousel.value(at: time))
    let place = distance + shelfShift(at: time)
    let opacity = shelfOpacity(slide: slide.value(at: time))
    guard opacity > 0 else { return }
    let first = library.key(.page, of: Place(collection: collection, book: book))
    let offset = turn.value(at: time)
    let shift = place * (1 - openness)
    let closedScale = shelf.scale(distance: distance)
    let flatness = clamp(lay.value(at: time))
    leaves.forEachVisiblePage(
      offset: offset,
      openness: openness,
      shift: shift,
      closedScale: closedScale,
      flatness: flatness
    ) { page, transform, shade, z in
      frame.placements.append(
        Placement(
          key: ElementKey(kind: .page, item: first.item, page: page),
          transform: transform,
          opacity: opacity,
          shade: shade,
          z: z
        )
      )
    }
    let board = leaves.backBoard(
      offset: offset,
      openness: openness,
      shift: shift,
      closedScale: closedScale,
      flatness: flatness
    )
    guard let board else { return }
    frame.placements.append(
      Placement(
        key: ElementKey(kind: .board, item: first.item),
        transform: board.transform,
        opacity: opacity,
        shade: board.shade,
        z: 0
      )
    )
  }
}

/// Clamps a fraction to 0...1, so that the overshoot of a spring never leaves the range of an
/// opacity.
func clamp(_ fraction: Double) -> Double { min(max(fraction, 0), 1) }

internal import Fabric
internal import Motion
internal import Scene
internal import Staging
internal import Wire

/// The elements that members have to know, and the caption.
extension StageSession {
  /// Returns what an element shows; blank paper if the library does not contain it.
  func element(for key: ElementKey) -> Element { selection.shown.element(for: key, on: stage) }

  /// Introduces the elements that a frame shows for the first time.
  mutating func introduce(missingIn frame: Frame, in turn: inout Turn) {
    introduce(stream.unknown(in: frame), in: &turn)
  }

  /// Introduces the pages that may become visible next, so that their images are decoded in time.
  mutating func introduceUpcoming(at time: Double, in turn: inout Turn) {
    introduce(stage.upcoming(at: time).filter { !stream.knows($0) }, in: &turn)
  }

  /// Introduces again the elements that look different in another state of the library.
  mutating func refreshElements(in turn: inout Turn) {
    let known = stream.introduced.sorted { $0.number < $1.number }
    introduce(
      known.filter { selection.shown.layout.has($0) && !stream.isCurrent(element(for: $0)) },
      in: &turn
    )
  }

  private mutating func introduce(_ keys: [ElementKey], in turn: inout Turn) {
    guard !keys.isEmpty else { return }
    if stream.isFull { retire(in: &turn) }
    stream.introduce(keys.map { element(for: $0) }, into: &turn.effects.messages)
  }

  /// Retires elements that the library does not contain, once they are no longer shown: a member
  /// that joins later must not learn of them.
  mutating func retireMissing(in turn: inout Turn) {
    guard stream.introduced.contains(where: { !selection.shown.layout.has($0) }) else { return }
    let library = selection.shown.layout
    retire(in: &turn) { library.has($0) }
  }

  /// Retires elements that are neither shown, nor on their way to members, nor among the next
  /// visible.
  private mutating func retire(in turn: inout Turn) {
    var wanted = Set(stage.upcoming(at: stream.time))
    for timed in stream.flown { wanted.formUnion(timed.frame.placements.map(\.key.whole)) }
    wanted.formUnion(stream.frame.placements.map(\.key.whole))
    retire(in: &turn) { wanted.contains($0) }
  }

  private mutating func retire(in turn: inout Turn, keeping isWanted: (ElementKey) -> Bool) {
    stream.retire(keeping: isWanted, into: &turn.effects.messages)
    let stream = stream
    images.retire { stream.key(of: $0) != nil }
  }

  /// Sends the caption when it changes, and introduces the pages that may become visible next.
  mutating func updateCaption(at time: Double, in turn: inout Turn) {
    let key = CaptionKey(stage, selection.arrangement, at: time)
    if captions.open(stage.openBook), let book = captions.openBook, !book.isEmpty {
      turn.effects.list.append(.bookOpened(book: book, room: room))
    }
    guard key != captions.key else { return }
    if key.screen == .collections, captions.key?.screen == .shelf, !isPlayback {
      selection.openList(at: time)
    }
    introduceUpcoming(at: time, in: &turn)
    var caption = key.caption(of: selection.shown)
    caption.spread = spreadIDs
    captions.update(caption, for: key)
    // A page that knows which pages it shows can tell what a step back is, as long as the caption
    // is that of a book.
    if stage.openBook == nil { tellCaption(in: &turn) }
    for index in members.indices { tellFraming(memberAt: index, in: &turn) }
    if stage.openBook != nil { tellCaption(in: &turn) }
  }
}

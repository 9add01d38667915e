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

/// Leaves that wait for the images of the member that turns them.
extension StageSession {
  /// Records the images that a member's page has decoded; a leaf that waits for them continues.
  mutating func handle(ready ids: [UInt64], fromMemberAt index: Int, in turn: inout Turn) {
    guard members[index].reportsImages else { return }
    let id = members[index].id
    for image in ids {
      guard let key = stream.key(of: image) else { continue }
      if key.kind == .page { images.note(key, by: id) }
    }
    guard stage.isWaiting, holder == id else { return }
    if updateImages(for: id, at: turn.now, in: &turn) {
      answer(changed: true, target: turn.now, in: &turn)
    }
  }

  /// Tells the stage which pages the acting member can show, if that may have changed.
  /// - Returns: Whether a leaf begins or ceases to wait.
  mutating func updateImages(for id: MemberID, at time: Double, in turn: inout Turn) -> Bool {
    guard let index = index(of: id),
      images.isNews(of: id, book: stage.openBook, spread: stage.spread)
    else { return false }
    let ready = members[index].reportsImages ? readyPages(of: id, at: time) : nil
    guard ready != stage.awaitedImages else { return false }
    let wasWaiting = stage.isWaiting
    _ = apply(.images(ready: ready), at: time, in: &turn)
    return wasWaiting != stage.isWaiting
  }

  /// Returns the pages around the open spread that need no waiting; blank paper is always among
  /// them.
  private func readyPages(of id: MemberID, at time: Double) -> [Int] {
    guard stage.openBook != nil else { return [] }
    return stage.upcoming(at: time).filter { key in
      images.hasDecoded(key, id) || element(for: key).imageURL.isEmpty
    }.map(\.page).sorted()
  }
}

internal import Fabric
internal import Motion
internal import Scene
internal import Staging
internal import Wire

extension StageSession {
  /// Returns the side at which an element is attached.
  func side(of key: ElementKey) -> ElementSide {
    let isMirrored = selection.shown.layout.isMirrored(key)
    return switch key.kind {
    case .collection: .centre
    case .cover: isMirrored ? .centreRightBound : .centre
    case .board: isMirrored ? .left : .right
    case .page: key.page.isMultiple(of: 2) != isMirrored ? .right : .left
    }
  }

  /// Returns the paper stock of an element: that of its book for a page; all others are rigid.
  private func stock(of key: ElementKey) -> PaperStock {
    guard key.kind == .page else { return .board }
    let library = selection.shown
    return library.layout.place(of: key).flatMap { library.book(at: $0) }?.stock ?? .paper
  }

  /// Returns what an element shows; blank paper if the library does not contain it.
  func element(for key: ElementKey) -> Element {
    var element = Element(
      key: key,
      index: selection.shown.layout.index(of: key),
      size: stage.size(of: key),
      side: side(of: key),
      stock: stock(of: key),
      cornerRadius: stage.cornerRadius(of: key),
      imageURL: "",
      title: ""
    )
    if let collection = selection.shown.layout.collection(of: key) {
      element.imageURL = selection.shown.ledgeURL(ofCollection: collection) ?? ""
      element.title = selection.shown.title(ofCollection: collection) ?? ""
      element.count = selection.shown.bookCount(ofCollection: collection)
      return element
    }
    guard key.kind == .cover || key.kind == .page,
      let book = selection.shown.layout.place(of: key).flatMap({ selection.shown.book(at: $0) })
    else { return element }
    if key.kind == .cover {
      element.imageURL = book.coverURL
      element.title = book.title
      element.author = book.author
      element.count = book.isLost ? 1 : 0
    } else if book.pageURLs.indices.contains(key.page) {
      element.imageURL = book.pageURLs[key.page]
      (element.title, element.count) = book.title(ofFace: key.page)
    }
    return element
  }

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

extension CatalogueBook {
  /// Returns the label of the page on a face, and 1 for the second half of a page; the title of the
  /// book for its first face.
  func title(ofFace face: Int) -> (text: String, count: Int) {
    if face == 0 { return (title, 0) }
    guard let page = page(ofFace: face) else { return ("", 0) }
    return (labels[page], face == self.face(ofPage: page) ? 0 : 1)
  }
}

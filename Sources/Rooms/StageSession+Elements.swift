internal import Geometry
internal import Scene
internal import Staging
internal import Wire

extension StageSession {
  private static func side(of key: ElementKey) -> ElementSide {
    switch key.kind {
    case .collection, .cover: .centre
    case .board: .right
    case .page: key.page.isMultiple(of: 2) ? .right : .left
    }
  }

  /// What an element shows; one that the catalogue does not have is blank paper.
  func element(for key: ElementKey) -> Element {
    var element = Element(
      key: key,
      size: stage.size(of: key),
      side: Self.side(of: key),
      cornerRadius: stage.cornerRadius(of: key),
      imageURL: "",
      title: "",
      subtitle: ""
    )
    guard catalogue.collections.indices.contains(key.collection) else { return element }
    let shelf = catalogue.collections[key.collection]
    if key.kind == .collection {
      element.imageURL = shelf.ledgeURL
      element.title = shelf.title
      element.subtitle = Words.books(shelf.books.count)
      return element
    }
    guard key.kind != .board, shelf.books.indices.contains(key.book) else { return element }
    let book = shelf.books[key.book]
    if key.kind == .cover {
      element.imageURL = book.coverURL
      element.title = book.title
      element.subtitle = book.author
    } else if book.pageURLs.indices.contains(key.page) {
      element.imageURL = book.pageURLs[key.page]
      element.title = Words.title(ofFace: key.page, of: book)
    }
    return element
  }

  /// Introduces what a frame shows for the first time.
  mutating func introduce(missingIn frame: Frame, into effects: inout Effects) {
    introduce(encoder.unknown(in: frame), into: &effects)
  }

  /// Introduces the pages that may come to light next, so that their images are decoded in time.
  mutating func introduceUpcoming(at time: Double, into effects: inout Effects) {
    guard !encoder.needsReset else { return }
    let missing = stage.upcoming(at: time).filter { !introduced.contains($0) }
    introduce(missing, into: &effects)
  }

  private mutating func introduce(_ keys: [ElementKey], into effects: inout Effects) {
    guard !keys.isEmpty else { return }
    introduced.formUnion(keys)
    for message in encoder.introduce(keys.map { element(for: $0) }) {
      broadcast(.introduction, into: &effects) { $1 += message }
    }
  }

  /// Tells all when the words under the book change, and with them what may come to light next.
  mutating func updateCaption(at time: Double, into effects: inout Effects) {
    let key = CaptionKey(stage, arrangement, at: time)
    if let book = stage.openBook, book != openBook, !book.isEmpty {
      effects.list.append(.bookOpened(book: book, room: room))
    }
    openBook = stage.openBook
    guard key != captionKey else { return }
    if key.screen == .collections, captionKey?.screen == .shelf { openedList(now: time) }
    captionKey = key
    introduceUpcoming(at: time, into: &effects)
    caption = key.caption(of: catalogue)
    caption.spread = spreadIDs
    tellCaption(into: &effects)
  }
}

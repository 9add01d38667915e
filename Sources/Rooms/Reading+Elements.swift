internal import Geometry
internal import Scene
internal import Staging
internal import Wire

/// What a caption depends on; it is put into words only when this changes.
struct CaptionKey: Equatable, Sendable {
  var screen: Screen
  var collection: Int
  var index: Int
  var spread: Int
  var page: Int
  var flags: CaptionFlags = []
  var arrangement: Arrangement

  init(_ stage: Stage, _ arrangement: Arrangement, at time: Double) {
    self.arrangement = arrangement
    screen = stage.screen
    page = screen == .book ? stage.firstPage : 0
    if screen == .book, stage.isFlat { flags.insert(.isFlat) }
    if stage.isWaiting { flags.insert(.waitsForImages) }
    collection = stage.collection
    switch screen {
    case .collections: (index, spread) = (stage.collection, 0)
    case .shelf: (index, spread) = (stage.centreBook(at: time) ?? 0, 0)
    case .book: (index, spread) = (stage.book, stage.spread)
    }
  }

  func caption(of catalogue: Catalogue) -> Caption {
    guard catalogue.collections.indices.contains(collection) else {
      return Caption(
        screen: screen,
        index: 0,
        count: 0,
        heading: "",
        title: arrangement.filter.isEmpty
          ? "The table is clear" : "No book here is called “\(arrangement.filter)”",
        detail: "",
        flags: arrangement.filter.isEmpty ? [] : .findsNothing,
        arrangement: arrangement
      )
    }
    let shelf = catalogue.collections[collection]
    guard screen != .collections, shelf.books.indices.contains(index) else {
      return Caption(
        screen: screen,
        index: UInt32(clamping: collection),
        count: UInt32(clamping: catalogue.collections.count),
        heading: shelf.title,
        title: "",
        detail: Words.books(shelf.books.count),
        arrangement: arrangement
      )
    }
    let book = shelf.books[index]
    if screen == .shelf {
      return Caption(
        screen: screen,
        index: UInt32(clamping: index),
        count: UInt32(clamping: shelf.books.count),
        heading: shelf.title,
        title: book.title,
        detail: Words.about(book),
        book: book.id,
        arrangement: arrangement
      )
    }
    return Caption(
      screen: screen,
      index: UInt32(clamping: spread),
      count: UInt32(clamping: max(1, book.pageURLs.count / 2)),
      heading: shelf.title,
      title: book.title,
      detail: Words.pages(spread: spread, of: book),
      book: book.id,
      flags: flags,
      page: UInt32(clamping: page),
      arrangement: arrangement
    )
  }
}

/// What people read about books.
enum Words {
  static func books(_ count: Int) -> String { count == 1 ? "1 book" : "\(count) books" }

  static func about(_ book: CatalogueBook) -> String {
    let pages = book.pageURLs.count == 1 ? "1 page" : "\(book.pageURLs.count) pages"
    return book.author.isEmpty ? pages : "\(book.author). \(pages)"
  }

  /// The front cover is page 0 and counts among the pages, but has no number.
  static func pages(spread: Int, of book: CatalogueBook) -> String {
    let last = book.pageURLs.count - 1
    let left = 2 * spread + 1
    if left > last { return "The inside of the cover" }
    if left == last { return "Page \(left) of \(last)" }
    return "Pages \(left)–\(left + 1) of \(last)"
  }
}

extension Reading {
  /// What an element shows; one that the catalogue does not have is blank paper.
  func element(for key: ElementKey) -> Element {
    var element = Element(
      key: key,
      size: stage.size(of: key),
      side: key.kind != .page ? .centre : key.page.isMultiple(of: 2) ? .right : .left,
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
    guard shelf.books.indices.contains(key.book) else { return element }
    let book = shelf.books[key.book]
    if key.kind == .cover {
      element.imageURL = book.coverURL
      element.title = book.title
      element.subtitle = book.author
    } else if book.pageURLs.indices.contains(key.page) {
      element.imageURL = book.pageURLs[key.page]
      element.title = key.page == 0 ? book.title : "Page \(key.page)"
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
    let message = ServerMessage.caption(caption)
    broadcast(.words, into: &effects) { _, bytes in message.encode(into: &bytes) }
  }
}

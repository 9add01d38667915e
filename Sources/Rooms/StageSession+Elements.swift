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
  var face: Int
  var flags: CaptionFlags = []
  var arrangement: Arrangement

  init(_ stage: Stage, _ arrangement: Arrangement, at time: Double) {
    self.arrangement = arrangement
    screen = stage.screen
    face = screen == .book ? stage.firstPage : 0
    if screen == .book, stage.isFlat { flags.insert(.isFlat) }
    if stage.isWaiting { flags.insert(.waitsForImages) }
    collection = stage.collection
    switch screen {
    case .collections: (index, spread) = (stage.collection, 0)
    case .shelf:
      index = stage.centreBook(at: time) ?? 0
      spread = stage.leftSpread(ofBook: index, in: stage.collection)
      if spread > 0 { flags.insert(.isBegun) }
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
    let pages = book.pages(ofSpread: spread)
    if screen == .shelf {
      return Caption(
        screen: screen,
        index: UInt32(clamping: index),
        count: UInt32(clamping: shelf.books.count),
        heading: shelf.title,
        title: book.title,
        detail: flags.contains(.isBegun)
          ? "\(Words.about(book)). \(Words.goingOn(at: spread, in: book))" : Words.about(book),
        book: book.id,
        flags: flags,
        arrangement: arrangement
      )
    }
    return Caption(
      screen: screen,
      index: UInt32(clamping: spread),
      count: UInt32(clamping: book.spreadCount),
      heading: shelf.title,
      title: book.title,
      detail: Words.pages(spread: spread, of: book),
      book: book.id,
      flags: flags,
      page: UInt32(clamping: pages.first ?? 0),
      arrangement: arrangement,
      face: UInt32(clamping: face),
      label: pages.first.map { book.labels[$0] } ?? ""
    )
  }
}

/// What people read about books.
enum Words {
  static func books(_ count: Int) -> String { count == 1 ? "1 book" : "\(count) books" }

  static func about(_ book: CatalogueBook) -> String {
    let pages = book.pageCount == 1 ? "1 page" : "\(book.pageCount) pages"
    return book.author.isEmpty ? pages : "\(book.author). \(pages)"
  }

  /// Where opening a book goes on.
  static func goingOn(at spread: Int, in book: CatalogueBook) -> String {
    let pages = pages(spread: spread, of: book)
    return "Continue on \(pages.prefix(1).lowercased())\(pages.dropFirst())"
  }

  /// The pages that are open, by what they are called, and what the last page of the book is.
  static func pages(spread: Int, of book: CatalogueBook) -> String {
    let pages = book.pages(ofSpread: spread)
    guard !pages.isEmpty else { return "The inside of the cover" }
    let words = (pages.count == 1 ? "Page " : "Pages ") + book.label(ofSpread: spread)
    let last = book.labels[book.pageCount - 1]
    // A last page called "B-7" does not say how many there are.
    return last.utf8.allSatisfy { (0x30...0x39).contains($0) } ? "\(words) of \(last)" : words
  }

  /// The alternative text of a face.
  static func title(ofFace face: Int, of book: CatalogueBook) -> String {
    if face == 0 { return book.title }
    return book.page(ofFace: face).map { "Page \(book.labels[$0])" } ?? ""
  }
}

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
    let message = ServerMessage.caption(caption)
    broadcast(.words, into: &effects) { _, bytes in message.encode(into: &bytes) }
  }
}

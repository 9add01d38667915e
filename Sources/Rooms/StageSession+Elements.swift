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

  func caption(of library: ShownLibrary) -> Caption {
    guard let ledge = library.ledge(collection) else {
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
    let count = library.bookCount(ofCollection: collection)
    let place = Stage.Place(collection: collection, book: index)
    guard screen != .collections, let book = library.book(at: place) else {
      return Caption(
        screen: screen,
        index: UInt32(clamping: collection),
        count: UInt32(clamping: library.count),
        heading: ledge.title,
        title: "",
        detail: Words.books(count),
        arrangement: arrangement
      )
    }
    let pages = book.pages(ofSpread: spread)
    if screen == .shelf {
      return Caption(
        screen: screen,
        index: UInt32(clamping: index),
        count: UInt32(clamping: count),
        heading: ledge.title,
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
      heading: ledge.title,
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
  /// A shelf and a book of a recording that the library does not have any more.
  static let recordedShelf = "A recorded shelf"
  static let lostBook = "A book that is gone"

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
  /// Where an element is fastened.
  static func side(of key: ElementKey) -> ElementSide {
    switch key.kind {
    case .collection, .cover: .centre
    case .board: .right
    case .page: key.page.isMultiple(of: 2) ? .right : .left
    }
  }

  /// What an element shows; one that the library does not have is blank paper.
  func element(for key: ElementKey) -> Element {
    var element = Element(
      key: key,
      index: shown.layout.index(of: key),
      size: stage.size(of: key),
      side: Self.side(of: key),
      cornerRadius: stage.cornerRadius(of: key),
      imageURL: "",
      title: "",
      subtitle: ""
    )
    if let collection = shown.layout.collection(of: key) {
      guard let ledge = shown.ledge(collection) else { return element }
      element.imageURL = ledge.url
      element.title = ledge.title
      element.subtitle = Words.books(shown.bookCount(ofCollection: collection))
      return element
    }
    guard key.kind == .cover || key.kind == .page,
      let book = shown.layout.place(of: key).flatMap({ shown.book(at: $0) })
    else { return element }
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
    introduce(stage.upcoming(at: time).filter { !encoder.knows($0) }, into: &effects)
  }

  /// Introduces anew what looks different in another state of the library.
  mutating func refreshElements(into effects: inout Effects) {
    let known = encoder.introduced.sorted { $0.number < $1.number }
    introduce(
      known.filter { shown.layout.has($0) && !encoder.isCurrent(element(for: $0)) },
      into: &effects
    )
  }

  private mutating func introduce(_ keys: [ElementKey], into effects: inout Effects) {
    guard !keys.isEmpty else { return }
    if encoder.isFull { retire(into: &effects) }
    for message in encoder.introduce(keys.map { element(for: $0) }) {
      broadcast(.introduction, into: &effects) { $1 += message }
    }
  }

  /// Retires what the library does not have, once it is not shown any more: a member that comes
  /// later must not learn of it.
  mutating func retireMissing(into effects: inout Effects) {
    guard encoder.introduced.contains(where: { !shown.layout.has($0) }) else { return }
    let library = shown.layout
    retire(into: &effects) { library.has($0) }
  }

  /// Retires what is neither shown, nor on its way to members, nor may come to light next.
  private mutating func retire(into effects: inout Effects) {
    var wanted = Set(stage.upcoming(at: frameTime))
    for timed in flown { wanted.formUnion(timed.frame.placements.map(\.key)) }
    wanted.formUnion(frame.placements.map(\.key))
    retire(into: &effects) { wanted.contains($0) }
  }

  private mutating func retire(
    into effects: inout Effects,
    keeping isWanted: (ElementKey) -> Bool
  ) {
    for message in encoder.retire(keeping: isWanted) {
      broadcast(.introduction, into: &effects) { $1 += message }
    }
    for index in members.indices {
      members[index].ready = members[index].ready.filter { encoder.knows($0) }
    }
    imagesAsked = nil
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
    caption = key.caption(of: shown)
    let message = ServerMessage.caption(caption)
    broadcast(.words, into: &effects) { _, bytes in message.encode(into: &bytes) }
  }
}

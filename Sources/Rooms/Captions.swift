internal import Scene
internal import Staging
internal import Wire

/// What a caption depends on; its texts are written only when this changes.
struct CaptionKey: Equatable, Sendable {
  var screen: Screen
  var collection: Int
  var index: Int
  var spread: Int
  var flags: CaptionFlags = []
  var arrangement: Arrangement

  init(_ stage: Stage, _ arrangement: Arrangement, at time: Double) {
    self.arrangement = arrangement
    screen = stage.screen
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

  /// Everything that the caption says; the ids of the spread's elements are the caller's to add.
  func caption(of catalogue: Catalogue) -> Caption {
    guard catalogue.collections.indices.contains(collection) else { return emptyCaption }
    let shelf = catalogue.collections[collection]
    guard screen != .collections, shelf.books.indices.contains(index) else {
      return listCaption(of: shelf, among: catalogue.collections.count)
    }
    let book = shelf.books[index]
    return screen == .shelf
      ? shelfCaption(of: book, on: shelf) : bookCaption(of: book, on: shelf)
  }

  private var emptyCaption: Caption {
    let isFiltered = !arrangement.filter.isEmpty
    let title = isFiltered ? Words.noBookFound(arrangement.filter) : Words.emptyLibrary
    return Caption(
      screen: screen,
      index: 0,
      count: 0,
      title: title,
      windowTitle: Words.program,
      announcement: title,
      flags: isFiltered ? .findsNothing : [],
      arrangement: arrangement
    )
  }

  private func listCaption(of shelf: CatalogueCollection, among count: Int) -> Caption {
    let books = Words.books(shelf.books.count)
    return Caption(
      screen: screen,
      index: UInt32(clamping: collection),
      count: UInt32(clamping: count),
      heading: shelf.title,
      detail: books,
      windowTitle: screen == .collections ? Words.program : Words.windowTitle(shelf.title),
      announcement: Words.announcement(shelf.title, books),
      arrangement: arrangement
    )
  }

  private func shelfCaption(of book: CatalogueBook, on shelf: CatalogueCollection) -> Caption {
    let about = Words.about(book)
    let detail =
      flags.contains(.isBegun)
      ? Words.continuing(about, at: PageRange(spread: spread, of: book)) : about
    return Caption(
      screen: screen,
      index: UInt32(clamping: index),
      count: UInt32(clamping: shelf.books.count),
      heading: shelf.title,
      title: book.title,
      detail: detail,
      windowTitle: Words.windowTitle(shelf.title),
      announcement: Words.announcement(book.title.isEmpty ? shelf.title : book.title, detail),
      book: book.id,
      flags: flags,
      arrangement: arrangement
    )
  }

  private func bookCaption(of book: CatalogueBook, on shelf: CatalogueCollection) -> Caption {
    let range = PageRange(spread: spread, of: book)
    let name = book.title.isEmpty ? shelf.title : book.title
    let detail = range.text(.heading, .withTotal)
    return Caption(
      screen: screen,
      index: UInt32(clamping: spread),
      count: UInt32(clamping: book.spreadCount),
      heading: shelf.title,
      title: book.title,
      detail: detail,
      position: range.text(.sentence, .alone),
      label: range.text(.label, .withTotal),
      windowTitle: Words.windowTitle(Words.open(name, range.text(.sentence, .withTotal))),
      announcement: Words.announcement(name, detail),
      book: book.id,
      flags: flags,
      page: UInt32(clamping: book.pages(ofSpread: spread).first ?? 0),
      arrangement: arrangement
    )
  }
}

extension StageSession {
  /// The ids of the elements that the open spread consists of; none if no book is open.
  var spreadIDs: [UInt32] {
    guard stage.screen == .book else { return [] }
    let first = 2 * stage.spread + 1
    return (first...first + 1).compactMap { face in
      let key = ElementKey(
        kind: .page,
        collection: stage.collection,
        book: stage.book,
        page: face
      )
      return encoder.id(of: key).map { UInt32($0) }
    }
  }

  /// Sends the caption to everybody on this stage.
  mutating func tellCaption(into effects: inout Effects) {
    let message = ServerMessage.caption(caption)
    broadcast(.words, into: &effects) { _, bytes in message.encode(into: &bytes) }
  }

  /// Sends the caption again if the elements of the open spread have other ids now.
  mutating func updateSpread(into effects: inout Effects) {
    let spread = spreadIDs
    guard spread != caption.spread else { return }
    caption.spread = spread
    tellCaption(into: &effects)
  }
}

extension Room {
  /// Where the shared book is open, or is about to be while everybody is brought to another book;
  /// nil if that is what was told last.
  var newPlace: PlaceEvent? {
    var (id, spread) = (shared.stage.openBook ?? "", shared.stage.spread)
    var book = shared.openEntry
    if let passage, let record {
      (id, spread) = (record.book, max(0, passage.page - 1) / 2)
      book = shared.entry(of: id)
    }
    let page = UInt32(clamping: book?.pages(ofSpread: spread).first ?? 0)
    guard id != lastPlace?.book || page != lastPlace?.page else { return nil }
    guard let book else { return PlaceEvent(book: id, page: page) }
    let range = PageRange(spread: spread, of: book)
    return PlaceEvent(
      book: id,
      page: page,
      title: book.title,
      position: range.text(.sentence),
      label: range.text(.label)
    )
  }
}

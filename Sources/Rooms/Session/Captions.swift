internal import Fabric
internal import Scene
internal import Staging
internal import Wire

/// The values that a caption depends on; its texts are written only when these change.
struct CaptionKey: Equatable, Sendable {
  var screen: Screen
  var collection: Int
  var index: Int
  var spread: Int
  var flags: CaptionFlags = []
  var arrangement: Arrangement

  init(_ stage: borrowing Stage, _ arrangement: Arrangement, at time: Double) {
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
      if stage.isWall { flags.insert(.isWall) }
    case .book: (index, spread) = (stage.book, stage.spread)
    }
  }

  /// Returns the complete caption, except the ids of the spread's elements, which the caller adds.
  func caption(of library: ShownLibrary) -> Caption {
    guard let shelf = library.title(ofCollection: collection) else { return emptyCaption }
    let count = library.bookCount(ofCollection: collection)
    let place = Stage.Place(collection: collection, book: index)
    guard screen != .collections, let book = library.book(at: place) else {
      return listCaption(of: shelf, bookCount: count, among: library.count)
    }
    return screen == .shelf
      ? shelfCaption(of: book, on: shelf, bookCount: count)
      : bookCaption(of: book, on: shelf)
  }

  private var emptyCaption: Caption {
    Caption(
      screen: screen,
      index: 0,
      count: 0,
      flags: arrangement.filter.isEmpty ? [] : .findsNothing,
      arrangement: arrangement
    )
  }

  private func listCaption(of shelf: String, bookCount: Int, among count: Int) -> Caption {
    Caption(
      screen: screen,
      index: UInt32(clamping: collection),
      count: UInt32(clamping: count),
      heading: shelf,
      size: UInt32(clamping: bookCount),
      arrangement: arrangement
    )
  }

  private func shelfCaption(
    of book: CatalogueBook,
    on shelf: String,
    bookCount: Int
  ) -> Caption {
    var flags = book.isReadable ? flags : flags.union(.cannotOpen)
    if book.isLost { flags.insert(.isLost) }
    return Caption(
      screen: screen,
      index: UInt32(clamping: index),
      count: UInt32(clamping: bookCount),
      heading: shelf,
      title: book.title,
      author: book.author,
      size: UInt32(clamping: book.pageCount),
      range: flags.contains(.isBegun) ? PageRange(spread: spread, of: book) : PageRange(),
      book: book.id,
      flags: flags,
      arrangement: arrangement
    )
  }

  private func bookCaption(of book: CatalogueBook, on shelf: String) -> Caption {
    Caption(
      screen: screen,
      index: UInt32(clamping: spread),
      count: UInt32(clamping: book.spreadCount),
      heading: shelf,
      title: book.title,
      author: book.author,
      size: UInt32(clamping: book.pageCount),
      range: PageRange(spread: spread, of: book),
      book: book.id,
      flags: book.isLost ? flags.union(.isLost) : flags,
      page: UInt32(clamping: book.pages(ofSpread: spread).first ?? 0),
      arrangement: arrangement
    )
  }
}

extension StageSession {
  /// The ids of the elements of the open spread; empty if no book is open.
  var spreadIDs: [UInt64] { stage.screen == .book ? stage.spreadElements.map(\.number) : [] }

  /// Sends the caption to all members of this stage.
  mutating func tellCaption(in turn: inout Turn) {
    turn.effects.messages.publish(.caption, on: stream.id) {
      ServerMessage.caption(caption).encode(into: &$0)
    }
  }
}

/// The caption that was last sent to the members of a stage.
struct ToldCaption: Sendable {
  /// The caption.
  private(set) var current: Caption
  /// The values that it was created from; nil if it has to be created again.
  private(set) var key: CaptionKey?
  /// The book that was last reported open.
  private(set) var openBook: String?
  /// A number that changes with the caption and the open book.
  private(set) var number = 0

  init(_ caption: Caption, for key: CaptionKey) { (current, self.key) = (caption, key) }

  /// Stores the caption that the members are sent.
  mutating func update(_ caption: Caption, for key: CaptionKey?) {
    (current, self.key) = (caption, key)
    number += 1
  }

  /// Makes the next update create the caption again.
  mutating func outdate() {
    key = nil
    number += 1
  }

  /// Stores which book is open.
  /// - Returns: Whether it is another one.
  mutating func open(_ book: String?) -> Bool {
    guard book != openBook else { return false }
    openBook = book
    number += 1
    return true
  }
}

extension Room {
  /// The place where the shared book is open, or will be while everybody is brought to another
  /// book; nil if that is what was sent last.
  var newPlace: PlaceEvent? {
    var (id, spread) = (shared.stage.openBook ?? "", shared.stage.spread)
    var book = shared.openEntry
    if let passage, let record {
      (id, spread) = (record.book, max(0, passage.page - 1) / 2)
      book = shared.entry(of: id)
    }
    let page = UInt32(clamping: book?.pages(ofSpread: spread).first ?? 0)
    guard id != told.place?.book || page != told.place?.page else { return nil }
    guard let book else { return PlaceEvent(book: id, page: page) }
    return PlaceEvent(
      book: id,
      page: page,
      title: book.title,
      range: PageRange(spread: spread, of: book)
    )
  }
}

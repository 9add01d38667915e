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
    var caption = Caption(screen: screen)
    caption.arrangement = arrangement
    guard let shelf = library.title(ofCollection: collection) else {
      caption.flags = arrangement.filter.isEmpty ? [] : .findsNothing
      return caption
    }
    let count = library.bookCount(ofCollection: collection)
    let place = BookIndex(collection: collection, book: index)
    caption.heading = shelf
    guard screen != .collections, let book = library.book(at: place) else {
      caption.index = UInt32(clamping: collection)
      caption.count = UInt32(clamping: library.count)
      caption.size = UInt32(clamping: count)
      return caption
    }
    caption.describe(book)
    caption.flags.formUnion(flags)
    if screen == .shelf {
      (caption.index, caption.count) = (UInt32(clamping: index), UInt32(clamping: count))
      if !book.isReadable { caption.flags.insert(.cannotOpen) }
    } else {
      caption.index = UInt32(clamping: spread)
      caption.count = UInt32(clamping: book.spreadCount)
      caption.page = UInt32(clamping: book.pages(ofSpread: spread).first ?? 0)
    }
    if screen == .book || flags.contains(.isBegun) {
      caption.range = PageRange(spread: spread, of: book)
    }
    return caption
  }
}

extension Caption {
  fileprivate mutating func describe(_ content: CatalogueBook) {
    (title, author, book) = (content.title, content.author, content.id)
    size = UInt32(clamping: content.pageCount)
    if content.isLost { flags.insert(.isLost) }
  }
}

extension StageSession {
  /// The ids of the elements of the open spread; empty if no book is open.
  var spreadIDs: [UInt64] { stage.screen == .book ? stage.spreadElements.map(\.number) : [] }

  /// Sends the caption to all members of this stage.
  mutating func tellCaption(in turn: inout Turn) {
    turn.effects.messages.publish(.caption, on: stream.id) {
      ServerMessage.caption(captions.current).encode(into: &$0)
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
    if let transition, let record {
      (id, spread) = (record.book, max(0, transition.page - 1) / 2)
      book = shared.selection.shown.book(named: id)
    }
    let page = UInt32(clamping: book?.pages(ofSpread: spread).first ?? 0)
    guard id != announced.place?.book || page != announced.place?.page else { return nil }
    guard let book else { return PlaceEvent(book: id, page: page) }
    return PlaceEvent(
      book: id,
      page: page,
      title: book.title,
      range: PageRange(spread: spread, of: book)
    )
  }
}

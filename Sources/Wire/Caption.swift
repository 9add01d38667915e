package import Scene

/// The state of a stage as data; pages turn it into words.
package struct Caption: Equatable, Sendable {
  /// The screen that it describes.
  package var screen: Screen
  /// The position, from 0, of the collection, the book, or the stop of the open book.
  package var index: UInt32
  /// The number of positions.
  package var count: UInt32
  /// The collection's title.
  package var heading: String
  /// The book's title.
  package var title: String
  /// The book's author.
  package var author: String
  /// The number of books of the collection in the list, or of pages of the book.
  package var size: UInt32
  /// The open pages, or those at which the book in the middle of the shelf was left.
  package var range: PageRange
  /// The id of the book that is open or in the middle of the shelf; empty if there is none.
  package var book: String
  /// Flags about the open book, the book in the middle of the shelf, and the filter.
  package var flags: CaptionFlags
  /// The first page of the open spread, from 0; 0 if no book is open.
  package var page: UInt32
  /// The arrangement of the room's library.
  package var arrangement: Arrangement
  /// The ids of the elements of the open spread; empty if no book is open.
  package var spread: [UInt64]

  /// Creates a caption.
  package init(
    screen: Screen,
    index: UInt32,
    count: UInt32,
    heading: String = "",
    title: String = "",
    author: String = "",
    size: UInt32 = 0,
    range: PageRange = PageRange(),
    book: String = "",
    flags: CaptionFlags = [],
    page: UInt32 = 0,
    arrangement: Arrangement = Arrangement(),
    spread: [UInt64] = []
  ) {
    self.screen = screen
    self.index = index
    self.count = count
    self.heading = heading
    self.title = title
    self.author = author
    self.size = size
    self.range = range
    self.book = book
    self.flags = flags
    self.page = page
    self.arrangement = arrangement
    self.spread = spread
  }
}

/// The flags of a caption.
package struct CaptionFlags: OptionSet, Equatable, Sendable {
  /// A bit for each item; its position is the item's number on the wire.
  package let rawValue: UInt8

  /// The open book lies flat, or is on its way there.
  package static let isFlat = CaptionFlags(rawValue: 1)
  /// A leaf waits at the gutter for images.
  package static let waitsForImages = CaptionFlags(rawValue: 2)
  /// No book matches the filter.
  package static let findsNothing = CaptionFlags(rawValue: 4)
  /// The book in the middle of the shelf was left open: opening it continues there.
  package static let isBegun = CaptionFlags(rawValue: 8)
  /// The book in the middle of the shelf cannot be opened.
  package static let cannotOpen = CaptionFlags(rawValue: 16)
  /// The covers of the shelf are a wall.
  package static let isWall = CaptionFlags(rawValue: 32)
  /// The book is in the recording that is played, and not in the library any more.
  package static let isLost = CaptionFlags(rawValue: 64)

  /// All flags with a meaning.
  static let known: CaptionFlags = [
    .isFlat, .waitsForImages, .findsNothing, .isBegun, .cannotOpen, .isWall, .isLost,
  ]

  /// Creates a set from its bits.
  package init(rawValue: UInt8) { self.rawValue = rawValue }
}

extension Caption {
  init(from reader: inout ByteReader) throws(WireError) {
    let screen = try reader.choice(Screen.self, "screen")
    let index = try reader.uint32("index")
    self.init(screen: screen, index: index, count: try reader.uint32("count"))
    heading = try reader.string("heading")
    title = try reader.string("title")
    author = try reader.string("author")
    size = try reader.uint32("size")
    range = try reader.range()
    book = try reader.string("book")
    flags = try reader.set("flags", known: CaptionFlags.known)
    page = try reader.uint32("page")
    let order = try reader.choice(Arrangement.Order.self, "order")
    arrangement = Arrangement(order: order, filter: try reader.string("filter"))
    for _ in 0..<(try reader.uint8("spread")) { spread.append(try reader.number("spread")) }
  }
}

extension [UInt8] {
  mutating func appendCaption(_ caption: Caption) {
    beginServer(.caption)
    append(caption.screen.rawValue)
    append32(caption.index)
    append32(caption.count)
    appendString(caption.heading)
    appendString(caption.title)
    appendString(caption.author)
    append32(caption.size)
    appendRange(caption.range)
    appendString(caption.book)
    appendSet(caption.flags)
    append32(caption.page)
    append(caption.arrangement.order.rawValue)
    appendString(caption.arrangement.filter)
    let spread = caption.spread.prefix(Int(UInt8.max))
    append(UInt8(spread.count))
    for id in spread { appendNumber(id) }
  }
}

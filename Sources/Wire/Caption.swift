internal import Bytes
package import Scene

/// The state of a stage as data; pages turn it into words.
package struct Caption: Equatable, Sendable {
  /// The screen that it describes.
  package var screen: Screen
  /// The position, from 0, of the collection, the book, or the stop of the open book.
  package var index: UInt32 = 0
  /// The number of positions.
  package var count: UInt32 = 0
  /// The collection's title.
  package var heading = ""
  /// The book's title.
  package var title = ""
  /// The book's author.
  package var author = ""
  /// The number of books of the collection in the list, or of pages of the book.
  package var size: UInt32 = 0
  /// The open pages, or those at which the book in the middle of the shelf was left.
  package var range = PageRange()
  /// The id of the book that is open or in the middle of the shelf; empty if there is none.
  package var book = ""
  /// Flags about the open book, the book in the middle of the shelf, and the filter.
  package var flags: CaptionFlags = []
  /// The first page of the open spread, from 0; 0 if no book is open.
  package var page: UInt32 = 0
  /// The arrangement of the room's library.
  package var arrangement = Arrangement()
  /// The ids of the elements of the open spread; empty if no book is open.
  package var spread: [UInt64] = []

  /// Creates an empty caption.
  package init(screen: Screen) { self.screen = screen }
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
  func coded(by c: inout WireCoder) throws(WireError) -> Caption {
    let screen = try c.choice(screen, "screen")
    var coded = Caption(screen: screen)
    coded.index = try c.number(index, "index")
    coded.count = try c.number(count, "count")
    coded.heading = try c.string(heading, "heading")
    coded.title = try c.string(title, "title")
    coded.author = try c.string(author, "author")
    coded.size = try c.number(size, "size")
    coded.range = try c.range(range)
    coded.book = try c.string(book, "book")
    coded.flags = try c.set(flags, "flags", known: CaptionFlags.known)
    coded.page = try c.number(page, "page")
    let order = try c.choice(arrangement.order, "order")
    coded.arrangement = Arrangement(
      order: order,
      filter: try c.string(arrangement.filter, "filter")
    )
    coded.spread = try c.ids(spread, "spread", UInt8.self)
    return coded
  }
}

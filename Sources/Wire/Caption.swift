internal import Bytes
package import Scene

/// The state of a stage as data and as texts for display.
///
/// The texts are complete: no client needs to join, cut or re-case them.
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
  /// Further details, such as "Pages 4–5 of 32".
  package var detail: String
  /// The open pages for use in a sentence: "pages 4–5"; empty if no book is open.
  package var position: String
  /// The open pages in short form: "4–5 of 32"; empty if no book is open.
  package var label: String
  /// The title of the window.
  package var windowTitle: String
  /// What a screen reader says when this state is reached.
  package var announcement: String
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
    detail: String = "",
    position: String = "",
    label: String = "",
    windowTitle: String = "",
    announcement: String = "",
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
    self.detail = detail
    self.position = position
    self.label = label
    self.windowTitle = windowTitle
    self.announcement = announcement
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

  /// All flags with a meaning.
  static let known: CaptionFlags = [
    .isFlat, .waitsForImages, .findsNothing, .isBegun, .cannotOpen, .isWall,
  ]

  /// Creates a set from its bits.
  package init(rawValue: UInt8) { self.rawValue = rawValue }
}

extension Caption {
  func coded(by c: inout WireCoder) throws(WireError) -> Caption {
    let screen = try c.choice(screen, "screen")
    let (index, count) = (try c.number(index, "index"), try c.number(count, "count"))
    var coded = Caption(screen: screen, index: index, count: count)
    coded.heading = try c.string(heading, "heading")
    coded.title = try c.string(title, "title")
    coded.detail = try c.string(detail, "detail")
    coded.position = try c.string(position, "position")
    coded.label = try c.string(label, "label")
    coded.windowTitle = try c.string(windowTitle, "windowTitle")
    coded.announcement = try c.string(announcement, "announcement")
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

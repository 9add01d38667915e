/// The size at which a page is rendered.
package enum PageSize: String, CaseIterable, Sendable {
  case thumb
  case screen
  case zoom

  /// The height in pixels.
  package var height: Int {
    switch self {
    case .thumb: 300
    case .screen: 1600
    case .zoom: 3200
    }
  }
}

/// A request for the picture of one page.
package struct PageRequest: Sendable {
  /// The id of the book.
  package var book: String
  /// The page, counted from 0.
  package var page: Int
  /// The size of the picture.
  package var size: PageSize
  /// The priority of the request.
  ///
  /// Background requests get smaller files, which take longer to encode.
  package var priority: PrintPriority
  /// The client that waits for the picture.
  package var requester: Requester

  /// Creates a request.
  package init(
    book: String,
    page: Int,
    size: PageSize,
    priority: PrintPriority = .visible,
    requester: Requester = .library
  ) {
    (self.book, self.page, self.size, self.priority) = (book, page, size, priority)
    self.requester = requester
  }
}

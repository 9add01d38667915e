package import Notices
package import PressProtocol

/// A reason that a library cannot answer a request.
package enum LibraryFault: NoticeError, Equatable {
  /// There is no book with this id.
  case noSuchBook(String)
  /// The book has no such page, counted from 0.
  case noSuchPage(Int, count: Int)
  /// The book cannot be read.
  case notReadable(Notice)
  /// The image of a page cannot be shown.
  case unshowable(Notice)
  /// The press failed.
  case press(PressFault)
  /// The disk, the catalogue or the store failed.
  case failed(Notice)
  /// The disk is full.
  case noRoom(Notice)
  /// A correction, or what is requested of a book, is invalid.
  case invalid(Notice)
  /// The server is not permitted to do this.
  case notPermitted(Notice)

  /// Whether the same request may succeed later.
  package var canRetry: Bool {
    switch self {
    case .noSuchBook, .noSuchPage, .unshowable, .invalid, .notPermitted: false
    case .notReadable, .failed, .noRoom: true
    case .press(let fault): !fault.isLasting
    }
  }

  /// The message to readers.
  package var notice: Notice {
    switch self {
    case .noSuchBook(let id): Notice(.noSuchBook, ["book": id])
    case .noSuchPage(let page, let count):
      Notice(
        other: "There is no page \(page). The book has \(count) pages, from 0 to \(count - 1)."
      )
    case .notReadable(let notice), .unshowable(let notice), .failed(let notice),
      .noRoom(let notice), .invalid(let notice), .notPermitted(let notice):
      notice
    case .press(let fault): fault.notice
    }
  }

  /// Creates the fault of a failed catalogue.
  init(_ error: DatabaseError) {
    self = error.isFull ? .noRoom(Notice(.libraryFull)) : .failed(error.notice)
  }
}

package import PressProtocol

/// A reason that a library cannot answer a request.
package enum LibraryFault: Error, Equatable, CustomStringConvertible {
  /// There is no book with this id.
  case noSuchBook(String)
  /// The book has no such page, counted from 0.
  case noSuchPage(Int, count: Int)
  /// The book cannot be read; the reason is written for readers.
  case notReadable(String)
  /// The image of a page cannot be shown; the reason is written for readers.
  case unshowable(String)
  /// The press failed.
  case press(PressFault)
  /// The disk or the catalogue failed; the reason is written for readers.
  case failed(String)
  /// The disk is full; the reason is written for readers.
  case noRoom(String)
  /// A correction is invalid; the text says what to do.
  case badCorrection(String)
  /// The server is not permitted to do this; the text says what to do.
  case notPermitted(String)

  /// Whether the same request may succeed later.
  package var canRetry: Bool {
    switch self {
    case .noSuchBook, .noSuchPage, .unshowable, .badCorrection, .notPermitted: false
    case .notReadable, .failed, .noRoom: true
    case .press(let fault): !fault.isLasting
    }
  }

  /// What is wrong and what to do.
  package var description: String {
    switch self {
    case .noSuchBook(let id): "There is no book \(id) in this library. Look at the list again."
    case .noSuchPage(let page, let count):
      "There is no page \(page). The book has \(count) pages, from 0 to \(count - 1)."
    case .notReadable(let text), .unshowable(let text), .failed(let text), .noRoom(let text),
      .badCorrection(let text), .notPermitted(let text):
      text
    case .press(let fault): fault.message
    }
  }

  /// Creates the fault of a failed catalogue.
  init(_ error: DatabaseError) {
    self = error.isFull ? .noRoom(Self.noRoomText) : .failed("\(error)")
  }

  static let inBinText = "This book is in the bin. Bring it back to read it."

  static let noRoomText =
    "The disk of the library is full, so this could not be stored. Free some space and try again."
}

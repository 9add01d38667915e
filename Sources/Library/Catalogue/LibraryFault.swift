public import PressProtocol

/// A reason that something cannot be had of a library.
public enum LibraryFault: Error, Equatable, CustomStringConvertible {
  /// No book has this id.
  case noSuchBook(String)
  /// The book has no such page, from 0.
  case noSuchPage(Int, count: Int)
  /// The book cannot be read; why, in words for people.
  case notReadable(String)
  /// The press could not make it.
  case press(PressFault)
  /// The disk or the catalogue failed; in words for people.
  case failed(String)
  /// The disk has no room for it; in words for people.
  case noRoom(String)
  /// A correction that makes no sense; what to do.
  case badCorrection(String)

  /// Whether the same may succeed later.
  public var canRetry: Bool {
    switch self {
    case .noSuchBook, .noSuchPage, .badCorrection: false
    case .notReadable, .failed, .noRoom: true
    case .press(let fault): !fault.isLasting
    }
  }

  /// What was wrong and what to do, for a person.
  public var description: String {
    switch self {
    case .noSuchBook(let id): "There is no book \(id) in this library. Look at the list again."
    case .noSuchPage(let page, let count):
      "There is no page \(page). The book has \(count) pages, from 0 to \(count - 1)."
    case .notReadable(let text), .failed(let text), .noRoom(let text), .badCorrection(let text):
      text
    case .press(let fault): fault.message
    }
  }

  /// The catalogue failed.
  init(_ error: DatabaseError) {
    self = error.isFull ? .noRoom(Self.noRoomText) : .failed("\(error)")
  }

  static let noRoomText =
    "The disk of the library is full, so this could not be kept. Free some space and try again."
}

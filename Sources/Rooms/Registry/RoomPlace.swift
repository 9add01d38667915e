internal import Scene
internal import Staging

/// Where the open book of a room is after its ``RoomState`` was stored.
package struct RoomPlace: Codable, Equatable, Sendable {
  /// The room's name.
  package let room: String
  /// The time of the state that this place continues, exactly as stored.
  var stateTime: Double
  /// The place of the book that was opened last; nil if none was.
  let bookmark: BookPlace?
  /// The book that is open; nil if none is.
  let openBook: String?

  /// Whether another place is the same, whatever state it continues.
  func isSame(as other: RoomPlace) -> Bool {
    room == other.room && bookmark == other.bookmark && openBook == other.openBook
  }
}

extension RoomState {
  /// Moves the open book to the place that was stored after this state; a place that continues
  /// another state is outdated.
  package mutating func follow(_ place: RoomPlace) {
    guard place.room == name, place.stateTime == time else { return }
    openBook = place.openBook
    guard let bookmark = place.bookmark else { return }
    places.removeAll { $0.book == bookmark.book }
    places.append(bookmark)
  }
}

extension Room {
  /// Where the room's open book is; the state that this continues is not set yet.
  var place: RoomPlace {
    RoomPlace(
      room: name,
      stateTime: 0,
      bookmark: stage.bookmark,
      openBook: shared.isPlayback ? nil : stage.openBook
    )
  }
}

/// A gesture in progress on the stage.
enum Gesture: Equatable, Sendable {
  /// A drag that moves what the stage shows of the library.
  case library(LibraryDrag)
  /// A drag that moves the book that is off its shelf.
  case book(BookDrag)
  /// A pinch that moves the openness or the pose of the book, or makes the carousel a wall.
  case pinch(PinchGrab)
}

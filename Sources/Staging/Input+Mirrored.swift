internal import Motion
internal import Scene

/// Books that are read from right to left.
///
/// Such a book is the mirror image of a book that is read from left to right: its leaves are
/// computed as if it were one, from mirrored input, and its frames are mirrored.
extension Input {
  /// Returns the input in the mirror; keys and wheels only if they are for the book.
  func mirrored(keys: Bool) -> Input {
    switch self {
    case .tap(let point): .tap(point.mirrored)
    case .touch(let point): .touch(point.mirrored)
    case .pan(let phase, let point): .pan(phase, point.mirrored)
    case .pinch(let phase, let scale, let middle): .pinch(phase, scale: scale, middle.mirrored)
    case .key(let key) where keys: .key(key.mirrored)
    case .wheel(let dx, let dy, let ctrl) where keys: .wheel(dx: -dx, dy: dy, ctrl: ctrl)
    case .key, .wheel, .lay, .close, .jump, .go, .images, .settle: self
    }
  }
}

extension Point {
  fileprivate var mirrored: Point { Point(x: -x, y: y) }
}

extension Key {
  /// The key in the mirror: arrows to the left and to the right change places.
  fileprivate var mirrored: Key {
    switch self {
    case .arrowRight: .arrowLeft
    case .arrowLeft: .arrowRight
    default: self
    }
  }
}

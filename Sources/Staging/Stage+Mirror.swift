internal import Motion
internal import Scene

/// Books that are read from right to left.
///
/// Such a book is the mirror image of a book that is read from left to right: its leaves are
/// computed as if it were one, from mirrored input, and its frames are mirrored.
extension Stage {
  /// Whether the book that was taken last is read from right to left.
  package var isMirrored: Bool {
    taken.place.map { library[$0].progression == .rightToLeft } ?? false
  }

  /// Returns an input as it acts on the leaves of the taken book, if it is for them.
  func mirrored(_ input: Input, at time: Double) -> Input {
    guard isMirrored, taken.isOut(at: time) else { return input }
    return switch input {
    case .tap(let point): .tap(point.mirrored)
    case .touch(let point): .touch(point.mirrored)
    case .pan(let phase, let point): .pan(phase, point.mirrored)
    case .pinch(let phase, let scale, let middle): .pinch(phase, scale: scale, middle.mirrored)
    // A book that closes has given keys and wheels back to its shelf.
    case .key(let key) where destination == .book: .key(key.mirrored)
    case .wheel(let dx, let dy, let ctrl) where destination == .book:
      .wheel(dx: -dx, dy: dy, ctrl: ctrl)
    case .key, .wheel, .lay, .close, .jump, .go, .images, .settle: input
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

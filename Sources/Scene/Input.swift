public import Geometry

/// What a person did, already recognised, in stage points from the stage's centre.
public enum Input: Equatable, Sendable {
  /// A touch or click that neither moved nor lasted.
  case tap(Point)
  /// A one-finger drag; the point is where the finger is.
  case pan(GesturePhase, Point)
  /// A two-finger pinch; the scale is relative to the fingers' first distance.
  case pinch(GesturePhase, scale: Double, Point)
  /// A key, by its DOM name.
  case key(Key)
  /// A wheel notch or trackpad step, in CSS pixels; with ctrl it zooms.
  case wheel(dx: Double, dy: Double, ctrl: Bool)
  /// The open book is to lie flat or to stand up.
  case lay(LayOrder)
  /// One leaf is to turn to the spread of a page, counted from 0.
  case jump(page: Int)
  /// The way to a book, by its id, and into it; without a page to where it was left.
  case go(book: String, opens: Bool, page: Int?)
  /// The pages of the book in the hand whose images the presenter can show: a leaf waits for
  /// others. Nil: nobody is waited for.
  case images(ready: [Int]?)
}

/// The course of a continuous gesture.
public enum GesturePhase: UInt8, Equatable, Sendable, CaseIterable {
  /// The gesture was recognised.
  case began = 0
  /// It moved.
  case changed = 1
  /// The fingers let go.
  case ended = 2
  /// It was taken away; nothing it began shall happen.
  case cancelled = 3
}

/// What one pointer did; raw values are the bytes of the wire.
public enum PointerPhase: UInt8, Equatable, Sendable, CaseIterable {
  /// It touched.
  case down = 0
  /// It moved.
  case move = 1
  /// It was lifted.
  case up = 2
  /// The system took it away.
  case cancel = 3
}

/// What shall become of the open book's pose; raw values are the bytes of the wire.
public enum LayOrder: UInt8, Equatable, Sendable, CaseIterable {
  /// The other of the two.
  case toggle = 0
  /// The book lies flat on the table.
  case flat = 1
  /// Its pages stand up, as paper does.
  case standing = 2
}

/// The keys that mean something; raw values are the bytes of the wire.
public enum Key: UInt8, Equatable, Sendable, CaseIterable {
  /// The right arrow.
  case arrowRight = 1
  /// The left arrow.
  case arrowLeft = 2
  /// The up arrow.
  case arrowUp = 3
  /// The down arrow.
  case arrowDown = 4
  /// Page up.
  case pageUp = 5
  /// Page down.
  case pageDown = 6
  /// Home.
  case home = 7
  /// End.
  case end = 8
  /// Enter opens.
  case enter = 9
  /// Escape goes back.
  case escape = 10
  /// F lays the open book flat or stands it up.
  case keyF = 11
  /// Plus looks nearer.
  case plus = 12
  /// Minus looks from farther away.
  case minus = 13
  /// Zero looks at the whole stage again.
  case zero = 14
}

/// A member's window.
public struct Viewport: Equatable, Sendable {
  /// The size in CSS pixels; both sides are positive and finite.
  public var size: Size
  /// Device pixels for a CSS pixel; positive.
  public var pixelRatio: Double

  /// Creates a viewport.
  /// - Parameters:
  ///   - size: The size in CSS pixels.
  ///   - pixelRatio: Device pixels for a CSS pixel.
  public init(size: Size, pixelRatio: Double = 1) {
    self.size = size
    self.pixelRatio = pixelRatio
  }
}

public import Motion

/// A recognised input of a reader, in stage points from the centre of the stage.
public enum Input: Equatable, Sendable {
  /// A short touch or click without movement.
  case tap(Point)
  /// The point where a finger was put down, directly before the drag that it begins; the drag
  /// begins where the finger is recognised to move.
  case touch(Point)
  /// A one-finger drag, with the position of the finger.
  case pan(GesturePhase, Point)
  /// A two-finger pinch; the scale is relative to the initial distance between the fingers.
  case pinch(GesturePhase, scale: Double, Point)
  /// A key, by its DOM name.
  case key(Key)
  /// A wheel notch or trackpad step, in CSS pixels; with ctrl it zooms.
  case wheel(dx: Double, dy: Double, ctrl: Bool)
  /// Lays the open book flat or stands it up.
  case lay(LayOrder)
  /// Closes the open book onto its front or its back cover, as a turn past its end does.
  case close(onBack: Bool)
  /// Turns one leaf to the spread of a page, counted from 0.
  case jump(page: Int)
  /// Goes to a book by its id, and optionally opens it at a page; without a page, it opens where it
  /// was left.
  case go(book: String, opens: Bool, page: Int?)
  /// Sets the pages of the taken book whose images the presenter can show; a leaf waits for the
  /// images of other pages. Nil if no leaf has to wait.
  case images(ready: [Int]?)
  /// Ends every motion at its target, if no finger holds anything: those who watch see no motion,
  /// so what they do next is meant for what they see.
  case settle
}

/// The phase of a continuous gesture.
public enum GesturePhase: UInt8, Equatable, Sendable, CaseIterable {
  /// The gesture was recognised.
  case began = 0
  /// The fingers moved.
  case changed = 1
  /// The fingers were lifted.
  case ended = 2
  /// The system cancelled the gesture, which must have no effect.
  case cancelled = 3
}

/// The phase of one pointer; raw values are the bytes of the wire.
public enum PointerPhase: UInt8, Equatable, Sendable, CaseIterable {
  /// The pointer touched the surface.
  case down = 0
  /// The pointer moved.
  case move = 1
  /// The pointer was lifted.
  case up = 2
  /// The system cancelled the pointer.
  case cancel = 3
}

/// A change of the open book's pose; raw values are the bytes of the wire.
public enum LayOrder: UInt8, Equatable, Sendable, CaseIterable {
  /// Changes to the other pose.
  case toggle = 0
  /// Lays the book flat on the table.
  case flat = 1
  /// Stands its pages up.
  case standing = 2
}

/// The keys with a meaning; raw values are the bytes of the wire.
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
  /// Enter, which opens.
  case enter = 9
  /// Escape, which goes back.
  case escape = 10
  /// F, which lays the open book flat or stands it up.
  case keyF = 11
  /// Plus, which zooms in.
  case plus = 12
  /// Minus, which zooms out.
  case minus = 13
  /// Zero, which shows the whole stage.
  case zero = 14
}

/// A member's window.
public struct Viewport: Equatable, Sendable {
  /// The size in CSS pixels; both sides are positive and finite.
  public var size: Size
  /// The number of device pixels per CSS pixel; positive.
  public var pixelRatio: Double

  /// Creates a viewport.
  /// - Parameters:
  ///   - size: The size in CSS pixels.
  ///   - pixelRatio: The number of device pixels per CSS pixel.
  public init(size: Size, pixelRatio: Double = 1) {
    self.size = size
    self.pixelRatio = pixelRatio
  }
}

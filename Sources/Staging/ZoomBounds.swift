package import Motion

extension ZoomView {
  /// The sizes that bound the view, in stage points.
  package struct Bounds: Equatable, Sendable {
    /// Half the size of the flat book.
    package var book: Size
    /// Half the size of the window.
    package var window: Size
    /// How far the view may move in any case: to the places at which it is fitted to the pages.
    package var least: Size

    /// Creates bounds.
    package init(book: Size, window: Size, least: Size = Size(width: 0, height: 0)) {
      self.book = book
      self.window = window
      self.least = least
    }

    /// Returns how far the view may move before the book's edge enters the window.
    func limit(zoom: Double) -> Size {
      Size(
        width: max(least.width, zoom * book.width - window.width),
        height: max(least.height, zoom * book.height - window.height)
      )
    }
  }
}

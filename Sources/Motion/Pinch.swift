/// Maps the scale of a pinch to the progress of opening or closing a book.
public enum Pinch {
  /// Returns the progress of opening; six times the initial distance opens a book.
  public static func openingProgress(scale: Double) -> Double {
    min(max((scale - 1) / 5, 0), 1)
  }

  /// Returns the progress of closing; moving the fingers together closes it.
  public static func closingProgress(scale: Double) -> Double {
    min(max(1 - scale, 0), 1)
  }
}

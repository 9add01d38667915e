/// The mapping from the scale of a pinch to the progress of opening or closing a book.
public enum Pinch {
  /// Returns the progress of opening, 0...1; a book is open at six times the initial distance.
  public static func openingProgress(scale: Double) -> Double { min(max((scale - 1) / 5, 0), 1) }

  /// Returns the progress of closing, 0...1; moving the fingers together closes the book.
  public static func closingProgress(scale: Double) -> Double { min(max(1 - scale, 0), 1) }
}

/// How far a pinch has opened or closed a book.
public enum Pinch {
  /// Six times as far apart opens a book.
  public static func openingProgress(scale: Double) -> Double {
    min(max((scale - 1) / 5, 0), 1)
  }

  /// Fingers brought together close it.
  public static func closingProgress(scale: Double) -> Double {
    min(max(1 - scale, 0), 1)
  }
}

@_spi(_Unicode) internal import Swift

/// Text as a filter compares it: capitals, accents and points make no difference.
public enum SearchKey {
  /// Folds a text; what was folded folds to itself.
  ///
  /// Takes letters apart from their marks, drops the marks, and makes what is left small.
  public static func folded(_ text: String) -> String {
    var folded = String.UnicodeScalarView()
    for scalar in text.lowercased()._nfd {
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark: continue
      default: folded.append(contentsOf: plain[scalar] ?? [scalar])
      }
    }
    return String(folded).lowercased()
  }

  /// Letters whose strokes are no marks that could be taken off.
  private static let plain: [Unicode.Scalar: [Unicode.Scalar]] = [
    "ø": ["o"], "ł": ["l"], "đ": ["d"], "ß": ["s", "s"], "æ": ["a", "e"], "œ": ["o", "e"],
    "ı": ["i"],
  ]
}

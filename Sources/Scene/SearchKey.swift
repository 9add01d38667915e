@_spi(_Unicode) internal import Swift

/// Text in the form that filters compare: without case, accents and other marks.
public enum SearchKey {
  /// Folds a text; folding a folded text changes nothing.
  ///
  /// The function decomposes letters, removes their marks, and converts the rest to lower case.
  /// - Complexity: O(n) for any text, because each letter is decomposed separately. The order of
  ///   marks, for which a text would have to be sorted, does not matter once they are removed.
  public static func folded(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      if let byte = scalar.utf8.first, byte < 0x80 {
        bytes.append(0x41...0x5A ~= byte ? byte | 0x20 : byte)
      } else {
        append(scalar, to: &bytes)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    for part in scalar.properties.lowercaseMapping._nfd {
      switch part.properties.generalCategory {
      case .nonspacingMark, .enclosingMark: continue
      default:
        for letter in plain[part] ?? [part] {
          bytes.append(contentsOf: letter.properties.lowercaseMapping.utf8)
        }
      }
    }
  }

  /// Letters with strokes that are not separable marks.
  private static let plain: [Unicode.Scalar: [Unicode.Scalar]] = [
    "ø": ["o"], "ł": ["l"], "đ": ["d"], "ß": ["s", "s"], "æ": ["a", "e"], "œ": ["o", "e"],
    "ı": ["i"],
  ]
}

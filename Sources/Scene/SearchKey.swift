@_spi(_Unicode) internal import Swift

/// Text as a filter compares it: capitals, accents and points make no difference.
public enum SearchKey {
  /// Folds a text; what was folded folds to itself.
  ///
  /// Takes letters apart from their marks, drops the marks, and makes what is left small.
  /// - Complexity: O(n), whatever the text: each letter is taken apart by itself. The order of
  ///   marks, for which a text would have to be sorted, does not matter once they are dropped.
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

  /// Letters whose strokes are no marks that could be taken off.
  private static let plain: [Unicode.Scalar: [Unicode.Scalar]] = [
    "ø": ["o"], "ł": ["l"], "đ": ["d"], "ß": ["s", "s"], "æ": ["a", "e"], "œ": ["o", "e"],
    "ı": ["i"],
  ]
}

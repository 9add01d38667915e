internal import CPoppler

/// Decodes names of entries that are not in UTF-8: programs have written them in the code page of
/// their system, without telling which.
enum EntryNames {
  /// The code pages: those of Japan and China, and that of the ZIP format.
  ///
  /// A converter for each must be opened before the process is confined, because its module cannot
  /// be loaded later.
  static let charsets = ["CP932", "GBK", "IBM437"]

  /// Returns names in UTF-8; those that nothing decodes stay as they are.
  ///
  /// All names of an archive are in the same code page, unless they are in UTF-8.
  static func decoded(_ names: [[UInt8]]) -> [[UInt8]] {
    let old = names.indices.filter { String(validating: names[$0], as: UTF8.self) == nil }
    guard !old.isEmpty else { return names }
    // A name contains no zero byte.
    let bytes = Array(old.map { names[$0] }.joined(separator: [0]))
    for charset in charsets {
      guard let text = text(bytes, in: charset), charset == "IBM437" || isAsian(text, bytes) else {
        continue
      }
      let parts = text.utf8.split(separator: 0, omittingEmptySubsequences: false)
      guard parts.count == old.count else { continue }
      var decoded = names
      for (index, part) in zip(old, parts) { decoded[index] = Array(part) }
      return decoded
    }
    return names
  }

  private static func text(_ bytes: [UInt8], in charset: String) -> String? {
    var count = 0
    let result = bytes.withUnsafeBytes { buffer in
      let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      return g_convert(start, buffer.count, "UTF-8", charset, nil, &count, nil)
    }
    guard let result else { return nil }
    defer { g_free(result) }
    let letters = UnsafeRawBufferPointer(start: result, count: count)
    return String(validating: letters, as: UTF8.self)
  }

  /// Returns whether names are in a code page with two bytes a letter, and were not decoded so by
  /// accident.
  ///
  /// Of two bytes, the second can be a letter of ASCII, as in a word of Latin letters with one
  /// accent. Then there are more Latin letters than others.
  private static func isAsian(_ text: String, _ bytes: [UInt8]) -> Bool {
    var (asian, latin) = (0, 0)
    for name in text.split(separator: "\0") {
      let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name
      for letter in stem.unicodeScalars {
        switch letter.value {
        // The half-width letters are single bytes, which most texts in other code pages have.
        case 0xFF61...0xFF9F: return false
        case 0x3040...0x30FF, 0x4E00...0x9FFF: asian += 1
        case 0x41...0x5A, 0x61...0x7A: latin += 1
        default: break
        }
      }
    }
    let high = bytes.indices.filter { bytes[$0] >= 0x80 }
    let neighbours = zip(high, high.dropFirst()).count { $1 - $0 == 1 }
    return asian > latin || 2 * neighbours >= high.count
  }
}

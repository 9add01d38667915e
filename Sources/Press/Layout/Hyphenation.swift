internal import CHyphen
internal import CPoppler
internal import Glibc

/// Finds where words of a language may be hyphenated, with the patterns of Debian.
///
/// The engine breaks lines at soft hyphens; it has no patterns of its own.
final class Hyphenation {
  /// The folder of the patterns.
  private static let folder = "/usr/share/hyphen"
  /// The shortest word that is hyphenated, in characters.
  private static let lettersMin = 5
  /// The longest word that is hyphenated, in bytes.
  private static let bytesMax = 100
  private static let softHyphen = "\u{AD}"

  /// The charsets of patterns that are not in UTF-8.
  ///
  /// A converter for each must be opened before the
  /// process is confined, because its module cannot be loaded later.
  static let charsets = [
    "ISO8859-1", "ISO8859-2", "ISO8859-5", "ISO8859-7", "ISO8859-13", "KOI8-R",
  ]
  /// The regions of languages whose own code is not that of a country.
  private static let regions = [
    "en": "US", "ca": "ES", "cs": "CZ", "da": "DK", "el": "GR", "nb": "NO", "nn": "NO", "sl": "SI",
    "sr": "RS", "sv": "SE", "uk": "UA",
  ]

  private let patterns: UnsafeMutablePointer<HyphenDict>
  /// The charset of the patterns; nil for UTF-8.
  private let charset: String?
  private var known: [String: String] = [:]

  /// Loads the patterns of a language such as `en-GB`; nil if there are none.
  init?(language: String) {
    let parts = language.split { $0 == "-" || $0 == "_" }
    guard let first = parts.first, parts.allSatisfy({ $0.utf8.allSatisfy(Self.isPlain) }) else {
      return nil
    }
    let tag = first.lowercased() == "no" ? "nb" : first.lowercased()
    let region = parts.dropFirst().first { $0.utf8.count == 2 }?.uppercased()
    let usual = Self.regions[tag] ?? tag.uppercased()
    let names = [region.map { "\(tag)_\($0)" }, "\(tag)_\(usual)", tag].compactMap { $0 }
    var loaded: UnsafeMutablePointer<HyphenDict>?
    for name in names where loaded == nil {
      loaded = hnj_hyphen_load("\(Self.folder)/hyph_\(name).dic")
    }
    guard let found = loaded else { return nil }
    patterns = found
    let name = withUnsafeBytes(of: found.pointee.cset) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    charset = found.pointee.utf8 == 0 ? name : nil
  }

  deinit { hnj_hyphen_free(patterns) }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
  }

  /// Returns a text with soft hyphens in its words; nil if it has none to add.
  func hyphenated(_ text: String) -> String? {
    guard !text.contains("\u{AD}") else { return nil }
    var result = ""
    var word = ""
    var hasChanged = false
    func end() {
      let new = hyphenated(word: word)
      if new.utf8.count != word.utf8.count { hasChanged = true }
      result += new
      word = ""
    }
    for scalar in text.unicodeScalars {
      if scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark {
        word.unicodeScalars.append(scalar)
      } else {
        if !word.isEmpty { end() }
        result.unicodeScalars.append(scalar)
      }
    }
    if !word.isEmpty { end() }
    return hasChanged ? result : nil
  }

  private func hyphenated(word: String) -> String {
    guard word.unicodeScalars.count >= Self.lettersMin, word.utf8.count <= Self.bytesMax else {
      return word
    }
    if let old = known[word] { return old }
    let small = word.lowercased()
    // Of a word whose lower case has another length, the places are unknown.
    guard small.unicodeScalars.count == word.unicodeScalars.count,
      let marks = marks(of: small)
    else { return word }
    var result = ""
    for (index, scalar) in word.unicodeScalars.enumerated() {
      result.unicodeScalars.append(scalar)
      if marks[index] { result += Self.softHyphen }
    }
    if known.count < 50_000 { known[word] = result }
    return result
  }

  /// Returns whether a hyphen may follow each letter of a word in lower case; nil for letters that
  /// the charset of the patterns does not have.
  private func marks(of word: String) -> [Bool]? {
    guard let bytes = encoded(word) else { return nil }
    let count = word.unicodeScalars.count
    // Of words in UTF-8, too, the marks are those of letters.
    var marks = [CChar](repeating: 0, count: bytes.count + 5)
    var replaced: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    var places: UnsafeMutablePointer<Int32>?
    var cuts: UnsafeMutablePointer<Int32>?
    let failed = (bytes + [0]).withUnsafeBufferPointer { buffer in
      hnj_hyphen_hyphenate3(
        patterns,
        buffer.baseAddress,
        Int32(bytes.count),
        &marks,
        nil,
        &replaced,
        &places,
        &cuts,
        2,
        3,
        2,
        3
      )
    }
    // A hyphen that changes the letters around it cannot be a soft one.
    let isChange = (0..<count).map { replaced?[$0] != nil }
    if let replaced { for index in 0..<count { free(replaced[index]) } }
    free(replaced)
    free(places)
    free(cuts)
    guard failed == 0 else { return nil }
    return (0..<count).map { $0 + 1 < count && marks[$0] & 1 == 1 && !isChange[$0] }
  }

  private func encoded(_ word: String) -> [CChar]? {
    guard let charset else { return word.utf8.map { CChar(bitPattern: $0) } }
    var count: gsize = 0
    guard let text = g_convert(word, -1, charset, "UTF-8", nil, &count, nil) else { return nil }
    defer { g_free(text) }
    guard Int(count) == word.unicodeScalars.count else { return nil }
    return Array(UnsafeBufferPointer(start: text, count: Int(count)))
  }
}

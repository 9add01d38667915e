internal import Foundation
internal import PressProtocol

/// The optional `words.json` of a folder of images, which contains the text of its pages for
/// search.
///
/// It is a list with one object per page, in the form in which the server returns the text of a
/// page: `text`, and `words` with their boxes in the order of the text.
enum FolderWords {
  /// The maximum size of the file, in bytes.
  static let bytesMax = 4 << 20
  /// The maximum number of words with boxes on a page, as for a document.
  private static let wordsMax = 20_000

  private struct Page: Decodable {
    var text: String?
    var words: [Word]?
  }

  /// One word as [x0, y0, x1, y1, "word"].
  private struct Word: Decodable {
    var box: Box
    var word: String

    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      let edges = try (0..<4).map { _ in try list.decode(Double.self) }
      box = Box(x0: edges[0], y0: edges[1], x1: edges[2], y1: edges[3])
      word = try list.decode(String.self)
    }
  }

  /// Returns the texts of at most the given number of pages.
  static func contents(_ bytes: [UInt8], pages: Int) throws -> [PageContent] {
    let listed = try JSONDecoder().decode([Page].self, from: Data(bytes))
    return listed.prefix(pages).map { page in
      let text = page.text ?? ""
      let words = page.words.map { placed($0.prefix(wordsMax), in: Array(text.utf8)) } ?? []
      return PageContent(text: text, words: words)
    }
  }

  /// Returns the words that occur in the text, in its order; other boxes are ignored.
  private static func placed(_ words: ArraySlice<Word>, in text: [UInt8]) -> [WordBox] {
    var found: [WordBox] = []
    var place = 0
    for word in words {
      while place < text.count, text[place] <= 0x20 { place += 1 }
      let letters = Array(word.word.utf8)
      guard !letters.isEmpty, text[place...].starts(with: letters) else { continue }
      found.append(WordBox(start: place, length: letters.count, box: word.box))
      place += letters.count
    }
    return found
  }
}

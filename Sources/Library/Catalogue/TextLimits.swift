internal import PressProtocol

/// How long texts may be that somebody else wrote, in bytes of UTF-8.
///
/// The catalogue holds to them whoever hands it a text, and again when it reads what an earlier
/// program kept: titles are folded, compared and sent to everybody each time the shelf changes.
enum TextLimits {
  /// A title or an author, of a file or as corrected.
  static let title = 1000
  /// A file's name, of which the system allows 255 bytes and an upload anything.
  static let fileName = 500
  /// A language tag.
  static let language = 64
  /// Why a book cannot be read.
  static let failure = 2000
  /// The printed number of a page.
  static let label = 64
  /// A line of a table of contents, and how many there may be.
  static let outlineTitle = 500
  static let outlineEntries = 20_000
  static let outlineDepth = 64
  /// The text of a page.
  static let page = 1 << 20
  /// The address that a link leads to.
  static let uri = 4096
  /// A collection's title.
  static let collection = 480
  /// A password; no document has a longer one.
  static let password = 1000
  /// What somebody looks for.
  static let query = 800

  /// A text that is at most so long, an ellipsis in place of what is cut.
  /// - Complexity: O(limit).
  static func cut(_ text: String, to limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    let kept = text.utf8.prefix(max(0, limit - 3))
    return whole(kept) + "…"
  }

  /// The beginning of a text, without a letter that was cut in two.
  static func whole(_ bytes: some BidirectionalCollection<UInt8>) -> String {
    var bytes = bytes[...]
    var tail = 0
    // A letter has four bytes at most.
    while tail < 4, let last = bytes.dropLast(tail).last {
      tail += 1
      if last & 0xC0 == 0x80 { continue }
      let length = last < 0x80 ? 1 : last < 0xE0 ? 2 : last < 0xF0 ? 3 : 4
      if length > tail { bytes = bytes.dropLast(tail) }
      break
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension BookRow {
  /// The book as the catalogue may hold it: texts of a bounded length, numbers that can be drawn.
  ///
  /// What is read goes through this as well as what is written, because a file on the disk may be
  /// damaged, or older than the limits.
  var bounded: BookRow {
    var row = self
    row.title = TextLimits.cut(title, to: TextLimits.title)
    row.author = TextLimits.cut(author, to: TextLimits.title)
    row.fileName = TextLimits.cut(fileName, to: TextLimits.fileName)
    row.language = TextLimits.cut(language, to: TextLimits.language)
    row.failure = failure.map { TextLimits.cut($0, to: TextLimits.failure) }
    row.password = password.utf8.count > TextLimits.password ? "" : password
    row.correction = correction.bounded
    row.pageCount = min(max(0, pageCount), Self.pagesMax)
    (row.pageWidth, row.pageHeight) = PageRow.boundedSize(pageWidth, pageHeight) ?? (1, 1)
    row.blankPages = blankPages.filter { 0..<row.pageCount ~= $0 }
    row.widePages = widePages.filter { 0..<row.pageCount ~= $0 }
    row.revision = min(max(0, revision), Int(UInt32.max))
    row.indexed = min(max(0, indexed), row.pageCount)
    row.thumbed = min(max(0, thumbed), row.pageCount)
    row.added = Self.boundedTime(added) ?? 0
    row.lastRead = lastRead.flatMap(Self.boundedTime)
    row.removed = removed.flatMap(Self.boundedTime)
    if row.state == .ready, row.pageCount == 0 { row.state = .failed }
    return row
  }

  /// The most pages, as the schema has it.
  private static let pagesMax = 20_000

  /// A time in Unix seconds that a calendar has.
  private static func boundedTime(_ time: Double) -> Double? { abs(time) < 1e11 ? time : nil }
}

extension Correction {
  fileprivate var bounded: Correction {
    var correction = self
    correction.title = title.map { TextLimits.cut($0, to: TextLimits.title) }
    correction.author = author.map { TextLimits.cut($0, to: TextLimits.title) }
    return correction
  }
}

extension PageRow {
  /// The page as the catalogue may hold it; without a usable size it has that of its book.
  var bounded: PageRow {
    var page = self
    (page.width, page.height) = Self.boundedSize(width, height) ?? (0, 0)
    page.label = TextLimits.cut(label, to: TextLimits.label)
    return page
  }

  /// A size that can be drawn; `nil` for any other.
  static func boundedSize(_ width: Double, _ height: Double) -> (Double, Double)? {
    let range = 1e-3...1e7
    guard range ~= width, range ~= height, 1e-3...1e3 ~= width / height else { return nil }
    return (width, height)
  }
}

extension OutlineEntry {
  /// The entry as the catalogue may hold it.
  var bounded: OutlineEntry {
    OutlineEntry(
      depth: min(max(0, depth), TextLimits.outlineDepth),
      title: TextLimits.cut(title, to: TextLimits.outlineTitle),
      page: page.flatMap { $0 >= 0 ? $0 : nil }
    )
  }
}

extension PageContent {
  /// The content as the catalogue may hold it: what is beyond the limits is left out.
  var bounded: PageContent {
    var content = self
    let length = text.utf8.count
    if length > TextLimits.page {
      content.text = TextLimits.whole(text.utf8.prefix(TextLimits.page))
    }
    let kept = content.text.utf8.count
    content.words = words.filter { word in
      0...kept ~= word.start && 0...(kept - word.start) ~= word.length
    }
    content.links = links.filter { link in
      switch link.target {
      case .page(let page): page >= 0
      case .uri(let uri): uri.utf8.count <= TextLimits.uri
      }
    }
    return content
  }
}

internal import PressProtocol

/// Limits of texts from outside, in bytes of UTF-8.
///
/// The catalogue applies them to every text it receives, and again to texts that an earlier version
/// stored. Titles are folded, compared and sent to all readers each time the shelf changes.
enum TextLimits {
  /// A title or an author, from a file or a correction.
  static let title = 1000
  /// The name of a file; the system allows 255 bytes, an upload any number.
  static let fileName = 500
  /// A language tag.
  static let language = 64
  /// The reason that a book or a page cannot be read.
  static let failure = 16_000
  /// The label of a page.
  static let label = 64
  /// A title in a table of contents, and the number of its entries.
  static let outlineTitle = 500
  static let outlineEntries = 20_000
  static let outlineDepth = 64
  /// The text of a page.
  static let page = 1 << 20
  /// The address of a link.
  static let uri = 4096
  /// A collection's title.
  static let collection = 480
  /// A password; no document has a longer one.
  static let password = 1000
  /// A search query.
  static let query = 800

  /// Truncates a text to a limit, with an ellipsis in place of the rest.
  /// - Complexity: O(limit).
  static func cut(_ text: String, to limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    let kept = text.utf8.prefix(max(0, limit - 3))
    return whole(kept) + "…"
  }

  /// Returns the beginning of a text without a truncated letter at its end.
  static func whole(_ bytes: some BidirectionalCollection<UInt8>) -> String {
    var bytes = bytes[...]
    var tail = 0
    // A letter has at most four bytes.
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

extension Book {
  /// The book within the limits of the catalogue: bounded texts, and numbers that can be drawn.
  ///
  /// This applies to rows that are read as well as to rows that are written, because a file on the
  /// disk can be damaged or older than the limits.
  var bounded: Book {
    var row = self
    row.file.name = TextLimits.cut(file.name, to: TextLimits.fileName)
    if file.password.utf8.count > TextLimits.password { row.file.password = "" }
    row.metadata = metadata.bounded
    row.shape = shape.bounded
    row.correction = correction.bounded
    row.progress.indexed = min(max(0, progress.indexed), row.pages)
    row.progress.thumbed = min(max(0, progress.thumbed), row.pages)
    row.added = Self.bounded(added) ?? 0
    row.lastRead = lastRead.flatMap(Self.bounded)
    row.correction.deleted = deleted.flatMap(Self.bounded)
    if row.status.state == .ready, row.pages == 0 { row.status.state = .failed }
    return row
  }

  /// Returns a time in Unix seconds if it is within the range of a calendar.
  private static func bounded(_ time: Double) -> Double? { abs(time) < 1e11 ? time : nil }
}

extension BookMetadata {
  fileprivate var bounded: BookMetadata {
    var metadata = self
    metadata.title = TextLimits.cut(title, to: TextLimits.title)
    metadata.author = TextLimits.cut(author, to: TextLimits.title)
    metadata.language = TextLimits.cut(language, to: TextLimits.language)
    metadata.series = series.map {
      Series(
        name: TextLimits.cut($0.name, to: TextLimits.title),
        volume: TextLimits.cut($0.volume, to: TextLimits.label),
        number: TextLimits.cut($0.number, to: TextLimits.label)
      )
    }
    return metadata
  }
}

extension BookShape {
  /// The maximum number of pages in the schema.
  private static let countMax = 20_000

  fileprivate var bounded: BookShape {
    var pages = self
    pages.count = min(max(0, count), Self.countMax)
    (pages.width, pages.height) = PageRow.boundedSize(width, height) ?? (1, 1)
    pages.blank = blank.filter { 0..<pages.count ~= $0 }
    pages.wide = wide.filter { 0..<pages.count ~= $0 }
    pages.revision = min(max(0, revision), Int(UInt32.max))
    return pages
  }
}

extension Correction {
  /// The corrections within the limits of the catalogue.
  var bounded: Correction {
    var correction = self
    correction.title = title.map { TextLimits.cut($0, to: TextLimits.title) }
    correction.author = author.map { TextLimits.cut($0, to: TextLimits.title) }
    return correction
  }
}

extension PageRow {
  /// The page within the limits of the catalogue; without a usable size it gets that of its book.
  var bounded: PageRow {
    var page = self
    (page.width, page.height) = Self.boundedSize(width, height) ?? (0, 0)
    page.label = TextLimits.cut(label, to: TextLimits.label)
    return page
  }

  /// Returns a size that can be drawn; `nil` for any other.
  static func boundedSize(_ width: Double, _ height: Double) -> (Double, Double)? {
    let range = 1e-3...1e7
    guard range ~= width, range ~= height, 1e-3...1e3 ~= width / height else { return nil }
    return (width, height)
  }
}

extension OutlineEntry {
  /// The entry within the limits of the catalogue.
  var bounded: OutlineEntry {
    OutlineEntry(
      depth: min(max(0, depth), TextLimits.outlineDepth),
      title: TextLimits.cut(title, to: TextLimits.outlineTitle),
      page: page.flatMap { $0 >= 0 ? $0 : nil }
    )
  }
}

extension PageContent {
  /// The content within the limits of the catalogue; content beyond them is omitted.
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

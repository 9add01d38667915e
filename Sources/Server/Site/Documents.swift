internal import Foundation
package import Library
internal import Notices
internal import PressProtocol
internal import Rooms
internal import Scene
internal import Telemetry

// The JSON shapes of the API. Pages are counted from 0; boxes are x0, y0, x1, y1 in fractions of
// the page, from the upper left corner.

/// The health of the server, for a monitor that asks often.
struct HealthJSON: Encodable {
  /// The time from an input to its frame, as quantiles in milliseconds.
  struct Latency: Encodable {
    var p50, p99: Double
    var count: UInt64

    init(_ histogram: Histogram) {
      p50 = histogram.quantile(0.5) * 1000
      p99 = histogram.quantile(0.99) * 1000
      count = histogram.count
    }
  }

  /// The state of the library.
  struct Shelf: Encodable {
    private enum CodingKeys: CodingKey { case books, waiting, scanSeconds }

    var books, waiting: Int
    var scanSeconds: Double?

    init(_ library: BookLibrary) {
      books = library.bookCount
      waiting = library.waiting
      scanSeconds = library.scanSeconds
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(books, forKey: .books)
      try container.encode(waiting, forKey: .waiting)
      // Null, and not absent, until the first scan has ended.
      try container.encode(scanSeconds, forKey: .scanSeconds)
    }
  }

  var status = "ok"
  var rooms, members: Int
  var messagesSent: UInt64
  var inputToFrameMilliseconds: Latency
  var library: Shelf
}

package struct BookJSON: Encodable {
  private enum CodingKeys: CodingKey {
    case id, title, author, language, direction, stock, spreads, shifted
    case format, collection, collections, state
    case flows
    case pages, cover, searchable, added, lastRead, failure, notice, mayRetry, source, deleted
  }

  let book: Book

  package init(_ book: Book) { self.book = book }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(book.id, forKey: .id)
    try container.encode(book.title, forKey: .title)
    try container.encode(book.author, forKey: .author)
    try container.encode(book.language, forKey: .language)
    try container.encode(book.direction.name, forKey: .direction)
    try container.encode(book.stock.name, forKey: .stock)
    try container.encodeIfPresent(book.hasSpreads, forKey: .spreads)
    try container.encode(book.isShifted, forKey: .shifted)
    try container.encode(book.format, forKey: .format)
    try container.encode(book.collection, forKey: .collection)
    let collections = book.collections
    if collections.count > 1 { try container.encode(collections, forKey: .collections) }
    try container.encode(book.state.rawValue, forKey: .state)
    if book.flows { try container.encode(true, forKey: .flows) }
    try container.encode(book.pages, forKey: .pages)
    try container.encode(book.cover, forKey: .cover)
    try container.encode(book.searchable, forKey: .searchable)
    try container.encode(book.added, forKey: .added)
    try container.encodeIfPresent(book.lastRead, forKey: .lastRead)
    try container.encodeIfPresent(book.failure?.message, forKey: .failure)
    try container.encodeIfPresent(book.failure, forKey: .notice)
    try container.encode(book.source.rawValue, forKey: .source)
    try container.encodeIfPresent(book.deleted, forKey: .deleted)
    // Whether a password or another try may help; only if the book cannot be read.
    if book.state != .ready { try container.encode(book.mayRetry, forKey: .mayRetry) }
  }
}

/// How far the imports from the folder are; both numbers are 0 while no book waits.
struct ImportsJSON: Encodable {
  var done, total: Int

  init(_ library: BookLibrary) { (done, total) = library.imports ?? (0, 0) }
}

/// A book on a ledge; the box is in fractions of the ledge's drawing, before the spine leans.
struct SpineJSON: Encodable {
  var book, title: String
  var box: [Double]
  var lean: Double

  init(book: String, title: String, spot: SpineSpot) {
    self.book = book
    self.title = title
    box = [spot.x, spot.y, spot.x + spot.width, spot.y + spot.height].map {
      ($0 * 10_000).rounded() / 10_000
    }
    lean = spot.lean
  }
}

struct EntryJSON: Encodable {
  var depth: Int
  var title: String
  var page: Int?
  /// The label of that page.
  var label: String?

  init(_ entry: OutlineEntry, _ labels: [String]) {
    depth = entry.depth
    title = entry.title
    page = entry.page.flatMap { labels.indices.contains($0) ? $0 : nil }
    label = page.map { labels[$0] }
  }
}

struct PagesJSON: Encodable {
  /// A place where the book can be open.
  struct Stop: Encodable {
    /// The page to jump to.
    var page: Int
    /// The labels of its pages.
    var labels: [String]
    /// The English name of the place, such as "Pages 4–5".
    var words: String
  }

  var labels: [String]
  var stops: [Stop]

  init(_ book: CatalogueBook) {
    labels = book.allLabels
    stops = (0..<(book.pageCount == 0 ? 0 : book.spreadCount)).map { spread in
      let pages = book.pages(ofSpread: spread)
      let range = PageRange(labels: pages.map { book.labels[$0] })
      return Stop(page: pages.first ?? 0, labels: range.labels, words: range.name)
    }
  }
}

struct PageJSON: Encodable {
  /// One word as [x0, y0, x1, y1, "word"].
  struct Word: Encodable {
    var box: [Double]
    var word: String

    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      for number in box { try list.encode(number) }
      try list.encode(word)
    }
  }

  struct Link: Encodable {
    var box: [Double]
    var page: Int?
    var label: String?
    var uri: String?
  }

  var page: Int
  var label: String
  var text: String
  var words: [Word]
  var links: [Link]

  init(_ page: PageText, _ labels: [String]) {
    self.page = page.page
    label = page.label
    text = page.content.text
    let bytes = Array(text.utf8)
    words = page.content.words.map { word in
      let rest = bytes.dropFirst(max(0, word.start))
      let text = String(decoding: rest.prefix(max(0, word.length)), as: UTF8.self)
      return Word(box: word.box.list, word: text)
    }
    links = page.content.links.compactMap { link in
      switch link.target {
      case .page(let page):
        labels.indices.contains(page)
          ? Link(box: link.box.list, page: page, label: labels[page]) : nil
      case .uri(let uri): Link(box: link.box.list, uri: uri)
      }
    }
  }
}

extension Box {
  /// The edges as fractions, rounded to 1/10,000, which is finer than a pixel of any screen.
  fileprivate var list: [Double] { [x0, y0, x1, y1].map { ($0 * 10_000).rounded() / 10_000 } }
}

struct SearchJSON: Encodable {
  var query: String
  /// Whether the book's text can be searched; only in the result for one book.
  var words: String?
  /// The books with such a title or author; only in the result for all books.
  var titles: [Title]?
  var hits: [HitJSON]

  struct Title: Encodable {
    let book, title, author: String

    init(_ found: Book) { (book, title, author) = (found.id, found.title, found.author) }
  }
}

struct HitJSON: Encodable {
  var book, title, label: String
  var page: Int
  /// The text around the hit; every second part, beginning with the second, is a match.
  var snippet: [String]
  var boxes: [[Double]]

  init(_ hit: SearchHit) {
    book = hit.book
    title = hit.title
    page = hit.page
    label = hit.label
    snippet = hit.snippet.reduce(into: [""]) { parts, part in
      // Even indices are the text between matches; it is empty between two adjacent matches.
      if part.isMatch != parts.count.isMultiple(of: 2) { parts.append("") }
      parts[parts.count - 1] += part.text
    }
    boxes = hit.boxes.map(\.list)
  }
}

struct UploadJSON: Encodable {
  var id, name, state: String
  var offset, size: Int
  var book: String?
  var error: String?
  var notice: Notice?
  /// Whether uploading the same file again may succeed.
  var retry: Bool?

  init(_ upload: Upload) {
    id = upload.id
    name = upload.name
    size = upload.size
    offset = upload.offset
    switch upload.state {
    case .receiving: state = "receiving"
    case .importing: state = "importing"
    case .done(let book):
      state = "done"
      self.book = book
    case .failed(let notice, let canRetry):
      state = "failed"
      error = notice.message
      self.notice = notice
      retry = canRetry
    }
  }
}

struct NewUploadJSON: Decodable {
  var name: String
  var size: Int
  var collection: String?
}

/// An edition of a book, and its page with the same text.
struct EditionJSON: Encodable {
  var id, title, size: String
  var page: Int

  init(_ edition: Edition) {
    (id, title, page) = (edition.book.id, edition.book.title, edition.page)
    size = edition.book.isLargePrint ? "large" : "standard"
  }
}

struct NewEditionJSON: Decodable {
  var size: String
  var title: String?
}

struct KeyJSON: Decodable {
  var password: String
}

struct EditJSON: Decodable {
  var title: String?
  var author: String?
  var direction: String?
  var stock: String?
  var cover: Int?
  var spreads: Bool?
  var shifted: Bool?

  /// The direction; nil if there is none, or an unknown one.
  var progression: Progression? { direction.flatMap(Progression.init(name:)) }

  /// The paper stock; nil if there is none, or an unknown one.
  var paperStock: PaperStock? { stock.flatMap(PaperStock.init(name:)) }

  var edit: Correction {
    Correction(
      title: title,
      author: author,
      direction: progression,
      stock: paperStock,
      cover: cover,
      hasSpreads: spreads,
      isShifted: shifted
    )
  }
}

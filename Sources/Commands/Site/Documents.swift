internal import Foundation
internal import Library

// The shapes of the JSON that the server speaks; pages count from 0, boxes are x0, y0, x1, y1 in
// fractions of the page from its top left.

struct BookJSON: Encodable {
  var id, title, author, language, direction, format, collection, state: String
  var pages: Int
  var added: Double
  var lastRead: Double?
  var failure: String?

  init(_ book: BookRecord) {
    id = book.id
    title = book.title
    author = book.author
    language = book.language
    direction = book.progression == .rightToLeft ? "rtl" : "ltr"
    format = "\(book.format)"
    collection = book.collection
    state = "\(book.state)"
    pages = book.pageCount
    added = book.added
    lastRead = book.lastRead
    failure = book.failure
  }
}

struct EntryJSON: Encodable {
  var depth: Int
  var title: String
  var page: Int?

  init(_ entry: OutlineEntry) {
    depth = entry.depth
    title = entry.title
    page = entry.page
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
    var uri: String?
  }

  var page: Int
  var label: String
  var text: String
  var words: [Word]
  var links: [Link]

  init(page: Int, _ content: PageText) {
    self.page = page
    label = content.label
    text = content.text
    words = content.words.map { Word(box: $0.box.list, word: $0.word) }
    links = content.links.map { Link(box: $0.box.list, page: $0.page, uri: $0.uri) }
  }
}

struct SearchJSON: Encodable {
  var query: String
  var hits: [HitJSON]
}

struct HitJSON: Encodable {
  var book, title, label, snippet: String
  var page: Int
  var boxes: [[Double]]

  init(_ hit: SearchHit) {
    book = hit.book
    title = hit.title
    page = hit.page
    label = hit.label
    snippet = hit.snippet
    boxes = hit.boxes.map(\.list)
  }
}

struct UploadJSON: Encodable {
  var id, name, state: String
  var offset, size: Int
  var book: String?
  var error: String?

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
    case .failed(let message):
      state = "failed"
      error = message
    }
  }
}

struct NewUploadJSON: Decodable {
  var name: String
  var size: Int
  var collection: String?
}

struct KeyJSON: Decodable {
  var password: String
}

struct EditJSON: Decodable {
  var title: String?
  var author: String?
  var direction: String?
  var cover: Int?
}

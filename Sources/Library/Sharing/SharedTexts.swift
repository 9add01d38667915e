internal import Foundation
internal import PressProtocol
internal import SharedStore

/// The text of consecutive pages, as a blob in a store.
struct SharedTexts: Codable, Equatable, Sendable {
  struct Page: Codable, Equatable, Sendable {
    var text: String?
    /// The words, in the compact form of the catalogue.
    var words: Data?
    var links: [Link]?
  }

  struct Link: Codable, Equatable, Sendable {
    /// The left, top, right and bottom edges.
    var box: [UInt16]
    var page: Int?
    var uri: String?
  }

  var pages: [Page]

  /// The size from which a blob takes no further page, in bytes.
  static let bytesEnough = 2 << 20
  /// The maximum size of a blob, in bytes.
  static let bytesMax = 64 << 20
  /// The maximum number of pages in a blob.
  static let pagesMax = 256

  init(_ contents: [PageContent]) { pages = contents.map(Page.init) }

  /// The contents of the pages, within the limits of the catalogue.
  var contents: [PageContent] { pages.map(\.content) }
}

extension SharedTexts.Page {
  init(_ content: PageContent) {
    self.init(
      text: content.text.isEmpty ? nil : content.text,
      words: content.words.isEmpty ? nil : Data(WordCoding.encoded(content.words)),
      links: content.links.isEmpty ? nil : content.links.map(SharedTexts.Link.init)
    )
  }

  /// Whether the page has nothing.
  var isEmpty: Bool { text == nil && words == nil && links == nil }

  /// The approximate size in bytes.
  var size: Int {
    40 + (text?.utf8.count ?? 0) + 4 * (words?.count ?? 0) / 3 + 60 * (links?.count ?? 0)
  }

  fileprivate var content: PageContent {
    PageContent(
      text: text ?? "",
      words: WordCoding.decoded(words.map { Array($0) } ?? []),
      links: (links ?? []).compactMap(\.link)
    )
  }
}

extension SharedTexts.Link {
  fileprivate init(_ link: LinkBox) {
    let box = [link.box.left, link.box.top, link.box.right, link.box.bottom]
    switch link.target {
    case .page(let page): self.init(box: box, page: page, uri: nil)
    case .uri(let uri): self.init(box: box, page: nil, uri: uri)
    }
  }

  fileprivate var link: LinkBox? {
    guard box.count == 4, let target = page.map(LinkBox.Target.page) ?? uri.map(LinkBox.Target.uri)
    else { return nil }
    return LinkBox(
      box: Box(left: box[0], top: box[1], right: box[2], bottom: box[3]),
      target: target
    )
  }
}

/// Encodes records for a store; equal records have equal bytes.
enum SharedCoding {
  static func bytes(_ record: some Encodable) throws(SharingFault) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do { return Array(try encoder.encode(record)) } catch {
      throw .unreadable("it cannot be encoded: \(error)")
    }
  }

  static func record<T: Decodable>(_ type: T.Type, _ bytes: [UInt8]) throws(SharingFault) -> T {
    do { return try JSONDecoder().decode(type, from: Data(bytes)) } catch {
      throw .unreadable("it cannot be decoded")
    }
  }
}

/// A reason that a record could not be exchanged with the store.
enum SharingFault: Error, CustomStringConvertible {
  case store(BlobStoreError)
  case catalogue(DatabaseError)
  case file(FileFault)
  /// The record is not in the form of this version.
  case unreadable(String)
  /// The file of a book has changed meanwhile.
  case changed

  /// Whether the store as a whole is out of reach.
  var isOutage: Bool { if case .store(let error) = self { error.isOutage } else { false } }

  var description: String {
    switch self {
    case .store(let error): error.description
    case .catalogue(let error): "\(error)"
    case .file(let fault): "\(fault)"
    case .unreadable(let text): "A record of the store was skipped: \(text)."
    case .changed: "The file of a book changed while it was published; it is tried again."
    }
  }
}

internal import Bytes
internal import PressProtocol

/// A FictionBook (FB2): one XML file with the text, notes and pictures of a book.
struct FictionBook {
  let publication: Publication

  /// The maximum size of a file in bytes; its pictures are in it.
  static let bytesMax = 64 << 20

  private typealias Node = MarkupDocument.Node

  /// Reads a book; nil if it has no text.
  init?(_ bytes: [UInt8]) {
    guard let source = MarkupDocument(bytes, as: .xml),
      MarkupDocument.name(of: source.root) == "FictionBook"
    else { return nil }
    var text = FictionText()
    var book = WrittenBook()
    var parts: [(title: String, nodes: [Node])] = []
    for element in FictionText.children(of: source.root) {
      switch MarkupDocument.name(of: element) {
      case "description": Self.describe(&book, by: element)
      case "body": parts += Self.parts(of: element)
      case "binary": text.addPicture(element)
      default: break
      }
    }
    for (index, part) in parts.enumerated() {
      for node in part.nodes { text.noteIDs(in: node, file: WrittenBook.name(ofChapter: index)) }
    }
    book.chapters = parts.map { part in
      text.sections = []
      let body = part.nodes.map { text.html(of: $0, level: 1) }.joined()
      return WrittenBook.Chapter(title: part.title, body: body, sections: text.sections)
    }
    book.pictures = text.pictures
    book.cover = text.name(ofPicture: book.cover) ?? ""
    book.style = FictionText.style
    guard let publication = book.publication(.fictionBook) else { return nil }
    self.publication = publication
  }

  /// Reads the title, the authors, the language and the picture on the cover.
  private static func describe(_ book: inout WrittenBook, by description: Node) {
    let children = FictionText.children
    guard
      let info = children(description).first(where: { MarkupDocument.name(of: $0) == "title-info" })
    else { return }
    var authors: [String] = []
    for field in children(info) {
      let words = MarkupDocument.text(of: field).trimmed
      switch MarkupDocument.name(of: field) {
      case "book-title": book.title = words
      case "lang": book.language = words
      case "author":
        let names = children(field)
          .filter { MarkupDocument.name(of: $0).hasSuffix("-name") }
          .map { MarkupDocument.text(of: $0).trimmed }.filter { !$0.isEmpty }
        let nickname = children(field).first { MarkupDocument.name(of: $0) == "nickname" }
        let author = names.joined(separator: " ")
        authors.append(
          author.isEmpty ? nickname.map { MarkupDocument.text(of: $0).trimmed } ?? "" : author
        )
      case "coverpage":
        book.cover =
          children(field).first.flatMap { MarkupDocument.attribute("href", of: $0) } ?? ""
      default: break
      }
    }
    book.author = authors.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// Divides a body into the text before its first section and its sections.
  ///
  /// The notes of a book stay together.
  private static func parts(of body: Node) -> [(title: String, nodes: [Node])] {
    let isNotes = MarkupDocument.attribute("name", of: body) != nil
    let nodes = FictionText.children(of: body)
    let sections = nodes.filter { MarkupDocument.name(of: $0) == "section" }
    if isNotes || sections.isEmpty {
      return [(FictionText.title(of: body), nodes)]
    }
    let start = nodes.filter { MarkupDocument.name(of: $0) != "section" }
    let front = start.isEmpty ? [] : [(title: "", nodes: start)]
    return front + sections.map { (title: FictionText.title(of: $0), nodes: [$0]) }
  }
}

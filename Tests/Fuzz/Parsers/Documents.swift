import PressProtocol

@testable import Press

/// Reads a package document, and after a zero byte the file that any name in it leads to.
func checkPackage(_ bytes: [UInt8]) throws {
  let texts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false).map(
    Array.init
  )
  guard let root = XMLElement(texts[0]) else { return }
  let book = EPUBPackage(root, path: "OEBPS/package.opf")
  try require(book.facts.fit.fit == book.facts.fit, "\(book.facts) is not fit at once")
  let list = book.contents { _ in texts.count > 1 ? texts[1] : texts[0] }
  let depth = PressLimits.standard.content.outlineDepth
  try require(list.allSatisfy { 0..<depth ~= $0.depth }, "the depths of \(list.map(\.depth))")
  let entries = list.map { OutlineEntry(depth: $0.depth, title: $0.title, page: 0) }
  for reply in [PressReply.opened(book.facts), .outline(entries)] {
    _ = try PressReply(decoding: Array(reply.encoded().dropFirst(PressFrame.headerBytes)))
  }
  for item in book.spine {
    try require(!item.name.split(separator: "/").contains(".."), "\(item.name) leads out")
    _ = (item.canFollow(1, in: book), item.isPicture, item.isDrawing)
  }
  for file in book.files.values { _ = book.supported(file) }
  if texts.count > 1, let text = XMLElement(texts[1]) {
    _ = EPUBPage(text, path: "OEBPS/text/page.xhtml")
  }
}

func checkBook(_ bytes: [UInt8]) throws {
  for publication in [FictionBook(bytes)?.publication, TextBook(bytes)?.publication] {
    guard let facts = publication?.package.facts else { continue }
    let opened = PressReply.opened(facts).encoded()
    _ = try PressReply(decoding: Array(opened.dropFirst(PressFrame.headerBytes)))
  }
  if let encoded = JSONValue(bytes)?.encoded {
    let again = JSONValue(encoded)?.encoded
    // The order of fields may differ.
    try require(again?.count == encoded.count, "\(encoded) becomes \(again ?? [])")
  }
}

func checkImage(_ bytes: [UInt8]) throws {
  let result = Result { () throws(ImageFault) in try ImageHeaders.read(bytes) }
  let colours = SVGColours.fills(bytes)
  // The press sends what it has read, so the server must accept it.
  for reply in [PressReply.headers([result]), .colours(colours)] {
    let again = try PressReply(decoding: Array(reply.encoded().dropFirst(PressFrame.headerBytes)))
    try require(again == reply, "\(reply) arrives as \(again)")
  }
}

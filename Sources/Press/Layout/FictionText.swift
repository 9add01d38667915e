internal import Bytes
internal import CPoppler
internal import CXML

/// Turns the elements of a FictionBook into XHTML.
struct FictionText {
  typealias Node = MarkupDocument.Node

  /// The pictures by the names of their files.
  private(set) var pictures: [String: [UInt8]] = [:]
  /// The names of pictures by their ids, and of the files in which other ids are.
  private var names: [String: String] = [:]
  private var files: [String: String] = [:]
  /// The titled sections in the part that was turned last, with their ids.
  var sections: [(title: String, id: String)] = []

  static let style = """
    .poem{margin:.8em 0 .8em 2em}.stanza{margin:.5em 0}.v{text-indent:0;text-align:start}
    .epigraph{margin:.8em 0 .8em 35%;font-size:.9em}.author{text-align:end;font-style:italic}
    .gap{text-indent:0}figure{margin:.8em 0;text-align:center}
    """

  /// Elements of XHTML by those of a FictionBook, with a class.
  private static let elements: [String: (name: String, style: String)] = [
    "p": ("p", ""), "emphasis": ("em", ""), "strong": ("strong", ""), "strikethrough": ("s", ""),
    "sub": ("sub", ""), "sup": ("sup", ""), "code": ("code", ""), "subtitle": ("h4", ""),
    "poem": ("div", "poem"), "stanza": ("div", "stanza"), "v": ("p", "v"),
    "text-author": ("p", "author"), "date": ("p", "author"), "epigraph": ("blockquote", "epigraph"),
    "cite": ("blockquote", ""), "annotation": ("div", ""), "table": ("table", ""), "tr": ("tr", ""),
    "td": ("td", ""), "th": ("th", ""), "section": ("div", ""), "style": ("span", ""),
  ]

  /// The elements in an element, in order.
  static func children(of node: Node) -> [Node] {
    var children: [Node] = []
    var next = node.pointee.children
    while let child = next {
      if child.pointee.type == XML_ELEMENT_NODE { children.append(child) }
      next = child.pointee.next
    }
    return children
  }

  /// Returns the title of a section in one line; empty if it has none.
  static func title(of section: Node) -> String {
    guard let title = children(of: section).first(where: { MarkupDocument.name(of: $0) == "title" })
    else { return "" }
    return children(of: title).map { MarkupDocument.text(of: $0).trimmed }
      .filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Takes over a picture.
  mutating func addPicture(_ binary: Node) {
    guard let id = MarkupDocument.attribute("id", of: binary),
      let bytes = Self.decoded(MarkupDocument.text(of: binary))
    else { return }
    let isPNG = MarkupDocument.attribute("content-type", of: binary) == "image/png"
    let name = "picture\(pictures.count).\(isPNG ? "png" : "jpg")"
    pictures[name] = bytes
    names[id] = name
  }

  /// Returns the bytes of a text in base64, of which other characters are skipped; nil if there are
  /// none.
  private static func decoded(_ text: String) -> [UInt8]? {
    var count: UInt = 0
    guard let bytes = g_base64_decode(text, &count) else { return nil }
    defer { g_free(bytes) }
    return count > 0 ? Array(UnsafeBufferPointer(start: bytes, count: Int(count))) : nil
  }

  /// Returns the file of a picture by a link to it, such as `#cover.jpg`.
  func name(ofPicture link: String) -> String? { names[String(link.drop { $0 == "#" })] }

  /// Records in which file the ids of a part are.
  mutating func noteIDs(in node: Node, file: String) {
    if let id = MarkupDocument.attribute("id", of: node) { files[id] = file }
    // The depth is limited by the parser.
    for child in Self.children(of: node) { noteIDs(in: child, file: file) }
  }

  /// Returns an element as XHTML; the level is that of the headings in it.
  mutating func html(of node: Node, level: Int) -> String {
    let name = MarkupDocument.name(of: node)
    switch name {
    case "title": return heading(node, level: level)
    case "image": return picture(node)
    case "empty-line": return "<p class=\"gap\">&#160;</p>"
    case "a": return link(node)
    case "section": noteSection(node, level: level)
    default: break
    }
    let inner = contents(of: node, level: level + (name == "section" ? 1 : 0))
    guard let (tag, style) = Self.elements[name] else { return inner }
    let kind = style.isEmpty ? "" : " class=\"\(style)\""
    return "<\(tag)\(kind)\(id(of: node))>\(inner)</\(tag)>"
  }

  private mutating func contents(of node: Node, level: Int) -> String {
    var text = ""
    var next = node.pointee.children
    while let child = next {
      if child.pointee.type == XML_ELEMENT_NODE {
        text += html(of: child, level: level)
      } else if child.pointee.type == XML_TEXT_NODE, let content = child.pointee.content {
        text += Markup.escaped(String(cString: content))
      }
      next = child.pointee.next
    }
    return text
  }

  private func id(of node: Node) -> String {
    MarkupDocument.attribute("id", of: node).map { " id=\"\(Markup.escaped($0))\"" } ?? ""
  }

  /// Adds a section within a part to the table of contents.
  private mutating func noteSection(_ section: Node, level: Int) {
    let title = Self.title(of: section)
    guard level == 2, !title.isEmpty else { return }
    let id = MarkupDocument.attribute("id", of: section) ?? "section\(sections.count)"
    MarkupDocument.set("id", to: id, of: section)
    sections.append((title, id))
  }

  private mutating func heading(_ title: Node, level: Int) -> String {
    let lines = Self.children(of: title).map { contents(of: $0, level: level) }
    let tag = "h\(min(max(level, 1), 6))"
    return "<\(tag)>\(lines.filter { !$0.isEmpty }.joined(separator: "<br/>"))</\(tag)>"
  }

  private func picture(_ image: Node) -> String {
    guard let name = MarkupDocument.attribute("href", of: image).flatMap(name(ofPicture:)) else {
      return ""
    }
    let isInLine = image.pointee.parent.map { MarkupDocument.name(of: $0) } == "p"
    let picture = "<img src=\"\(name)\" alt=\"\"/>"
    return isInLine ? picture : "<figure>\(picture)</figure>"
  }

  private mutating func link(_ node: Node) -> String {
    let inner = contents(of: node, level: 6)
    guard let address = MarkupDocument.attribute("href", of: node) else { return inner }
    let target = address.hasPrefix("#") ? (files[String(address.dropFirst())] ?? "") : ""
    let text = MarkupDocument.attribute("type", of: node) == "note" ? "<sup>\(inner)</sup>" : inner
    return "<a href=\"\(Markup.escaped(target + address))\"\(id(of: node))>\(text)</a>"
  }
}

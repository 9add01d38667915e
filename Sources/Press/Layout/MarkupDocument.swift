internal import CXML
internal import Glibc

/// A text of a book as a tree that can be changed, with libxml2.
///
/// It is parsed as XML where it is well formed, and as HTML otherwise. Nothing outside the text is
/// read, and no entity is expanded except the names of characters in HTML.
final class MarkupDocument {
  typealias Node = xmlNodePtr

  private let document: xmlDocPtr
  private(set) var root: Node
  /// How a text is parsed.
  enum Syntax {
    /// As XML where it is well formed, and as HTML otherwise.
    case any
    case html
    /// As XML, also where it is not well formed.
    case xml
  }

  /// Parses a text; nil if it contains no element.
  init?(_ bytes: [UInt8], as syntax: Syntax = .any) {
    let text = Self.namedCharactersReplaced(bytes)
    let parsed =
      switch syntax {
      case .any: Self.xml(text) ?? Self.html(text)
      case .html: Self.html(text)
      case .xml: Self.xml(text, recovers: true)
      }
    guard let parsed else { return nil }
    guard let root = xmlDocGetRootElement(parsed) else {
      xmlFreeDoc(parsed)
      return nil
    }
    (document, self.root) = (parsed, root)
    removeDeclarations()
    if root.pointee.ns == nil { giveNamespaces() }
    resolveEntities()
    resolvePrefixes()
  }

  deinit { xmlFreeDoc(document) }

  private static func xml(_ text: [UInt8], recovers: Bool = false) -> xmlDocPtr? {
    let options =
      (recovers ? XML_PARSE_RECOVER.rawValue : 0)
      | XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
      | XML_PARSE_NOCDATA.rawValue
    return parse(text) { xmlReadMemory($0, $1, nil, nil, Int32(options)) }
  }

  private static func html(_ text: [UInt8]) -> xmlDocPtr? {
    let options =
      HTML_PARSE_NONET.rawValue | HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue
      | HTML_PARSE_NOWARNING.rawValue
    return parse(text) { htmlReadMemory($0, $1, nil, "UTF-8", Int32(options)) }
  }

  private static func parse(
    _ text: [UInt8],
    _ read: (UnsafePointer<CChar>?, Int32) -> xmlDocPtr?
  ) -> xmlDocPtr? {
    text.withUnsafeBytes { buffer in
      read(buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: buffer.count))
    }
  }

  /// Replaces references such as `&nbsp;`, which XML knows only from a document type.
  private static func namedCharactersReplaced(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(UInt8(ascii: "&")) else { return bytes }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      if byte == UInt8(ascii: "&") {
        let name = bytes[(index + 1)...].prefix(9).prefix { isASCIILetterOrDigit($0) }
        if !name.isEmpty, name.endIndex < bytes.endIndex, bytes[name.endIndex] == UInt8(ascii: ";"),
          let character = character(named: Array(name))
        {
          // As a number, whatever the encoding of the text is.
          result += Array("&#\(character.value);".utf8)
          index = name.endIndex + 1
          continue
        }
      }
      result.append(byte)
      index += 1
    }
    return result
  }

  private static func isASCIILetterOrDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Returns the character that HTML gives a name; nil for the five names that XML has as well.
  private static func character(named name: [UInt8]) -> Unicode.Scalar? {
    guard let entry = htmlEntityLookup(name + [0]), entry.pointee.value > 0x7F else { return nil }
    return Unicode.Scalar(entry.pointee.value)
  }

  /// Removes XML declarations that stand elsewhere than at the start: written again, they would
  /// make the text malformed.
  private func removeDeclarations() {
    var declarations: [Node] = []
    func add(from first: Node?) {
      var node = first
      while let current = node {
        node = current.pointee.next
        if current.pointee.type == XML_PI_NODE, let name = current.pointee.name,
          String(cString: name).lowercased() == "xml"
        {
          declarations.append(current)
        }
      }
    }
    add(from: document.pointee.children)
    forEachElement { add(from: $0.pointee.children) }
    for declaration in declarations { Self.remove(declaration) }
  }

  /// Replaces references to entities that the text itself defines by their text; those of other
  /// files have none, and an attribute with a reference is removed.
  private func resolveEntities() {
    var references: [Node] = []
    forEachElement { element in
      var property = element.pointee.properties
      while let current = property {
        property = current.pointee.next
        var part = current.pointee.children
        while let one = part, one.pointee.type != XML_ENTITY_REF_NODE { part = one.pointee.next }
        // libxml2 would expand it without a limit.
        if part != nil { xmlRemoveProp(current) }
      }
      var child = element.pointee.children
      while let current = child {
        if current.pointee.type == XML_ENTITY_REF_NODE { references.append(current) }
        child = current.pointee.next
      }
    }
    for reference in references {
      let content = xmlGetDocEntity(document, reference.pointee.name)?.pointee.content
      if let content, let text = xmlNewDocText(document, content) {
        xmlReplaceNode(reference, text)
        xmlFreeNode(reference)
      } else {
        Self.remove(reference)
      }
    }
  }

  /// Renames elements and attributes with a prefix that is not declared, which the engine takes for
  /// an error.
  private func resolvePrefixes() {
    forEachElement { element in
      let name = Self.name(of: element)
      // Of a declared prefix, the parser makes a namespace.
      if name.contains(":") {
        xmlNodeSetName(element, name.replacing(":", with: "-"))
      }
      var property = element.pointee.properties
      while let current = property {
        property = current.pointee.next
        guard current.pointee.ns == nil, let name = current.pointee.name else { continue }
        let parts = String(cString: name).split(separator: ":")
        guard parts.count > 1, let value = Self.attribute(String(cString: name), of: element) else {
          continue
        }
        xmlRemoveProp(current)
        // A language and a link mean the same without their prefix.
        if parts.last == "lang" || parts.last == "href" {
          xmlSetProp(element, String(parts[parts.count - 1]), value)
        }
      }
    }
  }

  /// Gives the elements of a text without namespaces, as that of HTML, the namespaces of XHTML, SVG
  /// and MathML, by which the engine recognizes them.
  private func giveNamespaces() {
    let namespaces = [
      "svg": "http://www.w3.org/2000/svg", "math": "http://www.w3.org/1998/Math/MathML",
    ]
    var known: [String: xmlNsPtr] = [:]
    func namespace(_ address: String) -> xmlNsPtr? {
      if let old = known[address] { return old }
      let prefix = address.hasSuffix("xhtml") ? nil : known.isEmpty ? "x" : "x\(known.count)"
      let new = xmlNewNs(root, address, prefix)
      known[address] = new
      return new
    }
    forEachElement { element in
      guard element.pointee.ns == nil else { return }
      // In HTML it is an attribute like any other, and would be written twice.
      Self.removeAttribute("xmlns", of: element)
      if let own = namespaces[Self.name(of: element)] {
        xmlSetNs(element, namespace(own))
      } else if let parent = element.pointee.parent, parent.pointee.type == XML_ELEMENT_NODE,
        let inherited = parent.pointee.ns,
        Self.name(of: parent) != "foreignObject"
      {
        xmlSetNs(element, inherited)
      } else {
        xmlSetNs(element, namespace("http://www.w3.org/1999/xhtml"))
      }
    }
  }

  // MARK: What it contains

  /// Visits an element and all elements in it, in the order of the text.
  func forEachElement(in node: Node? = nil, _ work: (Node) -> Void) {
    var next: Node? = node ?? root
    let last = node ?? root
    while let current = next {
      if current.pointee.type == XML_ELEMENT_NODE { work(current) }
      if let child = current.pointee.children, current.pointee.type == XML_ELEMENT_NODE {
        next = child
        continue
      }
      var place: Node? = current
      while let done = place, done != last, done.pointee.next == nil { place = done.pointee.parent }
      next = place == last ? nil : place?.pointee.next
    }
  }

  /// Returns the first element with a name; nil if there is none.
  func first(_ name: String) -> Node? {
    var found: Node?
    forEachElement { if found == nil, Self.name(of: $0) == name { found = $0 } }
    return found
  }

  static func name(of node: Node) -> String {
    node.pointee.name.map { String(cString: $0) } ?? ""
  }

  /// Returns the value of an attribute, whatever its namespace is; nil if there is none.
  static func attribute(_ name: String, of node: Node) -> String? {
    guard let value = xmlGetProp(node, name) else { return nil }
    defer { free(value) }
    return String(cString: value)
  }

  /// The names of the attributes of an element, without their namespaces.
  static func attributes(of node: Node) -> [String] {
    var names: [String] = []
    var property = node.pointee.properties
    while let current = property {
      if let name = current.pointee.name { names.append(String(cString: name)) }
      property = current.pointee.next
    }
    return names
  }

  /// Returns the text of an element and of all elements in it.
  static func text(of node: Node) -> String {
    guard let text = xmlNodeGetContent(node) else { return "" }
    defer { free(text) }
    return String(cString: text)
  }

  // MARK: Changes

  static func set(_ name: String, to value: String, of node: Node) { xmlSetProp(node, name, value) }

  /// Replaces what an element contains by a text.
  func setText(_ text: String, of element: Node) {
    xmlNodeSetContent(element, nil)
    // As a new node, the text needs no escapes.
    if let node = xmlNewDocText(document, text) { xmlAddChild(element, node) }
  }

  /// Removes an attribute, whatever its namespace is.
  static func removeAttribute(_ name: String, of node: Node) {
    var property = node.pointee.properties
    while let current = property {
      property = current.pointee.next
      if let own = current.pointee.name, String(cString: own) == name { xmlRemoveProp(current) }
    }
  }

  /// Removes an element and what it contains.
  static func remove(_ node: Node) {
    xmlUnlinkNode(node)
    xmlFreeNode(node)
  }

  /// Adds an element at the end of another, or at its start.
  @discardableResult
  static func add(
    _ name: String,
    _ attributes: [(String, String)] = [],
    text: String? = nil,
    to parent: Node,
    atStart: Bool = false
  ) -> Node? {
    guard let node = xmlNewNode(parent.pointee.ns, name) else { return nil }
    for (key, value) in attributes { xmlNewProp(node, key, value) }
    if let text { xmlNodeAddContent(node, text) }
    if atStart, let first = parent.pointee.children {
      xmlAddPrevSibling(first, node)
    } else {
      xmlAddChild(parent, node)
    }
    return node
  }

  /// Puts the root, a drawing, into the body of a page.
  /// - Returns: The head and the body of the page.
  func wrapRoot() -> (head: Node, body: Node)? {
    guard let page = xmlNewNode(nil, "html") else { return nil }
    let drawing = root
    xmlDocSetRootElement(document, page)
    root = page
    xmlSetNs(page, xmlNewNs(page, "http://www.w3.org/1999/xhtml", nil))
    guard let head = Self.add("head", to: page), let body = Self.add("body", to: page) else {
      return nil
    }
    xmlAddChild(body, drawing)
    return (head, body)
  }

  /// Replaces the text of each text node outside elements with the given names.
  func replaceTexts(outside names: Set<String>, _ change: (String, Node) -> String?) {
    forEachElement { element in
      guard !names.contains(Self.name(of: element)) else { return }
      var child = element.pointee.children
      while let current = child {
        child = current.pointee.next
        guard current.pointee.type == XML_TEXT_NODE, let content = current.pointee.content,
          let changed = change(String(cString: content), element)
        else { continue }
        // As a new node, the text needs no escapes.
        guard let node = xmlNewDocText(document, changed) else { continue }
        xmlReplaceNode(current, node)
        xmlFreeNode(current)
      }
    }
  }

  /// The document as XML in UTF-8.
  var bytes: [UInt8] {
    var text: UnsafeMutablePointer<xmlChar>?
    var count: Int32 = 0
    // A document type would let the engine look for its definition.
    if let type = xmlGetIntSubset(document) {
      xmlUnlinkNode(UnsafeMutableRawPointer(type).assumingMemoryBound(to: xmlNode.self))
      xmlFreeDtd(type)
    }
    xmlDocDumpMemoryEnc(document, &text, &count, "UTF-8")
    guard let text else { return [] }
    defer { free(text) }
    return Array(UnsafeBufferPointer(start: text, count: Int(count)))
  }
}

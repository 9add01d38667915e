internal import CXML

/// An element of an XML text and its contents, without namespaces.
///
/// libxml2 reads it without access to anything outside the text, and without expanding entities.
struct XMLElement {
  let name: String
  let attributes: [String: String]
  let children: [XMLElement]
  /// The text directly in the element.
  let text: String

  /// Parses a text; `nil` if it is not XML.
  ///
  /// Errors are tolerated as far as possible.
  init?(_ bytes: [UInt8]) {
    let options =
      XML_PARSE_NONET.rawValue | XML_PARSE_RECOVER.rawValue | XML_PARSE_NOERROR.rawValue
      | XML_PARSE_NOWARNING.rawValue
    let document = bytes.withUnsafeBytes { buffer in
      xmlReadMemory(
        buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
        Int32(clamping: buffer.count),
        nil,
        nil,
        Int32(options)
      )
    }
    guard let document else { return nil }
    defer { xmlFreeDoc(document) }
    guard let root = xmlDocGetRootElement(document) else { return nil }
    self.init(root)
  }

  /// Copies a node.
  ///
  /// Without its option for huge texts, the parser limits the depth to 256.
  private init(_ node: xmlNodePtr) {
    name = Self.string(node.pointee.name)
    var attributes: [String: String] = [:]
    var property = node.pointee.properties
    while let current = property {
      attributes[Self.string(current.pointee.name)] = Self.texts(from: current.pointee.children)
      property = current.pointee.next
    }
    self.attributes = attributes
    var children: [XMLElement] = []
    var child = node.pointee.children
    while let current = child {
      if current.pointee.type == XML_ELEMENT_NODE { children.append(XMLElement(current)) }
      child = current.pointee.next
    }
    self.children = children
    text = Self.texts(from: node.pointee.children)
  }

  /// Returns the text nodes among siblings, without references to entities.
  private static func texts(from first: xmlNodePtr?) -> String {
    var text = ""
    var node = first
    while let current = node {
      let type = current.pointee.type
      if type == XML_TEXT_NODE || type == XML_CDATA_SECTION_NODE {
        text += string(current.pointee.content)
      }
      node = current.pointee.next
    }
    return text
  }

  private static func string(_ text: UnsafePointer<UInt8>?) -> String {
    text.map { String(cString: $0) } ?? ""
  }

  /// Returns the first child with a name.
  func first(_ name: String) -> XMLElement? { children.first { $0.name == name } }

  /// Visits the element and all its descendants, in the order of the text.
  func forEach(_ work: (XMLElement) -> Void) {
    work(self)
    for child in children { child.forEach(work) }
  }

  /// The text without surrounding white space.
  var trimmed: String { text.trimmed }
}

extension String {
  /// The text without surrounding white space.
  var trimmed: String {
    let start = drop { $0.isWhitespace }
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...last])
  }
}

internal import CXML
internal import PressProtocol

/// A text of the spine, prepared for the engine: without what does not belong on a page, with the
/// sheet of its pages and with soft hyphens.
struct SpineText {
  private let document: MarkupDocument
  let name: String
  /// The head, to which sheets are added.
  private let head: MarkupDocument.Node
  private let body: MarkupDocument.Node

  /// Elements that are removed with what they contain.
  private static let removed: Set = [
    "script", "iframe", "frame", "frameset", "embed", "applet", "base", "portal",
  ]
  /// Elements whose text is not hyphenated.
  private static let verbatim: Set = [
    "style", "title", "pre", "code", "kbd", "samp", "math", "svg", "rt", "rp",
  ]

  /// Parses a text; nil if it contains no element.
  ///
  /// A drawing becomes the body of a page.
  init?(_ bytes: [UInt8], name: String, isHTML: Bool) {
    guard let document = MarkupDocument(bytes, as: isHTML ? .html : .any) else { return nil }
    guard !Self.removed.contains(MarkupDocument.name(of: document.root).lowercased()) else {
      return nil
    }
    // Before any element is looked up that this removes.
    Self.clean(document)
    self.document = document
    self.name = name
    if MarkupDocument.name(of: document.root) == "svg" {
      guard let page = document.wrapRoot() else { return nil }
      (head, body) = page
      return
    }
    guard let body = document.first("body") ?? document.first("book"),
      let head = document.first("head")
        ?? MarkupDocument.add("head", to: document.root, atStart: true)
    else { return nil }
    (self.head, self.body) = (head, body)
  }

  // MARK: What it contains

  /// The address of each link, as it stands in the text.
  var links: [String] {
    var links: [String] = []
    document.forEachElement { element in
      guard MarkupDocument.name(of: element) == "a" else { return }
      if let address = MarkupDocument.attribute("href", of: element) { links.append(address) }
    }
    return links
  }

  /// The first heading; empty if there is none.
  var heading: String {
    for name in ["h1", "h2", "h3"] {
      if let element = document.first(name) {
        return PressText.line(MarkupDocument.text(of: element), PressText.entry)
      }
    }
    return ""
  }

  /// A heading in the text.
  struct Heading {
    /// Its rank: 1 for the highest.
    let level: Int
    let title: String
    let id: String
  }

  /// Returns the headings of the three highest ranks, in order, and gives an id to each that has
  /// none: the same one whenever the same text is read.
  func identifiedHeadings() -> [Heading] {
    var headings: [Heading] = []
    var count = 0
    document.forEachElement(in: body) { element in
      guard let level = ["h1": 1, "h2": 2, "h3": 3][MarkupDocument.name(of: element)] else {
        return
      }
      count += 1
      let title = PressText.line(MarkupDocument.text(of: element), PressText.entry)
      guard !title.isEmpty else { return }
      let own = MarkupDocument.attribute("id", of: element) ?? ""
      let id = own.isEmpty ? "lecternheading\(count)" : own
      if own.isEmpty { MarkupDocument.set("id", to: id, of: element) }
      headings.append(Heading(level: level, title: title, id: id))
    }
    return headings
  }

  /// Whether its lines, and with them the pages of the engine, run from right to left.
  var isRightToLeft: Bool {
    let direction =
      MarkupDocument.attribute("dir", of: document.root)
      ?? MarkupDocument.attribute("dir", of: body)
    return direction?.lowercased() == "rtl"
  }

  /// The language of the whole text; nil if it does not say.
  var language: String? {
    MarkupDocument.attribute("lang", of: document.root)
      ?? MarkupDocument.attribute("lang", of: body)
  }

  /// The address of its only picture, if it has no words; nil otherwise.
  var onlyPicture: String? {
    guard MarkupDocument.text(of: body).trimmed.isEmpty else { return nil }
    var addresses: [String] = []
    document.forEachElement(in: body) { element in
      switch MarkupDocument.name(of: element) {
      case "img": addresses.append(MarkupDocument.attribute("src", of: element) ?? "")
      case "image": addresses.append(MarkupDocument.attribute("href", of: element) ?? "")
      case "object", "video", "math", "path", "rect", "circle", "use": addresses += ["", ""]
      default: break
      }
    }
    return addresses.count == 1 ? addresses[0] : nil
  }

  /// The size that the page declares, in CSS pixels; nil if it declares none.
  var viewport: (width: Double, height: Double)? {
    var found: (width: Double, height: Double)?
    document.forEachElement(in: head) { element in
      guard found == nil, MarkupDocument.attribute("name", of: element) == "viewport" else {
        return
      }
      found = MarkupDocument.attribute("content", of: element).flatMap { Viewport.size($0) }
    }
    if found == nil, let drawing = document.first("svg"), drawing.pointee.parent == body {
      found = Viewport.size(
        ofDrawing: MarkupDocument.attribute("viewBox", of: drawing),
        MarkupDocument.attribute("width", of: drawing),
        MarkupDocument.attribute("height", of: drawing)
      )
    }
    return found
  }

  // MARK: Changes

  /// States the language of a text that does not, by which the engine chooses letters and lines.
  func state(_ language: String) {
    guard self.language == nil, !language.isEmpty else { return }
    MarkupDocument.set("lang", to: language, of: document.root)
  }

  private static func clean(_ document: MarkupDocument) {
    var unwanted: [MarkupDocument.Node] = []
    var sheets: [MarkupDocument.Node] = []
    document.forEachElement { element in
      let name = MarkupDocument.name(of: element).lowercased()
      // A closed part would not be printed.
      if name == "details" { MarkupDocument.set("open", to: "open", of: element) }
      if element != document.root, removed.contains(name) || isUnwanted(element, name) {
        unwanted.append(element)
      } else if name == "style" {
        sheets.append(element)
      }
      for attribute in MarkupDocument.attributes(of: element) {
        let isHandler = attribute.lowercased().hasPrefix("on")
        if isHandler { MarkupDocument.removeAttribute(attribute, of: element) }
      }
      if let address = MarkupDocument.attribute("href", of: element)?.trimmed.lowercased(),
        address.hasPrefix("javascript:") || address.hasPrefix("file:")
      {
        MarkupDocument.removeAttribute("href", of: element)
      }
      if let style = MarkupDocument.attribute("style", of: element) {
        let adapted = adapted(style)
        if adapted != style { MarkupDocument.set("style", to: adapted, of: element) }
      }
    }
    for element in sheets {
      let sheet = MarkupDocument.text(of: element)
      let adapted = adapted(sheet)
      if adapted != sheet { document.setText(adapted, of: element) }
    }
    // Inner elements come after those that contain them.
    for element in unwanted.reversed() { MarkupDocument.remove(element) }
  }

  /// A page that reloads, and a link to other than a sheet.
  private static func isUnwanted(_ element: MarkupDocument.Node, _ name: String) -> Bool {
    switch name {
    case "meta":
      MarkupDocument.attribute("http-equiv", of: element) != nil
    case "link":
      !(MarkupDocument.attribute("rel", of: element) ?? "").lowercased().split(separator: " ")
        .contains("stylesheet")
    default: false
    }
  }

  /// Returns a style sheet in the terms of the engine, without `position: fixed`, which would
  /// repeat the element on each page.
  static func adapted(_ style: String) -> String {
    var style = style.replacing(/position\s*:\s*fixed/.ignoresCase(), with: "position:absolute")
    if style.contains("-epub-") {
      for (old, new) in properties { style = style.replacing("-epub-" + old, with: new) }
    }
    // Only the soft hyphens of our patterns part words, on each machine at the same places.
    return style.replacing(/hyphens\s*:\s*auto/.ignoresCase(), with: "hyphens:manual")
  }

  /// Properties of EPUB 3.0 that the engine knows by other names.
  private static let properties = [
    ("hyphens", "hyphens"), ("text-align-last", "text-align-last"),
    ("text-emphasis-position", "text-emphasis-position"),
    ("text-combine-horizontal", "text-combine-upright"), ("line-break", "line-break"),
    ("text-underline-position", "text-underline-position"),
  ]

  /// Gives elements to which links lead an id that the engine can print, and makes it print where
  /// they are: it does so for the targets of links in the same text.
  /// - Returns: The names by which the PDF knows the ids.
  func addAnchors(_ ids: Set<String>) -> [String: String] {
    var names: [String: String] = [:]
    document.forEachElement { element in
      guard
        let id = MarkupDocument.attribute("id", of: element)
          ?? (MarkupDocument.name(of: element) == "a"
            ? MarkupDocument.attribute("name", of: element) : nil),
        ids.contains(id), names[id] == nil
      else { return }
      let isPlain = id.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x5F
      }
      let name = isPlain ? id : "lectern-\(names.count)"
      MarkupDocument.set("id", to: name, of: element)
      names[id] = name
    }
    for name in names.values.sorted() {
      MarkupDocument.add("a", [("href", "#" + name), ("hidden", "hidden")], to: body)
    }
    return names
  }

  /// Lets the links in the text lead to the names that ``addAnchors(_:)`` has given.
  func redirectLinks(_ names: [String: String]) {
    document.forEachElement { element in
      guard MarkupDocument.name(of: element) == "a",
        let address = MarkupDocument.attribute("href", of: element),
        let target = EPUBPackage.Target(address, in: name), target.name == name,
        let new = names[target.fragment]
      else { return }
      MarkupDocument.removeAttribute("href", of: element)
      MarkupDocument.set("href", to: "#" + new, of: element)
    }
  }

  /// Adds a sheet before those of the book, and one after them.
  func style(base: String, sheet: String) {
    MarkupDocument.add("style", text: base, to: head, atStart: true)
    MarkupDocument.add("style", text: sheet, to: head)
  }

  /// Adds soft hyphens to the words of languages with patterns.
  ///
  /// Words among letters that run from right to left stay whole: their parts could not be told from
  /// words of their own.
  func hyphenate(_ language: String, _ patterns: (String) -> Hyphenation?) {
    document.replaceTexts(outside: Self.verbatim) { text, element in
      guard !text.unicodeScalars.contains(where: RightToLeftText.isRightToLeft) else { return nil }
      return patterns(Self.language(of: element) ?? language)?.hyphenated(text)
    }
  }

  private static func language(of element: MarkupDocument.Node) -> String? {
    var node: MarkupDocument.Node? = element
    while let current = node, current.pointee.type == XML_ELEMENT_NODE {
      if let language = MarkupDocument.attribute("lang", of: current) { return language }
      node = current.pointee.parent
    }
    return nil
  }

  /// The text as XML.
  var bytes: [UInt8] { document.bytes }
}

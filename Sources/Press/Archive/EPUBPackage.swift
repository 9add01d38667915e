internal import Bytes
internal import PressProtocol

/// The package document of an EPUB, which describes the book and its reading order.
struct EPUBPackage {
  /// A file that the package lists.
  struct File {
    /// Its name in the archive.
    let name: String
    /// Its media type, as declared; may be empty.
    let type: String
    /// The id of the file to show instead if its type is not supported.
    let fallback: String?
    let properties: [Substring]
  }

  /// A part of the book in its reading order.
  struct SpineItem {
    /// The name of its file in the archive.
    var name: String
    /// The media type of the file, as declared.
    var type: String
    /// Whether it is one page of a fixed size.
    let isFixed: Bool
    /// Whether it stands outside the reading order; such parts come last.
    let isAside: Bool
    /// The side of the spread that its first page takes, if the book says so.
    let side: Side?
  }

  /// A side of a spread.
  enum Side {
    case left, right
  }

  private let path: String
  /// The parts of the book, in reading order.
  private(set) var spine: [SpineItem] = []
  /// Whether the book declares a fixed layout.
  private(set) var isFixed = false
  /// The size of pages in pixels that the whole book declares; nil if it declares none.
  private(set) var viewport: (width: Double, height: Double)?
  private(set) var facts: DocumentFacts
  /// The files by their ids.
  private(set) var files: [String: File] = [:]
  /// The name in the archive of the image on the cover; nil if it is not declared.
  private(set) var cover: String?
  /// The text that identifies the book, from which keys of obfuscated fonts are made.
  private(set) var identifier = ""
  /// The names in the archive of the table of contents, and of that of EPUB 2.
  private var navigation, oldNavigation: String?

  /// Reads the package document at a path in the archive.
  init(_ package: XMLElement, path: String, format: DocumentFormat = .epub) {
    self.path = path
    facts = DocumentFacts(format: format)
    let metadata = package.first("metadata")?.children ?? []
    facts.title = Self.value("title", metadata)
    facts.author = metadata.filter { $0.name == "creator" }.map(\.trimmed).joined(separator: ", ")
    facts.language = Self.value("language", metadata)
    let named = Self.values(metadata)
    isFixed =
      named["rendition:layout"] == "pre-paginated" || named["fixed-layout"] == "true"
      || named["fixed-layout"] == "yes"
    viewport =
      named["rendition:viewport"].flatMap { Viewport.size($0) }
      ?? named["original-resolution"].flatMap { Viewport.size(resolution: $0) }
    facts.series = Self.series(metadata, named)
    let chosen = package.attributes["unique-identifier"]
    identifier =
      metadata.first { $0.name == "identifier" && $0.attributes["id"] == chosen }?.trimmed ?? ""
    readManifest(package, coverID: named["cover"])
    readSpine(package, named)
  }

  /// Returns the values of `meta` elements by their names; of several, the first.
  private static func values(_ metadata: [XMLElement]) -> [String: String] {
    var values: [String: String] = [:]
    for element in metadata where element.name == "meta" {
      guard element.attributes["refines"] == nil else { continue }
      if let name = element.attributes["property"] {
        values[name] = values[name] ?? element.trimmed
      } else if let name = element.attributes["name"] {
        values[name] = values[name] ?? element.attributes["content"]?.trimmed
      }
    }
    return values
  }

  /// Returns the series that a collection of EPUB 3 names, or else calibre.
  private static func series(_ metadata: [XMLElement], _ named: [String: String]) -> Series? {
    var refined: [String: String] = [:]
    for element in metadata {
      guard let id = element.attributes["refines"], let property = element.attributes["property"]
      else { continue }
      refined["\(property) \(id)"] = element.trimmed
    }
    for element in metadata where element.attributes["property"] == "belongs-to-collection" {
      let id = "#" + (element.attributes["id"] ?? "")
      // The other type is a set of books that are sold together.
      guard element.attributes["refines"] == nil,
        refined["collection-type \(id)"] ?? "series" == "series"
      else { continue }
      return Series(name: element.trimmed, number: refined["group-position \(id)"] ?? "")
    }
    return named["calibre:series"].map {
      Series(name: $0, number: named["calibre:series_index"] ?? "")
    }
  }

  private mutating func readManifest(_ package: XMLElement, coverID: String?) {
    for item in package.first("manifest")?.children ?? [] {
      guard let id = item.attributes["id"], let address = item.attributes["href"],
        let name = Self.resolve(address, from: path)
      else { continue }
      let properties = item.attributes["properties"]?.split(separator: " ") ?? []
      files[id] = File(
        name: name,
        type: item.attributes["media-type"]?.trimmed.lowercased() ?? "",
        fallback: item.attributes["fallback"],
        properties: properties
      )
      if properties.contains("nav") { navigation = name }
      if properties.contains("cover-image") { cover = name }
    }
    if cover == nil, let file = coverID.flatMap({ files[$0] }), file.type.hasPrefix("image/") {
      cover = file.name
    }
  }

  private mutating func readSpine(_ package: XMLElement, _ metadata: [String: String]) {
    guard let spine = package.first("spine") else { return }
    oldNavigation = spine.attributes["toc"].flatMap { files[$0]?.name }
    switch spine.attributes["page-progression-direction"] {
    case "rtl": facts.direction = .rightToLeft
    case "ltr": facts.direction = .leftToRight
    default:
      // Comics for Amazon's readers.
      if metadata["primary-writing-mode"]?.hasSuffix("-rl") == true {
        facts.direction = .rightToLeft
      }
    }
    let items = spine.children.filter { $0.name == "itemref" }.compactMap { item($0) }
    self.spine = items.filter { !$0.isAside } + items.filter(\.isAside)
  }

  private func item(_ element: XMLElement) -> SpineItem? {
    guard let file = element.attributes["idref"].flatMap({ files[$0] }) else { return nil }
    let shown = supported(file)
    let properties = element.attributes["properties"]?.split(separator: " ") ?? []
    func has(_ names: String...) -> Bool { names.contains { properties.contains($0[...]) } }
    let isFlowing = has("rendition:layout-reflowable", "layout-reflowable")
    let side: Side? =
      has("page-spread-left", "rendition:page-spread-left")
      ? .left : has("page-spread-right", "rendition:page-spread-right") ? .right : nil
    return SpineItem(
      name: shown.name,
      type: shown.type,
      isFixed: isFixed ? !isFlowing : has("rendition:layout-pre-paginated", "layout-pre-paginated"),
      isAside: element.attributes["linear"] == "no",
      side: side
    )
  }

  /// Returns the file itself if its type can be shown, and otherwise the first of its fallbacks
  /// that can.
  func supported(_ file: File) -> File {
    var candidate = file
    // A chain of fallbacks may be a circle.
    for _ in 0..<16 {
      if SpineItem.canShow(candidate.type) { return candidate }
      guard let next = candidate.fallback.flatMap({ files[$0] }) else { break }
      candidate = next
    }
    return file
  }

  private static func value(_ name: String, _ metadata: [XMLElement]) -> String {
    metadata.first { $0.name == name }?.trimmed ?? ""
  }

  /// The maximum number of levels of a table of contents.
  private static let levelsMax = 16

  /// An entry of the table of contents.
  struct ContentsEntry {
    let depth: Int
    let title: String
    /// Where it leads; nil if it leads to no file of the book.
    let target: Target?
  }

  /// A place in the book.
  struct Target: Hashable {
    /// The name of the file in the archive.
    let name: String
    /// The id of the element in it; empty for its start.
    let fragment: String

    init(name: String, fragment: String) { (self.name, self.fragment) = (name, fragment) }

    /// Reads an address in a file; nil if it leads out of the book.
    init?(_ address: String, in file: String) {
      let parts = address.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let path = parts.first.map(String.init) ?? ""
      guard let name = path.isEmpty ? file : EPUBPackage.resolve(path, from: file) else {
        return nil
      }
      self.name = name
      let id = parts.count > 1 ? Hexadecimal.unescaped(parts[1]) : nil
      fragment = id.flatMap { String(validating: $0, as: UTF8.self) } ?? ""
    }
  }

  /// Returns the table of contents, that of EPUB 2 if there is no other, or an empty list.
  func contents(in texts: (String) -> [UInt8]?) -> [ContentsEntry] {
    let entries = navigation.map { navigationList($0, texts($0)) } ?? []
    guard entries.isEmpty, let oldNavigation else { return entries }
    return oldNavigationList(oldNavigation, texts(oldNavigation))
  }

  /// Reads the list of a navigation document (EPUB 3).
  private func navigationList(_ name: String, _ bytes: [UInt8]?) -> [ContentsEntry] {
    guard let text = bytes.flatMap(XMLElement.init) else { return [] }
    var list: XMLElement?
    text.forEach { element in
      guard list == nil, element.name == "nav" else { return }
      let types = element.attributes["type"]?.split(separator: " ") ?? []
      if types.contains("toc") { list = element.first("ol") }
    }
    var entries: [ContentsEntry] = []
    func add(_ list: XMLElement, depth: Int) {
      for item in list.children where item.name == "li" {
        if let line = item.first("a") ?? item.first("span") {
          let target = line.attributes["href"].flatMap { Target($0, in: name) }
          var title = ""
          line.forEach { title += $0.text }
          entries.append(ContentsEntry(depth: depth, title: title.trimmed, target: target))
        }
        if depth + 1 < Self.levelsMax, let inner = item.first("ol") { add(inner, depth: depth + 1) }
      }
    }
    if let list { add(list, depth: 0) }
    return entries
  }

  /// Reads the map of an NCX document (EPUB 2).
  private func oldNavigationList(_ name: String, _ bytes: [UInt8]?) -> [ContentsEntry] {
    var entries: [ContentsEntry] = []
    func add(_ parent: XMLElement, depth: Int) {
      for point in parent.children where point.name == "navPoint" {
        let title = point.first("navLabel")?.first("text")?.trimmed ?? ""
        let target = point.first("content")?.attributes["src"].flatMap { Target($0, in: name) }
        if !title.isEmpty {
          entries.append(ContentsEntry(depth: depth, title: title, target: target))
        }
        if depth + 1 < Self.levelsMax { add(point, depth: depth + 1) }
      }
    }
    if let map = bytes.flatMap(XMLElement.init)?.first("navMap") { add(map, depth: 0) }
    return entries
  }
}

extension EPUBPackage.SpineItem {
  private static let texts = [
    "", "application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document",
  ]
  private static let pictures = ["image/jpeg", "image/png", "image/gif", "image/webp"]

  static func canShow(_ type: String) -> Bool {
    texts.contains(type) || pictures.contains(type) || type == "image/svg+xml"
  }

  /// Whether it is a picture made of pixels.
  var isPicture: Bool { Self.pictures.contains(type) }

  /// Whether it is a drawing.
  var isDrawing: Bool { type == "image/svg+xml" }
}

extension EPUBPackage {
  /// Returns the name in the archive for an address; the name is only compared with other names.
  /// - Returns: `nil` if it leads out of the archive.
  static func resolve(_ address: String, from path: String) -> String? {
    let plain = address.prefix { $0 != "#" && $0 != "?" }
    guard !plain.isEmpty, !plain.contains(":"),
      let decoded = Hexadecimal.unescaped(plain).flatMap({ String(validating: $0, as: UTF8.self) })
    else { return nil }
    var parts = path.split(separator: "/").dropLast().map(String.init)
    if decoded.hasPrefix("/") { parts = [] }
    for part in decoded.split(separator: "/") {
      if part == ".." {
        if parts.popLast() == nil { return nil }
      } else if part != "." {
        parts.append(String(part))
      }
    }
    return parts.joined(separator: "/")
  }
}

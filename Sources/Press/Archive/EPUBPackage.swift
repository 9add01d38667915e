internal import Bytes
internal import PressProtocol

/// The package document of an EPUB, which describes the book and its reading order.
struct EPUBPackage {
  private let path: String
  /// The names of the texts in the archive, in reading order.
  private(set) var spine: [String] = []
  /// Whether the book declares a fixed layout.
  private(set) var isFixed = false
  private(set) var facts = DocumentFacts(format: .epub)
  /// The names in the archive of the table of contents, and of that of EPUB 2.
  private var navigation, oldNavigation: String?

  /// Reads the package document at a path in the archive.
  init(_ package: XMLElement, path: String) {
    self.path = path
    let metadata = package.first("metadata")?.children ?? []
    facts.title = Self.value("title", metadata)
    facts.author = metadata.filter { $0.name == "creator" }.map(\.trimmed).joined(separator: ", ")
    facts.language = Self.value("language", metadata)
    isFixed = metadata.contains { element in
      element.attributes["property"] == "rendition:layout" && element.trimmed == "pre-paginated"
        || element.attributes["name"] == "fixed-layout" && element.attributes["content"] == "true"
    }
    readSpine(package)
  }

  private mutating func readSpine(_ package: XMLElement) {
    var names: [String: String] = [:]
    for item in package.first("manifest")?.children ?? [] {
      guard let id = item.attributes["id"], let address = item.attributes["href"],
        let name = EPUBPath.resolve(address, from: path)
      else { continue }
      names[id] = name
      let properties = item.attributes["properties"]?.split(separator: " ") ?? []
      if properties.contains("nav") { navigation = name }
    }
    guard let spine = package.first("spine") else { return }
    oldNavigation = spine.attributes["toc"].flatMap { names[$0] }
    switch spine.attributes["page-progression-direction"] {
    case "rtl": facts.direction = .rightToLeft
    case "ltr": facts.direction = .leftToRight
    default: break
    }
    self.spine = spine.children.compactMap { item in
      guard item.name == "itemref", item.attributes["linear"] != "no" else { return nil }
      return item.attributes["idref"].flatMap { names[$0] }
    }
  }

  private static func value(_ name: String, _ metadata: [XMLElement]) -> String {
    metadata.first { $0.name == name }?.trimmed ?? ""
  }

  /// The maximum number of levels of a table of contents.
  private static let levelsMax = 16

  /// Returns the table of contents, that of EPUB 2 if there is no other, or an empty list; looks up
  /// the pages of its entries by name.
  func contents(
    in texts: [String: [UInt8]],
    page: (String) -> Int?
  ) -> [OutlineEntry] {
    let entries = navigation.map { navigationList($0, in: texts, page: page) } ?? []
    guard entries.isEmpty, let oldNavigation else { return entries }
    return oldNavigationList(oldNavigation, in: texts, page: page)
  }

  /// Reads the list of a navigation document (EPUB 3).
  private func navigationList(
    _ name: String,
    in texts: [String: [UInt8]],
    page: (String) -> Int?
  ) -> [OutlineEntry] {
    guard let text = texts[name].flatMap(XMLElement.init) else { return [] }
    var list: XMLElement?
    text.forEach { element in
      guard list == nil, element.name == "nav" else { return }
      let types = element.attributes["type"]?.split(separator: " ") ?? []
      if types.contains("toc") { list = element.first("ol") }
    }
    var entries: [OutlineEntry] = []
    func add(_ list: XMLElement, depth: Int) {
      for item in list.children where item.name == "li" {
        if let line = item.first("a") ?? item.first("span") {
          let target = line.attributes["href"].flatMap { EPUBPath.resolve($0, from: name) }
          var title = ""
          line.forEach { title += $0.text }
          entries.append(
            OutlineEntry(depth: depth, title: title.trimmed, page: target.flatMap(page))
          )
        }
        if depth + 1 < Self.levelsMax, let inner = item.first("ol") { add(inner, depth: depth + 1) }
      }
    }
    if let list { add(list, depth: 0) }
    return entries
  }

  /// Reads the map of an NCX document (EPUB 2).
  private func oldNavigationList(
    _ name: String,
    in texts: [String: [UInt8]],
    page: (String) -> Int?
  ) -> [OutlineEntry] {
    var entries: [OutlineEntry] = []
    func add(_ parent: XMLElement, depth: Int) {
      for point in parent.children where point.name == "navPoint" {
        let title = point.first("navLabel")?.first("text")?.trimmed ?? ""
        let target = point.first("content")?.attributes["src"]
          .flatMap { EPUBPath.resolve($0, from: name) }
        if !title.isEmpty {
          entries.append(OutlineEntry(depth: depth, title: title, page: target.flatMap(page)))
        }
        if depth + 1 < Self.levelsMax { add(point, depth: depth + 1) }
      }
    }
    if let map = texts[name].flatMap(XMLElement.init)?.first("navMap") { add(map, depth: 0) }
    return entries
  }
}

/// Addresses within an EPUB.
enum EPUBPath {
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

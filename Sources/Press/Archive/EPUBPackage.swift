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
    /// Whether the package names a place in the file, and not the whole file.
    let isPart: Bool
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
    /// The name of the file that the spine lists, which may be shown by another one.
    let listedName: String
    /// Whether it is one page of a fixed size.
    let isFixed: Bool
    /// Whether it stands outside the reading order; such parts come last.
    let isAside: Bool
    /// The place in a spread that its first page takes, if the book says so.
    let side: Side?
  }

  /// A place in a spread.
  enum Side {
    case left, right
    /// Alone, between both sides.
    case centre
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
    func texts(_ name: String) -> [String] {
      metadata.filter { $0.name == name }.map { Self.directed($0, in: package) }
    }
    facts.title = texts("title").first ?? ""
    facts.author = texts("creator").joined(separator: ", ")
    facts.language = metadata.first { $0.name == "language" }?.trimmed ?? ""
    let named = Self.values(metadata)
    // A roll is a series of pages without gaps.
    isFixed =
      ["pre-paginated", "roll"].contains(named["rendition:layout"])
      || ["true", "yes"].contains(named["fixed-layout"])
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

  /// Returns a text that is shown in the direction that the book declares.
  ///
  /// Readers find the direction by the first letter that has one, so a mark stands in for it where
  /// that is another.
  private static func directed(_ element: XMLElement, in package: XMLElement) -> String {
    let text = element.trimmed
    switch element.attributes["dir"] ?? package.attributes["dir"] {
    case "rtl" where !text.beginsRightToLeft: return "\u{200F}" + text
    case "ltr" where text.beginsRightToLeft: return "\u{200E}" + text
    default: return text
    }
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
        isPart: address.contains("#"),
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
      // The writing mode is that of comics for Amazon's readers.
      let isMirrored = metadata["primary-writing-mode"]?.hasSuffix("-rl") == true
      if isMirrored || facts.language.isRightToLeftLanguage { facts.direction = .rightToLeft }
    }
    var whole: Set<String> = []
    let items = spine.children.filter { $0.name == "itemref" }.compactMap { reference in
      item(reference, besides: &whole)
    }
    self.spine = items.filter { !$0.isAside } + items.filter(\.isAside)
    readSpreads(metadata["rendition:spread"])
  }

  /// Reads whether pages of a fixed layout form spreads, and on which side they begin.
  private mutating func readSpreads(_ spread: String?) {
    let fixed = spine.filter(\.isFixed)
    guard let first = fixed.first else { return }
    let sides = Set(fixed.compactMap(\.side))
    let formsSpreads = ["both", "landscape", "portrait"].contains(spread) || !sides.isEmpty
    // A page between both sides takes the whole spread if it is wide.
    if formsSpreads, !sides.contains(.centre) { facts.hasSpreads = false }
    let natural: Side = facts.direction == .rightToLeft ? .left : .right
    let side = spine.first?.isFixed == true ? first.side : nil
    if let side, side != .centre, side != natural { facts.isShifted = true }
  }

  /// Returns whether a page is on the left, by the number of pages before it.
  func isLeft(after pages: Int) -> Bool {
    ((pages % 2 == 1) != (facts.direction == .rightToLeft)) != (facts.isShifted == true)
  }

  /// Returns an item of the spine; nil without a file, or for another place in a file that already
  /// stands there.
  private func item(_ element: XMLElement, besides names: inout Set<String>) -> SpineItem? {
    guard let file = element.attributes["idref"].flatMap({ files[$0] }),
      names.insert(file.name).inserted || !file.isPart
    else { return nil }
    let shown = supported(file)
    let properties = element.attributes["properties"]?.split(separator: " ") ?? []
    func has(_ names: String...) -> Bool { names.contains { properties.contains($0[...]) } }
    let isFlowing = has("rendition:layout-reflowable", "layout-reflowable")
    let side: Side? =
      if has("page-spread-left", "rendition:page-spread-left") {
        .left
      } else if has("page-spread-right", "rendition:page-spread-right") {
        .right
      } else if has("page-spread-center", "rendition:page-spread-center", "rendition:spread-none") {
        .centre
      } else {
        nil
      }
    return SpineItem(
      name: shown.name,
      type: shown.type,
      listedName: file.name,
      isFixed: isFixed ? !isFlowing : has("rendition:layout-pre-paginated", "layout-pre-paginated"),
      isAside: element.attributes["linear"] == "no",
      side: side
    )
  }

  /// Returns the first of a file and its fallbacks that can be shown; one that does so without
  /// scripts, if there is one.
  func supported(_ file: File) -> File {
    var scripted: File?
    var candidate = file
    // A chain of fallbacks may be a circle.
    for _ in 0..<16 {
      if SpineItem.canShow(candidate.type) {
        guard candidate.properties.contains("scripted") else { return candidate }
        scripted = scripted ?? candidate
      }
      guard let next = candidate.fallback.flatMap({ files[$0] }) else { break }
      candidate = next
    }
    return scripted ?? file
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
          line.forEach { element in
            // A picture in the list has words that stand in for it.
            let words = element.attributes["alt"] ?? element.attributes["title"] ?? ""
            title += element.name == "img" ? words : element.text
          }
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

  /// Whether its first page is on its side without a blank page before it.
  func canFollow(_ pages: Int, in package: EPUBPackage) -> Bool {
    switch side {
    case .left: package.isLeft(after: pages)
    case .right: !package.isLeft(after: pages)
    case .centre, nil: true
    }
  }

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

extension String {
  /// Whether the first of its letters that have a direction is read from right to left.
  fileprivate var beginsRightToLeft: Bool {
    unicodeScalars.first { $0.properties.isAlphabetic }.map(RightToLeftText.isRightToLeft) ?? false
  }

  /// Whether it is the tag of a language that is written from right to left.
  fileprivate var isRightToLeftLanguage: Bool {
    let languages = ["ar", "he", "iw", "fa", "ur", "yi", "ps", "sd", "ug", "dv", "ckb", "syr"]
    let tags = lowercased().split(separator: "-").map(String.init)
    // A script that is named decides, such as that of Azerbaijani in Latin letters.
    let scripts = tags.dropFirst().filter { $0.count == 4 }
    if let script = scripts.first { return ["arab", "hebr", "syrc", "thaa"].contains(script) }
    return tags.first.map { languages.contains($0) } ?? false
  }
}

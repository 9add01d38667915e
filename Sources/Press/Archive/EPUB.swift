internal import PressProtocol

/// An EPUB: its package, and its pages if each is one image.
enum EPUB {
  /// Reads the package of a book without DRM.
  static func package(_ contents: ArchiveContents) throws(PressFault) -> EPUBPackage {
    try checkLocks(contents)
    guard let container = contents.texts["META-INF/container.xml"].flatMap(XMLElement.init),
      let path = packagePath(container),
      let package = contents.texts[path].flatMap(XMLElement.init)
    else { throw .damaged(.epub) }
    return EPUBPackage(package, path: path)
  }

  /// Returns the images of the spine in order, with the package's description of the book.
  /// - Returns: nil if a page is more or less than one image, so that it must be laid out.
  static func plan(_ contents: ArchiveContents, _ book: EPUBPackage) -> ArchivePlan? {
    let places = Dictionary(
      contents.images.lazy.filter { $0.value.format != nil }
        .map { (String(decoding: $0.value.name, as: UTF8.self), $0.key) },
      uniquingKeysWith: min
    )
    var pages: [Int] = []
    // The first page of each text in the spine, for the table of contents.
    var starts: [String: Int] = [:]
    for item in book.spine {
      // A page on the other side than it says needs a blank one before it.
      guard item.canFollow(pages.count, in: book) else { return nil }
      (starts[item.name], starts[item.listedName]) = (pages.count, pages.count)
      if item.isPicture, let place = places[item.name] {
        pages.append(place)
        continue
      }
      guard let text = contents.texts[item.name].flatMap(XMLElement.init) else { return nil }
      let page = EPUBPage(text, path: item.name)
      guard page.letters == 0, page.images.count == 1, let place = places[page.images[0]] else {
        return nil
      }
      pages.append(place)
    }
    guard !pages.isEmpty else { return nil }
    let outline = book.contents { contents.texts[$0] }.map { entry in
      OutlineEntry(
        depth: entry.depth,
        title: entry.title,
        page: entry.target.flatMap { starts[$0.name] }
      )
    }
    return ArchivePlan(facts: book.facts, pages: pages, outline: outline)
  }

  private static func packagePath(_ container: XMLElement) -> String? {
    var path: String?
    container.forEach { element in
      if path == nil, element.name == "rootfile" { path = element.attributes["full-path"] }
    }
    return path
  }

  /// Rejects encrypted books.
  ///
  /// Fonts may be obfuscated, because they are not needed.
  private static func checkLocks(_ contents: ArchiveContents) throws(PressFault) {
    guard let bytes = contents.texts["META-INF/encryption.xml"] else { return }
    guard let locks = XMLElement(bytes) else { throw .protected }
    let fonts = [
      "http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC",
    ]
    var isLocked = false
    locks.forEach { element in
      guard element.name == "EncryptedData" else { return }
      let method = element.first("EncryptionMethod")?.attributes["Algorithm"] ?? ""
      if !fonts.contains(method) { isLocked = true }
    }
    if isLocked { throw .protected }
  }
}

/// A page of the spine, with its images and the amount of its text.
struct EPUBPage {
  /// The names of the images in the archive.
  private(set) var images: [String] = []
  /// The number of letters in the text, without white space.
  private(set) var letters = 0

  init(_ text: XMLElement, path: String) {
    guard let body = text.name == "svg" ? text : text.first("body") else { return }
    var images: [String] = []
    var letters = 0
    body.forEach { element in
      if element.name == "script" || element.name == "style" { return }
      letters += element.text.reduce(0) { $0 + ($1.isWhitespace ? 0 : 1) }
      let address =
        switch element.name {
        case "img": element.attributes["src"]
        case "image": element.attributes["href"]
        default: String?.none
        }
      if let name = address.flatMap({ EPUBPackage.resolve($0, from: path) }) { images.append(name) }
    }
    (self.images, self.letters) = (images, letters)
  }
}

internal import PressProtocol

/// The result of the first pass over an archive: names of images, and texts that describe pages.
struct ArchiveContents {
  /// An image in the archive.
  struct Image {
    /// Its name, as far as it can be decoded in UTF-8.
    let name: [UInt8]
    /// Its format by its first bytes; nil if it cannot be shown.
    let format: ImageFormat?
  }

  /// The images by their positions in the archive.
  private(set) var images: [Int: Image] = [:]
  /// Texts by name: `ComicInfo.xml`, and those of an EPUB.
  private(set) var texts: [String: [UInt8]] = [:]
  /// The name of an archive in the archive, if there is one.
  private(set) var nested: String?
  /// The names of the first documents and archives in the archive.
  private(set) var documents: [String] = []
  private var textBytes = 0

  /// The maximum size of all texts of an EPUB in bytes; with more, its pages are not single images.
  private static let textBytesMax = 32 << 20

  /// Whether the archive contains a file that only an EPUB has.
  var isEPUB: Bool { texts["META-INF/container.xml"] != nil }

  /// The only FictionBook in the archive, in which such books are often packed.
  var fictionBook: [UInt8]? {
    let books = texts.filter { FileKinds.ending(of: $0.key) == "fb2" }
    return books.count == 1 ? books.first?.value : nil
  }

  /// Makes the first pass over an archive.
  init(_ file: ArchiveFile, _ limits: PressLimits) throws(PressFault) {
    let pass = try ArchivePass(file, limits)
    let mayBeEPUB = file.format == .zip || file.format == .epub
    var besides: [(name: [UInt8], isArchive: Bool)] = []
    while let entry = try pass.next() {
      let isClutter = Self.isClutter(entry.title)
      if isClutter, !mayBeEPUB { continue }
      let head = try pass.head(of: entry, Magic.headBytes)
      if Self.isText(entry.title, mayBeEPUB) { try addText(entry, head, pass, limits) }
      if let format = Magic.image(head[...]) {
        guard entry.size <= limits.archive.entryBytes else {
          throw .entryTooLarge(name: entry.title, limit: limits.archive.entryBytes)
        }
        images[entry.ordinal] = Image(name: entry.name, format: format)
      } else if !isClutter, let isArchive = Self.isArchive(head[...]) {
        if besides.count < DocumentFacts.besidesMax { besides.append((entry.name, isArchive)) }
      } else if !isClutter, Self.isNamedLikeImage(entry.title) {
        images[entry.ordinal] = Image(name: entry.name, format: nil)
      }
    }
    takeNames(besides)
  }

  /// Takes over the names of documents, and decodes these and those of the images.
  private mutating func takeNames(_ besides: [(name: [UInt8], isArchive: Bool)]) {
    let places = images.keys.sorted()
    let names = places.map { images[$0]?.name ?? [] } + besides.map(\.name)
    let decoded = EntryNames.decoded(names)
    for (place, name) in zip(places, decoded) {
      images[place] = Image(name: name, format: images[place]?.format)
    }
    documents = decoded.dropFirst(places.count).map { String(decoding: $0, as: UTF8.self) }
    nested = besides.firstIndex(where: \.isArchive).map { documents[$0] }
  }

  private mutating func addText(
    _ entry: ArchivePass.Entry,
    _ head: [UInt8],
    _ pass: ArchivePass,
    _ limits: PressLimits
  ) throws(PressFault) {
    let isBook = FileKinds.ending(of: entry.title) == "fb2"
    guard entry.size <= (isBook ? FictionBook.bytesMax : 8 << 20) else { return }
    let bytes = head + (try pass.rest(of: entry))
    textBytes += bytes.count
    // Without these two, the book is not known as an EPUB.
    let isPackage = entry.title == "META-INF/container.xml" || entry.title.hasSuffix(".opf")
    guard textBytes <= Self.textBytesMax || isPackage || isBook else { return }
    texts[entry.title] = bytes
  }

  /// Returns whether a file, or a folder of its path, is clutter that programs leave in archives.
  private static func isClutter(_ name: String) -> Bool {
    name.split { $0 == "/" || $0 == "\\" }
      .contains { $0 != "." && $0 != ".." && FileKinds.isClutter($0) }
  }

  /// Returns whether a file is an archive; nil if it is neither that nor a document.
  private static func isArchive(_ head: ArraySlice<UInt8>) -> Bool? {
    switch Magic.kind(of: head) {
    case .archive: true
    case .pdf, .djvu, .mobi: false
    case .image, .text, .fictionBook, .package, .unknown: nil
    }
  }

  /// Returns whether a file is an image by its name.
  private static func isNamedLikeImage(_ name: String) -> Bool {
    let ending = FileKinds.ending(of: name)
    return FileKinds.images.contains(ending) || FileKinds.otherImages.contains(ending)
  }

  private static func isText(_ name: String, _ mayBeEPUB: Bool) -> Bool {
    let lower = name.lowercased()
    if lower == "comicinfo.xml" || lower.hasSuffix("/comicinfo.xml") { return true }
    let endings = [".opf", ".ncx", ".xhtml", ".html", ".htm", ".xml", ".svg", ".fb2"]
    return mayBeEPUB && endings.contains { lower.hasSuffix($0) }
  }

  /// The positions of the pages of a comic, in the order of their names.
  ///
  /// An image that cannot be shown keeps its place among others, so that no later page moves to the
  /// other side of its spread; on its own it is no page.
  var pagesInOrder: [Int] {
    let named = images.filter { !Self.isClutter(String(decoding: $0.value.name, as: UTF8.self)) }
    guard named.contains(where: { $0.value.format != nil }) else { return [] }
    let keyed = named.map { place, image in (key: PageOrder(bytes: image.name), place: place) }
    let sorted = keyed.sorted { a, b in a.key == b.key ? a.place < b.place : a.key < b.key }
    return sorted.map(\.place)
  }
}

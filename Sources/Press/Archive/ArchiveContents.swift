internal import PressProtocol

/// The result of the first pass over an archive: names of images, and texts that describe pages.
struct ArchiveContents {
  /// An image in the archive.
  struct Image {
    let name: [UInt8]
    let format: ImageFormat
  }

  /// The images by their positions in the archive.
  private(set) var images: [Int: Image] = [:]
  /// Texts by name: `ComicInfo.xml`, and those of an EPUB.
  private(set) var texts: [String: [UInt8]] = [:]
  /// The name of an archive in the archive, if there is one.
  private(set) var nested: String?
  private var textBytes = 0

  /// The maximum size of all texts of an EPUB in bytes; with more, its pages are not single images.
  private static let textBytesMax = 32 << 20

  /// Whether the archive contains a file that only an EPUB has.
  var isEPUB: Bool { texts["META-INF/container.xml"] != nil }

  /// Makes the first pass over an archive.
  init(_ file: ArchiveFile, _ limits: PressLimits) throws(PressFault) {
    let pass = try ArchivePass(file, limits)
    let mayBeEPUB = file.format == .zip || file.format == .epub
    while let entry = try pass.next() {
      guard !Self.isClutter(entry.name) else { continue }
      let head = try pass.head(of: entry, Magic.headBytes)
      if Self.isText(entry.title, mayBeEPUB) {
        try keepText(entry, head, pass, limits)
      }
      if let format = Magic.image(head[...]) {
        guard entry.size <= limits.archive.entryBytes else {
          throw .entryTooLarge(name: entry.title, limit: limits.archive.entryBytes)
        }
        images[entry.ordinal] = Image(name: entry.name, format: format)
      } else if nested == nil, Magic.archive(head[...]) != nil {
        nested = entry.title
      }
    }
  }

  private mutating func keepText(
    _ entry: ArchivePass.Entry,
    _ head: [UInt8],
    _ pass: ArchivePass,
    _ limits: PressLimits
  ) throws(PressFault) {
    guard entry.size <= 8 << 20 else { return }
    let bytes = head + (try pass.rest(of: entry))
    textBytes += bytes.count
    guard textBytes <= Self.textBytesMax else { return }
    texts[entry.title] = bytes
  }

  /// Returns whether a file is clutter that programs leave in archives.
  private static func isClutter(_ name: [UInt8]) -> Bool {
    let parts = name.split(separator: UInt8(ascii: "/"))
    guard let last = parts.last else { return false }
    if last.starts(with: "._".utf8) || last.elementsEqual("Thumbs.db".utf8) { return true }
    return parts.contains { $0.elementsEqual("__MACOSX".utf8) }
  }

  private static func isText(_ name: String, _ mayBeEPUB: Bool) -> Bool {
    let lower = name.lowercased()
    if lower == "comicinfo.xml" || lower.hasSuffix("/comicinfo.xml") { return true }
    let endings = [".opf", ".xhtml", ".html", ".htm", ".xml", ".svg"]
    return mayBeEPUB && endings.contains { lower.hasSuffix($0) }
  }

  /// The positions of all images, in the natural order of their names.
  var inNaturalOrder: [Int] {
    let keyed = images.map { place, image in (key: NaturalOrder(bytes: image.name), place: place) }
    let sorted = keyed.sorted { a, b in a.key == b.key ? a.place < b.place : a.key < b.key }
    return sorted.map(\.place)
  }
}

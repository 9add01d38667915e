internal import PressProtocol

/// An archive of images, or an EPUB whose pages are images.
///
/// It is read in two passes: one for the names and the few texts that describe the pages, and one
/// for the images. Entries are never held in memory together.
final class ArchiveDocument: Document {
  private let file: ArchiveFile
  private let limits: PressLimits
  private let contents: ArchiveContents
  /// The table of contents as the archive has it, and with the pages into which strips were cut.
  private let listed: [OutlineEntry]
  private var entries: [OutlineEntry]
  /// The pages of each entry, by its position in the archive.
  private let pages: [Int: [Int]]
  private let doubles: Set<Int>
  private var known: DocumentFacts

  /// Opens an archive whose pages are known.
  init(
    _ file: ArchiveFile,
    _ contents: ArchiveContents,
    _ plan: ArchivePlan,
    _ limits: PressLimits
  ) throws(PressFault) {
    guard !plan.pages.isEmpty else {
      if let inner = contents.nested { throw .nestedArchive(name: inner) }
      throw .noPages(plan.facts.format)
    }
    guard plan.pages.count <= limits.document.pages else {
      throw .tooManyPages(plan.pages.count, limit: limits.document.pages)
    }
    (self.file, self.limits, self.contents) = (file, limits, contents)
    known = plan.facts.fit
    known.needsExtraction = true
    listed = plan.outline.prefix(limits.content.outlineEntries).map { entry in
      var entry = entry
      entry.title = PressText.line(entry.title, PressText.entry)
      return entry
    }
    entries = listed
    pages = Dictionary(grouping: plan.pages.indices) { plan.pages[$0] }
    doubles = plan.doubles
  }

  var kind: DocumentFacts { DocumentFacts(format: known.format, needsExtraction: true) }

  var pageCount: Int { known.pages.count }

  func facts() throws(PressFault) -> DocumentFacts { known }

  func outline() throws(PressFault) -> [OutlineEntry] { entries }

  func extract(_ size: TypeSize, _ send: (Asset) -> Void) throws(PressFault) {
    let count = pages.values.reduce(0) { $0 + $1.count }
    // Those of the parts of each page.
    var sizes = [[PageFacts]](repeating: [PageFacts(width: 1, height: 1)], count: count)
    var missing = pages
    let pass = try ArchivePass(file, limits)
    // An EPUB may show one image on many pages, and each time it is sent again.
    let bytesMax = limits.assetBytes(ofFile: file.size)
    var bytesSent = 0
    while !missing.isEmpty, let entry = try pass.next() {
      guard let numbers = missing.removeValue(forKey: entry.ordinal) else { continue }
      let bytes = try pass.contents(of: entry)
      for page in numbers {
        let parts = self.parts(of: bytes, page, entry)
        sizes[page] = parts.map { part in
          PageFacts(width: Double(part.facts.width), height: Double(part.facts.height))
        }
        sizes[page][0].isDouble = doubles.contains(page) && parts.count == 1
        for part in parts {
          bytesSent += part.bytes.count
          guard bytesSent <= bytesMax else { throw .archiveTooLarge(limit: bytesMax) }
          send(part)
        }
      }
    }
    guard missing.isEmpty else { throw .damaged(file.format) }
    let cut = sizes.map(\.count)
    known.pages = Self.patched(Array(sizes.joined()))
    guard known.pages.count <= limits.document.pages else {
      throw .tooManyPages(known.pages.count, limit: limits.document.pages)
    }
    moveEntries(cut)
  }

  /// Lets the entries of the table of contents lead to the first parts of their pages.
  private func moveEntries(_ cut: [Int]) {
    guard cut.contains(where: { $0 > 1 }) else { return }
    var starts: [Int] = []
    var count = 0
    for parts in cut {
      starts.append(count)
      count += parts
    }
    entries = listed.map { entry in
      var entry = entry
      entry.page = entry.page.map { starts.indices.contains($0) ? starts[$0] : $0 }
      return entry
    }
  }

  /// Returns the name of an image, to show it.
  private func name(of entry: ArchivePass.Entry) -> String {
    let name = contents.images[entry.ordinal]?.name ?? entry.name
    return PressText.line(String(decoding: name, as: UTF8.self), PressText.name)
  }

  /// Returns the assets of a page: its image, or the pages into which a strip is cut.
  private func parts(of bytes: [UInt8], _ page: Int, _ entry: ArchivePass.Entry) -> [Asset] {
    let name = name(of: entry)
    let (facts, fault) = facts(of: bytes, entry)
    if fault == nil, facts.isStrip, let image = try? UntrustedImage(bytes, name: name, limits),
      let parts = TallStrip.parts(of: image, page, name: name)
    {
      return parts
    }
    return [
      Asset(page: page, name: name, bytes: fault == nil ? bytes : [], facts: facts, fault: fault)
    ]
  }

  /// Returns the facts of an image, or the reason that it cannot be shown, which must not affect
  /// other pages.
  private func facts(
    of bytes: [UInt8],
    _ entry: ArchivePass.Entry
  ) -> (facts: ImageFacts, fault: PressFault?) {
    let name = name(of: entry)
    do throws(PressFault) {
      return (try UntrustedImage(bytes, name: name, limits).facts, nil)
    } catch {
      let format = contents.images[entry.ordinal]?.format ?? .png
      if case .imageTooLarge(_, let width, let height, _) = error {
        return (ImageFacts(format: format, width: width, height: height), error)
      }
      return (ImageFacts(format: format, width: 0, height: 0), error)
    }
  }

  /// Gives pages of unknown size the size of the previous page, or else the first known size.
  private static func patched(_ sizes: [PageFacts]) -> [PageFacts] {
    let isKnown = { (page: PageFacts) in page.width > 1 || page.height > 1 }
    var last = sizes.first(where: isKnown) ?? PageFacts(width: 3, height: 4)
    return sizes.map { page in
      if isKnown(page) { last = page }
      var shown = last
      shown.isDouble = page.isDouble
      return shown
    }
  }
}

/// The pages and facts that the texts of an archive describe.
struct ArchivePlan {
  var facts: DocumentFacts
  /// The positions of the images in the archive, page by page.
  var pages: [Int]
  /// The pages that the archive says take a whole spread.
  var doubles: Set<Int> = []
  var outline: [OutlineEntry] = []
}

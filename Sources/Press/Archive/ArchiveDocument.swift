internal import PressProtocol

/// An archive of images, or an EPUB whose pages are images.
///
/// It is read in two passes: one for the names and the few texts that describe the pages, and one
/// for the images. Entries are never held in memory together.
final class ArchiveDocument: Document {
  private let file: ArchiveFile
  private let limits: PressLimits
  private let contents: ArchiveContents
  private let entries: [OutlineEntry]
  /// The pages of each entry, by its position in the archive.
  private let pages: [Int: [Int]]
  private(set) var facts: DocumentFacts

  /// Makes the first pass over the archive.
  init(_ file: ArchiveFile, _ limits: PressLimits) throws(PressFault) {
    let contents = try ArchiveContents(file, limits)
    let plan = try contents.isEPUB ? EPUB.plan(contents) : ComicInfo.plan(contents, file.format)
    guard !plan.pages.isEmpty else {
      if let inner = contents.nested { throw .nestedArchive(name: inner) }
      throw .noPages(plan.facts.format)
    }
    guard plan.pages.count <= limits.document.pages else {
      throw .tooManyPages(plan.pages.count, limit: limits.document.pages)
    }
    (self.file, self.limits, self.contents) = (file, limits, contents)
    facts = plan.facts.fit
    facts.needsExtraction = true
    entries = plan.outline.prefix(limits.content.outlineEntries).map { entry in
      var entry = entry
      entry.title = PressText.line(entry.title, PressText.entry)
      return entry
    }
    pages = Dictionary(grouping: plan.pages.indices) { plan.pages[$0] }
  }

  func outline() throws(PressFault) -> [OutlineEntry] { entries }

  func extract(_ send: (Asset) -> Void) throws(PressFault) {
    let count = pages.values.reduce(0) { $0 + $1.count }
    var sizes = [PageFacts](repeating: PageFacts(width: 1, height: 1), count: count)
    var missing = pages
    let pass = try ArchivePass(file, limits)
    // An EPUB may show one image on many pages, and each time it is sent again.
    let bytesMax = limits.assetBytes(ofFile: file.size)
    var bytesSent = 0
    while !missing.isEmpty, let entry = try pass.next() {
      guard let numbers = missing.removeValue(forKey: entry.ordinal) else { continue }
      let bytes = try pass.contents(of: entry)
      let (imageFacts, fault) = facts(of: bytes, entry)
      let sent = fault == nil ? bytes : []
      for page in numbers {
        if imageFacts.width > 0 {
          sizes[page].width = Double(imageFacts.width)
          sizes[page].height = Double(imageFacts.height)
        }
        bytesSent += sent.count
        guard bytesSent <= bytesMax else { throw .archiveTooLarge(limit: bytesMax) }
        let name = PressText.line(entry.title, PressText.name)
        send(Asset(page: page, name: name, bytes: sent, facts: imageFacts, fault: fault))
      }
    }
    guard missing.isEmpty else { throw .damaged(file.format) }
    facts.pages = Self.patched(sizes)
  }

  /// Returns the facts of an image, or the reason that it cannot be shown, which must not affect
  /// other pages.
  private func facts(
    of bytes: [UInt8],
    _ entry: ArchivePass.Entry
  ) -> (facts: ImageFacts, fault: PressFault?) {
    let name = PressText.line(entry.title, PressText.name)
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
      return last
    }
  }
}

/// The pages and facts that the texts of an archive describe.
struct ArchivePlan {
  var facts: DocumentFacts
  /// The positions of the images in the archive, page by page.
  var pages: [Int]
  var outline: [OutlineEntry] = []
}

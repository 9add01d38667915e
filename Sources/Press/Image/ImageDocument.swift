internal import PressProtocol

/// A document that is one image, or the images of a TIFF file.
final class ImageDocument: Document {
  private let bytes: [UInt8]
  private let image: UntrustedImage
  private let limits: PressLimits
  /// The pages into which a strip was cut; nil before it was.
  private var parts: [PageFacts]?

  /// Reads the image's header.
  init(_ bytes: [UInt8], _ limits: PressLimits) throws(PressFault) {
    (self.bytes, self.limits) = (bytes, limits)
    image = try UntrustedImage(bytes, name: "", limits)
    guard pageCount <= limits.document.pages else {
      throw .tooManyPages(pageCount, limit: limits.document.pages)
    }
  }

  var kind: DocumentFacts { DocumentFacts(format: .image, needsExtraction: isStrip) }

  private var isStrip: Bool { pageCount == 1 && image.facts.isStrip }

  var pageCount: Int { image.pageCount }

  func facts() throws(PressFault) -> DocumentFacts {
    if isStrip {
      return DocumentFacts(format: .image, pages: parts ?? [], needsExtraction: true)
    }
    let pages = (0..<pageCount).map { page in
      // A page that cannot be read keeps its place, with the size of the first.
      let facts = (try? self.image(of: page))?.facts ?? image.facts
      return PageFacts(width: Double(facts.width), height: Double(facts.height))
    }
    return DocumentFacts(format: .image, pages: pages)
  }

  func extract(_ size: TypeSize, _ send: (Asset) -> Void) throws(PressFault) {
    let whole = [Asset(page: 0, name: "", bytes: bytes, facts: image.facts)]
    let assets = TallStrip.parts(of: image, 0, name: "") ?? whole
    parts = assets.map { asset in
      PageFacts(width: Double(asset.facts.width), height: Double(asset.facts.height))
    }
    for asset in assets { send(asset) }
  }

  private func image(of page: Int) throws(PressFault) -> UntrustedImage {
    page == 0 ? image : try UntrustedImage(bytes, name: "", page: page, limits)
  }

  func rendition(of page: Int, height: Int, effort: Effort) throws(PressFault) -> RenditionBytes {
    try image(of: page).rendition(height: height, effort: effort, page: page)
  }
}

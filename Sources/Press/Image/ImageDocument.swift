internal import PressProtocol

/// A document that is one image.
final class ImageDocument: Document {
  private let image: UntrustedImage
  let facts: DocumentFacts

  /// Reads the image's header.
  init(_ bytes: [UInt8], _ limits: PressLimits) throws(PressFault) {
    image = try UntrustedImage(bytes, name: "", limits)
    let page = PageFacts(width: Double(image.facts.width), height: Double(image.facts.height))
    facts = DocumentFacts(format: .image, pages: [page])
  }

  func rendition(of page: Int, height: Int, effort: Effort) throws(PressFault) -> RenditionBytes {
    try image.rendition(height: height, effort: effort, page: page)
  }
}

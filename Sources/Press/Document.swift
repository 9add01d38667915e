internal import PressProtocol

/// An open document.
///
/// Pages are numbered from 0 and have been checked to exist.
protocol Document: AnyObject {
  /// What is known without reading more: the format, and whether the pages must be extracted.
  var kind: DocumentFacts { get }

  /// The number of pages; 0 for those that must be extracted first.
  var pageCount: Int { get }

  /// Returns the facts that the document states about itself.
  func facts() throws(PressFault) -> DocumentFacts

  /// The table of contents.
  func outline() throws(PressFault) -> [OutlineEntry]

  /// Returns the text of a page.
  func content(of page: Int) throws(PressFault) -> PageContent

  /// Returns a picture of a page.
  func rendition(of page: Int, height: Int, effort: Effort) throws(PressFault) -> RenditionBytes

  /// Extracts the images of an archive, or lays pages out; afterwards the facts contain their
  /// sizes.
  func extract(_ size: TypeSize, _ send: (Asset) -> Void) throws(PressFault)
}

extension Document {
  func outline() throws(PressFault) -> [OutlineEntry] { [] }

  func content(of page: Int) throws(PressFault) -> PageContent { PageContent() }

  func rendition(of page: Int, height: Int, effort: Effort) throws(PressFault) -> RenditionBytes {
    throw .badRequest("the pages of an archive are rendered from its images")
  }

  func extract(_ size: TypeSize, _ send: (Asset) -> Void) throws(PressFault) {
    throw .badRequest("this document is not an archive")
  }
}

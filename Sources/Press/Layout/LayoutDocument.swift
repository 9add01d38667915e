internal import PressProtocol

/// An EPUB or a text whose pages must be laid out: ``extract(_:)`` sends them as one PDF.
final class LayoutDocument: Document {
  /// Reads the files of the book, as soon as they are needed.
  private let publication: () throws(PressFault) -> Publication
  /// Nil if it is not installed.
  private let engine: Engine?
  private let limits: PressLimits
  private var known: DocumentFacts

  init(
    _ package: EPUBPackage,
    _ engine: Engine?,
    _ limits: PressLimits,
    publication: @escaping () throws(PressFault) -> Publication
  ) throws(PressFault) {
    guard !package.spine.isEmpty else { throw .damaged(package.facts.format) }
    (self.publication, self.engine, self.limits) = (publication, engine, limits)
    known = package.facts.fit
    known.needsExtraction = true
    known.isLaidOut = true
  }

  var kind: DocumentFacts {
    var kind = DocumentFacts(format: known.format, needsExtraction: true)
    kind.isLaidOut = true
    return kind
  }

  /// Its pages are those of another document.
  var pageCount: Int { 0 }

  func facts() throws(PressFault) -> DocumentFacts { known }

  func extract(_ size: TypeSize, _ send: (Asset) -> Void) throws(PressFault) {
    guard let engine else { throw .engineMissing }
    // Unpacking, and each text with its words, may take as long as opening a document.
    let seconds = limits.time.openSeconds
    Confinement.allow(seconds: seconds)
    let publication = try publication()
    Confinement.allow(seconds: seconds)
    let typesetter = try Typesetter(publication, PageSheet(size), engine, limits)
    Confinement.allow(seconds: seconds)
    let book = try typesetter.layOut { Confinement.allow(seconds: seconds) }
    guard book.pdf.count <= limits.archive.entryBytes else {
      throw .entryTooLarge(name: "layout.pdf", limit: limits.archive.entryBytes)
    }
    known.pages = book.pages
    let first = ImageFacts(
      format: .png,
      width: Int(book.pages[0].width),
      height: Int(book.pages[0].height)
    )
    send(Asset(page: 0, name: "layout.pdf", bytes: book.pdf, facts: first, fault: nil))
  }
}

internal import PressProtocol
internal import Pressroom

/// The requests that the catalogue sends to presses; each call blocks until it is answered.
///
/// These requests have the lowest priority: pages that a reader looks at come first.
protocol Printing: Sendable {
  /// Returns the facts that a document states about itself.
  func facts(of path: String, password: String) throws(PressFault) -> DocumentFacts

  /// Returns the table of contents of a document.
  func outline(of path: String, password: String) throws(PressFault) -> [OutlineEntry]

  /// Returns the text of a page of a document, counted from 0.
  func content(of path: String, password: String, page: Int) throws(PressFault) -> PageContent

  /// Extracts the images of an archive, or lays a document out with a size of type, and returns the
  /// facts that are known afterwards.
  ///
  /// The sink receives each image on this thread; it returns `false` to end the extraction.
  func extract(
    from path: String,
    password: String,
    size: TypeSize,
    sink: (Asset) -> Bool
  ) throws(PressFault) -> DocumentFacts

  /// Returns the facts in the header of an image of any format.
  func imageFacts(of path: String) throws(PressFault) -> ImageFacts

  /// Reads the headers of images that browsers can show from the first bytes of their files.
  ///
  /// Accepts at most ``PressRequest/headersMax`` images.
  func headers(of heads: [[UInt8]]) throws(PressFault) -> [Result<ImageHeader, ImageFault>]

  /// Returns the colours of an SVG drawing, as `0xRRGGBB`.
  func colours(of drawing: [UInt8]) throws(PressFault) -> [UInt32]
}

extension PressFault {
  /// Whether another try with the same file would fail in the same way.
  var isLasting: Bool {
    switch self {
    case .tookTooLong, .neededTooMuchMemory, .stopped, .unconfined, .badRequest, .busy, .closing,
      .unreadable, .engineMissing, .engineFailed, .fontMissing:
      false
    case .encrypted, .wrongPassword, .encryptedArchive, .damaged, .unsupported, .unsupportedArchive,
      .protected, .fileTooLarge, .tooManyPages, .noPages,
      .noSuchPage, .pageTooLarge, .pageDamaged, .dynamicForm, .imageTooLarge, .unknownImage,
      .imageDamaged,
      .entryTooLarge, .archiveTooLarge, .tooManyEntries, .ratio, .nestedArchive:
      true
    }
  }

  /// Whether the document only needs its password.
  var isLock: Bool { self == .encrypted || self == .wrongPassword }
}

/// Sends the requests to the pressroom.
struct PressroomPrinting: Printing {
  let pressroom: Pressroom

  func facts(of path: String, password: String) throws(PressFault) -> DocumentFacts {
    try pressroom.session(path, password: password).facts
  }

  func outline(of path: String, password: String) throws(PressFault) -> [OutlineEntry] {
    try pressroom.session(path, password: password).outline()
  }

  func content(of path: String, password: String, page: Int) throws(PressFault) -> PageContent {
    try pressroom.session(path, password: password).page(page)
  }

  func extract(
    from path: String,
    password: String,
    size: TypeSize,
    sink: (Asset) -> Bool
  ) throws(PressFault) -> DocumentFacts {
    let session = try pressroom.session(path, password: password)
    defer { session.close() }
    do {
      return try session.extract(size) { asset in if !sink(asset) { throw PressFault.closing } }
    } catch let fault as PressFault {
      throw fault
    } catch {
      throw .stopped(page: nil)
    }
  }

  func imageFacts(of path: String) throws(PressFault) -> ImageFacts {
    try pressroom.imageFacts(path)
  }

  func headers(of heads: [[UInt8]]) throws(PressFault) -> [Result<ImageHeader, ImageFault>] {
    try pressroom.headers(of: heads)
  }

  func colours(of drawing: [UInt8]) throws(PressFault) -> [UInt32] {
    try pressroom.colours(of: drawing)
  }
}

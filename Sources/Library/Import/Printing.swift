internal import PressProtocol

/// What the catalogue asks of the presses; each call blocks until the answer is there.
///
/// Nothing here is urgent: what somebody looks at goes before it.
protocol Printing: Sendable {
  /// What a document says about itself.
  func facts(of path: String, password: String) throws(PressFault) -> DocumentFacts

  /// The table of contents of a document.
  func outline(of path: String, password: String) throws(PressFault) -> [OutlineEntry]

  /// What is written on a page of a document, from 0.
  func content(
    of path: String,
    password: String,
    page: Int
  ) throws(PressFault) -> PageContent

  /// Takes the images out of an archive; gives what is known of it afterwards.
  ///
  /// The sink is handed each image on this thread; its `false` ends the extraction.
  func extract(
    from path: String,
    sink: (Asset) -> Bool
  ) throws(PressFault) -> DocumentFacts

  /// What the header of an image of any format says.
  func imageFacts(of path: String) throws(PressFault) -> ImageFacts

  /// The headers of images that browsers show, by the first bytes of their files.
  ///
  /// At most ``PressRequest/headersMax`` images.
  func headers(of heads: [[UInt8]]) throws(PressFault) -> [Result<ImageHeader, ImageFault>]

  /// The colours of a drawing in SVG, as `0xRRGGBB`.
  func colours(of drawing: [UInt8]) throws(PressFault) -> [UInt32]
}

extension PressFault {
  /// Whether another try at the same file would come to the same end.
  var isLasting: Bool {
    switch self {
    case .tookTooLong, .neededTooMuchMemory, .stopped, .unconfined, .badRequest, .busy, .closing,
      .unreadable:
      false
    default: true
    }
  }

  /// Whether the document only waits for its password.
  var isLock: Bool { self == .encrypted || self == .wrongPassword }
}

/// Asks the pressroom.
struct PressroomPrinting: Printing {
  let pressroom: Pressroom

  func facts(of path: String, password: String) throws(PressFault) -> DocumentFacts {
    try pressroom.session(path, password: password).facts
  }

  func outline(of path: String, password: String) throws(PressFault) -> [OutlineEntry] {
    try pressroom.session(path, password: password).outline()
  }

  func content(
    of path: String,
    password: String,
    page: Int
  ) throws(PressFault) -> PageContent {
    try pressroom.session(path, password: password).page(page)
  }

  func extract(
    from path: String,
    sink: (Asset) -> Bool
  ) throws(PressFault) -> DocumentFacts {
    let session = try pressroom.session(path)
    defer { session.close() }
    do {
      return try session.extract { asset in if !sink(asset) { throw PressFault.closing } }
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

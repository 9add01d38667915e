/// What the server asks of a press.
public enum PressRequest: Equatable, Sendable {
  /// Opens the document at descriptor 3; the first request of a press that has one.
  ///
  /// The format is told by the first bytes, never by a name. Answered by ``PressReply/opened(_:)``.
  /// After a fault for the password, open may be sent again.
  case open(password: String)

  /// The table of contents; answered by ``PressReply/outline(_:)``.
  case outline

  /// The words, the text and the links of a page, from 0; answered by ``PressReply/page(_:)``.
  case page(Int)

  /// A picture of a page, from 0; answered by ``PressReply/rendition(_:)``.
  ///
  /// The height is in pixels. The page keeps its aspect; a page too wide for the limits of an
  /// output comes out lower.
  case render(page: Int, height: Int, effort: Effort)

  /// The images of an archive or an EPUB, in the archive's order; each knows its page.
  ///
  /// Answered by an ``PressReply/asset(_:)`` each, then by ``PressReply/opened(_:)`` with the facts
  /// as they are now known, then by ``PressReply/done``. A fault may take the place of any of
  /// these and ends the answer.
  case extract

  /// A picture of one image that is sent along; answered by ``PressReply/rendition(_:)``.
  ///
  /// The height is in pixels; 0 asks for no picture and is answered by
  /// ``PressReply/imageFacts(_:)``. A picture never gets larger than its image.
  case image(bytes: [UInt8], height: Int, effort: Effort)
  /// The formats and the sizes of images, by the first bytes of their files; answered by
  /// ``PressReply/headers(_:)``.
  ///
  /// At most ``headersMax`` images.
  case headers([[UInt8]])
  /// The colours of a drawing in SVG; answered by ``PressReply/colours(_:)``.
  case colours([UInt8])

  /// The number of images in one request for headers.
  public static let headersMax = 32
}

/// How much time an encoder may take.
public enum Effort: UInt8, CaseIterable, Sendable {
  /// Somebody waits: soon, though with more bytes.
  case onDemand
  /// Nobody waits: small, though it takes three times as long.
  case idle
}

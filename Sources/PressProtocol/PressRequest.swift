/// A request to a press.
package enum PressRequest: Equatable, Sendable {
  /// Opens the document at descriptor 3; the first request to a press with a document.
  ///
  /// The first bytes determine the format, never a name. The reply is ``PressReply/opened(_:)``.
  /// After a password fault, this request may be repeated.
  case open(password: String)

  /// Requests the table of contents; the reply is ``PressReply/outline(_:)``.
  case outline

  /// Requests the text, words and links of a page, counted from 0; the reply is
  /// ``PressReply/page(_:)``.
  case page(Int)

  /// Requests a picture of a page, counted from 0; the reply is ``PressReply/rendition(_:)``.
  ///
  /// The height is in pixels. The page keeps its aspect; if it would be too wide for the limits,
  /// the picture is lower.
  case render(page: Int, height: Int, effort: Effort)

  /// Requests the images of an archive or an EPUB, in the order of the archive; each names its
  /// page.
  ///
  /// The replies are one ``PressReply/asset(_:)`` for each image, then ``PressReply/opened(_:)``
  /// with the facts that are now known, then ``PressReply/done``. A fault can replace any of these
  /// and ends the answer.
  case extract

  /// Requests a picture of the image in this request; the reply is ``PressReply/rendition(_:)``.
  ///
  /// The height is in pixels; 0 requests no picture, and the reply is
  /// ``PressReply/imageFacts(_:)``. A picture is never larger than its image.
  case image(bytes: [UInt8], height: Int, effort: Effort)
  /// Requests the formats and sizes of images from the first bytes of their files; the reply is
  /// ``PressReply/headers(_:)``.
  ///
  /// At most ``headersMax`` images.
  case headers([[UInt8]])
  /// Requests the colours of an SVG drawing; the reply is ``PressReply/colours(_:)``.
  case colours([UInt8])

  /// The maximum number of images in one request for headers.
  package static let headersMax = 32
}

/// The time that an encoder may take.
package enum Effort: UInt8, CaseIterable, Sendable {
  /// A reader waits: fast, with more bytes.
  case onDemand
  /// Nobody waits: small, but it takes three times as long.
  case idle
}

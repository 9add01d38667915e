/// A reply of a press.
package enum PressReply: Equatable, Sendable {
  /// The document is open.
  case opened(DocumentFacts)
  /// The table of contents, in reading order; empty if there is none.
  case outline([OutlineEntry])
  /// The text of a page.
  case page(PageContent)
  /// A picture of a page or of an image.
  case rendition(RenditionBytes)
  /// One image of an archive; more follow, then ``opened(_:)`` and ``done``.
  case asset(Asset)
  /// The last image has been sent.
  case done
  /// The facts in the header of an image.
  case imageFacts(ImageFacts)
  /// The headers of images in the order of the request, or their errors.
  case headers([Result<ImageHeader, ImageFault>])
  /// The colours of a drawing as `0xRRGGBB` in painting order, at most ``coloursMax`` of them.
  case colours([UInt32])
  /// The request failed. The press accepts the next one.
  case fault(PressFault)

  /// The maximum number of colours in a reply.
  package static let coloursMax = 4096
}

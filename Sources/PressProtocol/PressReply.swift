/// What a press answers.
public enum PressReply: Equatable, Sendable {
  /// The document is open.
  case opened(DocumentFacts)
  /// The table of contents, in reading order; empty if there is none.
  case outline([OutlineEntry])
  /// What is written on a page.
  case page(PageContent)
  /// A picture of a page or of an image.
  case rendition(RenditionBytes)
  /// One image out of an archive; more follow, then ``opened(_:)`` and ``done``.
  case asset(Asset)
  /// The last image has been sent.
  case done
  /// What the header of an image says.
  case imageFacts(ImageFacts)
  /// The headers of images in the order of the request, or what is wrong with them.
  case headers([Result<ImageHeader, ImageFault>])
  /// The colours of a drawing as `0xRRGGBB`, in the order in which they are painted; at most
  /// ``coloursMax``.
  case colours([UInt32])
  /// The request could not be met. The press can take the next one.
  case fault(PressFault)

  /// The number of colours in a reply.
  public static let coloursMax = 4096
}

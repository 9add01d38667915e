internal import PressProtocol

/// Chooses the encoding of a page from its contents.
///
/// | contents of the page | encoding | reason |
/// | --- | --- | --- |
/// | few colours in large areas, or no image | lossless WebP | two thirds of the size of lossy |
/// | images and smooth areas | lossy WebP | half the size of JPEG |
/// | fine detail everywhere | JPEG | the size of WebP in a twentieth of the time |
struct PageEncoder {
  let effort: Effort
  /// The page, for faults.
  let page: Int

  /// Below this share of repeated pixels, a picture has detail everywhere.
  ///
  /// Photographs with blurred or plain parts, which WebP compresses better, measured 0.2 and more;
  /// one of fur and grass measured 0.01.
  private static let detail = 0.1

  /// Above this share of repeated pixels, few colours are those of a drawing or of letters; grey
  /// photographs and scans have few colours as well.
  private static let plain = 0.75

  /// What determines the encoding of a page.
  enum Contents {
    case text
    /// A picture with smooth areas, and one with detail everywhere.
    case picture, detail
  }

  /// Returns what a page contains.
  ///
  /// Checks for images on the page only if its colours do not decide.
  func contents(of bitmap: Bitmap, hasImages: () -> Bool) -> Contents {
    let colours = bitmap.colours()
    let isDrawing = colours.areFew && colours.repeated > Self.plain
    if isDrawing || !hasImages() { return .text }
    return colours.repeated < Self.detail ? .detail : .picture
  }

  /// Encodes a page.
  ///
  /// Checks for images on the page only if its colours do not decide.
  func encode(_ bitmap: Bitmap, hasImages: () -> Bool) throws(PressFault) -> RenditionBytes {
    try encode(bitmap, as: contents(of: bitmap, hasImages: hasImages))
  }

  /// Encodes a page with known contents.
  func encode(
    _ bitmap: Bitmap,
    as contents: Contents
  ) throws(PressFault) -> RenditionBytes {
    let encoded: ([UInt8], RenditionBytes.MediaType)? =
      switch contents {
      case .text: WebP.lossless(bitmap, effort).map { ($0, .webp) }
      case .picture: WebP.lossy(bitmap, effort).map { ($0, .webp) }
      case .detail: JPEG.encoded(bitmap).map { ($0, .jpeg) }
      }
    guard let (bytes, mediaType) = encoded else { throw .neededTooMuchMemory(page: page) }
    return RenditionBytes(
      bytes: bytes,
      mediaType: mediaType,
      width: bitmap.width,
      height: bitmap.height,
      kind: contents == .text ? .text : .picture
    )
  }
}

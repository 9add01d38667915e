internal import PressProtocol

/// Chooses the encoding of a page from its contents.
///
/// | contents of the page | encoding | reason |
/// | --- | --- | --- |
/// | at most 256 colours, or no image | lossless WebP | two thirds of the size of lossy WebP |
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

  /// Encodes a page.
  ///
  /// Checks for images on the page only if its colours do not decide.
  func encode(_ bitmap: Bitmap, hasImages: () -> Bool) throws(PressFault) -> RenditionBytes {
    let colours = bitmap.colours()
    let kind: RenditionBytes.Kind = colours.areFew || !hasImages() ? .text : .picture
    let encoded: ([UInt8], RenditionBytes.MediaType)? =
      if kind == .text {
        WebP.lossless(bitmap, effort).map { ($0, .webp) }
      } else if colours.repeated < Self.detail {
        JPEG.encoded(bitmap).map { ($0, .jpeg) }
      } else {
        WebP.lossy(bitmap, effort).map { ($0, .webp) }
      }
    guard let (bytes, mediaType) = encoded else { throw .neededTooMuchMemory(page: page) }
    return RenditionBytes(
      bytes: bytes,
      mediaType: mediaType,
      width: bitmap.width,
      height: bitmap.height,
      kind: kind
    )
  }
}

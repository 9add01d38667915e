internal import PressProtocol

/// Chooses the encoding of a page by what is on it.
///
/// | on the page | encoding | why |
/// | --- | --- | --- |
/// | 256 colours or fewer, or no image | WebP without loss | two thirds of what lossy takes |
/// | images and even areas | WebP with loss | half the bytes of JPEG |
/// | fine detail all over | JPEG | as many bytes as WebP in a twentieth of the time |
struct PageEncoder {
  let effort: Effort
  /// The page, for a fault.
  let page: Int

  /// Below this share of repeated pixels a picture is all detail.
  ///
  /// Photographs with blurred or plain parts, which WebP packs better, measured 0.2 and more; one
  /// of fur and grass 0.01.
  private static let detail = 0.1

  /// Encodes a page.
  ///
  /// Whether an image is on the page is asked only if its colours leave it open.
  func encode(
    _ bitmap: Bitmap,
    hasImages: () -> Bool
  ) throws(PressFault) -> RenditionBytes {
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

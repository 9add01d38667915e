internal import PressProtocol

/// Chooses the encoding of a page by what is on it.
struct PageEncoder {
  let effort: Effort
  /// The page, for a fault.
  let page: Int

  /// Encodes a page.
  ///
  /// - Parameter hasImages: Whether an image is on the page; asked only if its colours leave it
  ///   open.
  func encode(
    _ bitmap: Bitmap,
    hasImages: () -> Bool
  ) throws(PressFault) -> RenditionBytes {
    let kind: RenditionBytes.Kind = bitmap.hasFewColours() || !hasImages() ? .text : .picture
    let encoded =
      kind == .text
      ? WebP.lossless(bitmap, effort).map { ($0, RenditionBytes.MediaType.webp) }
      : JPEG.encoded(bitmap).map { ($0, .jpeg) }
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

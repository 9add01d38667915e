package import PressProtocol

/// Reads the header of an image from its first bytes.
///
/// No bytes, however malformed, can make it trap.
package enum ImageHeaders {
  /// Reads a header.
  /// - Parameter head: The beginning of a file; 64 KB suffice except for unusual JPEG files.
  /// - Returns: The format and the size.
  /// - Throws: The reason that there is no format or size.
  package static func read(_ head: [UInt8]) throws(ImageFault) -> ImageHeader {
    guard !head.isEmpty else { throw .empty }
    let bytes = HeaderBytes(head)
    let format: ImageFormat
    let size: (width: Double, height: Double)
    if bytes.matches([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0) {
      (format, size) = (.png, try pngSize(bytes))
    } else if bytes.matches([0xFF, 0xD8, 0xFF], at: 0) {
      (format, size) = (.jpeg, try JPEGHeader.size(bytes))
    } else if bytes.matches("RIFF", at: 0), bytes.matches("WEBP", at: 8) {
      (format, size) = (.webp, try webpSize(bytes))
    } else {
      (format, size) = (.svg, try SVGHeader.size(head))
    }
    guard let header = ImageHeader(format: format, width: size.width, height: size.height) else {
      throw .sizeless(format)
    }
    return header
  }

  private static func pngSize(
    _ bytes: HeaderBytes
  ) throws(ImageFault) -> (width: Double, height: Double) {
    guard let width = bytes.bigEndian32(at: 16), let height = bytes.bigEndian32(at: 20) else {
      throw .truncated(.png)
    }
    guard bytes.matches("IHDR", at: 12) else { throw .damaged(.png) }
    if hasExif(inPNG: bytes) { throw .turned(.png) }
    return (Double(width), Double(height))
  }

  /// Returns whether a chunk with Exif data stands before the pixels of a PNG.
  private static func hasExif(inPNG bytes: HeaderBytes) -> Bool {
    var chunk = 8
    while let length = bytes.bigEndian32(at: chunk), !bytes.matches("IDAT", at: chunk + 4) {
      if bytes.matches("eXIf", at: chunk + 4) { return true }
      chunk += 12 + length
    }
    return false
  }

  /// Reads the three kinds of first chunk: RFC 6386 section 9.1, RFC 9649 sections 3.4 and 2.7.
  private static func webpSize(
    _ bytes: HeaderBytes
  ) throws(ImageFault) -> (width: Double, height: Double) {
    if bytes.matches("VP8 ", at: 12) {
      guard let width = bytes.littleEndian16(at: 26), let height = bytes.littleEndian16(at: 28)
      else { throw .truncated(.webp) }
      guard bytes.matches([0x9D, 0x01, 0x2A], at: 23) else { throw .damaged(.webp) }
      return (Double(width & 0x3FFF), Double(height & 0x3FFF))
    }
    if bytes.matches("VP8L", at: 12) {
      guard let low = bytes.littleEndian16(at: 21), let high = bytes.littleEndian16(at: 23)
      else { throw .truncated(.webp) }
      guard bytes.matches([0x2F], at: 20) else { throw .damaged(.webp) }
      let bits = low | high << 16
      return (Double(bits & 0x3FFF) + 1, Double(bits >> 14 & 0x3FFF) + 1)
    }
    if bytes.matches("VP8X", at: 12) {
      guard let width = bytes.littleEndian24(at: 24), let height = bytes.littleEndian24(at: 27)
      else { throw .truncated(.webp) }
      // The flag of Exif data, which follow the pixels.
      if let flags = bytes.byte(at: 20), flags & 0x08 != 0 { throw .turned(.webp) }
      return (Double(width) + 1, Double(height) + 1)
    }
    throw bytes.count < 16 ? .truncated(.webp) : .damaged(.webp)
  }
}

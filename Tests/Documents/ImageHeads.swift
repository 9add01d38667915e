/// The beginnings of image files, as short as each format allows.
package enum ImageHeads {
  /// Returns a PNG up to its size.
  package static func png(_ width: Int, _ height: Int) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
      + big(width, 4) + big(height, 4) + [8, 6, 0, 0, 0]
  }

  /// Returns a JPEG whose size follows a comment and, optionally, an Exif block.
  package static func jpeg(_ width: Int, _ height: Int, orientation: Int? = nil) -> [UInt8] {
    var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xFE, 0, 6, 1, 2, 3, 4]
    if let orientation {
      let tiff: [UInt8] =
        Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1]
        + big(orientation, 2) + [0, 0, 0, 0, 0, 0]
      bytes += [0xFF, 0xE1] + big(tiff.count + 8, 2) + Array("Exif".utf8) + [0, 0] + tiff
    }
    return bytes + [0xFF, 0xFF, 0xC2, 0, 17, 8] + big(height, 2) + big(width, 2) + [3, 1, 0x22, 0]
  }

  /// Returns a lossy WebP up to its size.
  package static func webpLossy(_ width: Int, _ height: Int) -> [UInt8] {
    riff("VP8 ") + [0, 0, 0, 0x9D, 0x01, 0x2A] + little(width, 2) + little(height, 2)
  }

  /// Returns a lossless WebP up to its size.
  package static func webpLossless(_ width: Int, _ height: Int) -> [UInt8] {
    riff("VP8L") + [0x2F] + little((width - 1) | (height - 1) << 14, 4)
  }

  /// Returns an extended WebP up to its size, with Exif data if its flags say so.
  package static func webpExtended(_ width: Int, _ height: Int, flags: UInt8 = 0) -> [UInt8] {
    riff("VP8X") + [flags, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3)
  }

  /// Returns a small SVG whose root has these attributes.
  package static func svg(_ attributes: String) -> [UInt8] {
    Array(
      ("<?xml version=\"1.0\"?>\n<!-- a > b -->"
        + "<!DOCTYPE svg [<!ENTITY a \"b>\">]>\n<svg \(attributes)>").utf8
    ) + Array("<rect fill=\"#17395a\"/></svg>".utf8)
  }

  private static func riff(_ chunk: String) -> [UInt8] {
    Array("RIFF".utf8) + [30, 0, 0, 0] + Array("WEBP".utf8) + Array(chunk.utf8) + [10, 0, 0, 0]
  }

  private static func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] { big(value, count).reversed() }
}

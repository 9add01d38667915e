/// Tells whether the file of an image is complete, by comparing its first and last bytes.
///
/// A browser shows little or nothing of an image that ends early. Such a file is not passed on, but
/// decoded as far as possible and encoded again. Data after the end of an image makes it look
/// incomplete, which costs no more than that.
package enum ImageEnd {
  /// The number of bytes at either end of a file that are compared.
  package static let bytes = 64

  /// The last chunk of every PNG, with its length and its checksum.
  private static let lastChunk: [UInt8] = [
    0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
  ]

  /// Compares the ends of a file.
  /// - Parameters:
  ///   - format: The format of the file.
  ///   - head: Its first ``bytes`` bytes, or all of them.
  ///   - tail: Its last ``bytes`` bytes, or all of them.
  ///   - size: Its size in bytes.
  /// - Returns: Whether the file is complete; true for formats that no browser receives.
  package static func isWhole(
    _ format: ImageFormat,
    head: some Collection<UInt8>,
    tail: some BidirectionalCollection<UInt8>,
    size: Int
  ) -> Bool {
    switch format {
    case .jpeg: withoutPadding(tail).suffix(2).elementsEqual([0xFF, 0xD9])
    case .png: tail.suffix(lastChunk.count).elementsEqual(lastChunk)
    case .webp: size >= 12 && size - 8 >= length(head)
    case .svg: withoutPadding(tail).suffix(6).elementsEqual("</svg>".utf8)
    case .tiff, .gif, .heif, .avif, .jpegXL, .jpeg2000: true
    }
  }

  /// Returns whether the bytes of a file are complete.
  package static func isWhole(_ format: ImageFormat, _ file: [UInt8]) -> Bool {
    isWhole(format, head: file.prefix(bytes), tail: file.suffix(bytes), size: file.count)
  }

  /// Returns the length that a RIFF file states, without its first eight bytes.
  private static func length(_ head: some Collection<UInt8>) -> Int {
    head.dropFirst(4).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// Returns bytes without zeros and white space at their end.
  private static func withoutPadding(
    _ bytes: some BidirectionalCollection<UInt8>
  ) -> some BidirectionalCollection<UInt8> {
    let end = bytes.lastIndex { ![0, 0x09, 0x0A, 0x0D, 0x20].contains($0) }
    return bytes[..<(end.map { bytes.index(after: $0) } ?? bytes.startIndex)]
  }
}

internal import CTurboJPEG
internal import PressProtocol

/// A JPEG file from a document, without what could change how it is shown.
struct JPEGFile {
  /// The file, without Exif data and comments.
  let bytes: [UInt8]
  let width: Int
  let height: Int

  /// Reads a file; nil if browsers might show it otherwise than a document does.
  init?(_ file: [UInt8]) {
    guard let (bytes, parts) = Self.stripped(file), parts == 1 || parts == 3,
      let reader = tjInitDecompress()
    else { return nil }
    defer { tjDestroy(reader) }
    var (width, height, sampling, colours) = (Int32(0), Int32(0), Int32(0), Int32(0))
    let status = tjDecompressHeader3(
      reader,
      bytes,
      UInt(bytes.count),
      &width,
      &height,
      &sampling,
      &colours
    )
    guard status == 0, width > 0, height > 0 else { return nil }
    (self.bytes, self.width, self.height) = (bytes, Int(width), Int(height))
  }

  /// Returns a file without the segments that applications add, and its number of colour components
  /// (ITU T.81, annex B); nil unless it is an ordinary one of eight bits, with its end.
  private static func stripped(_ file: [UInt8]) -> (bytes: [UInt8], parts: Int)? {
    guard file.starts(with: [0xFF, 0xD8]), ImageEnd.isWhole(.jpeg, file) else { return nil }
    var bytes: [UInt8] = [0xFF, 0xD8]
    bytes.reserveCapacity(file.count)
    var (position, parts) = (2, 0)
    while position + 4 <= file.count, file[position] == 0xFF {
      let code = file[position + 1]
      if code == 0xFF {
        position += 1
        continue
      }
      let length = Int(file[position + 2]) << 8 | Int(file[position + 3])
      let end = position + 2 + length
      guard length >= 2, end <= file.count else { return nil }
      switch code {
      case 0xDA: return (bytes + file[position...], parts)
      case 0xC0...0xC2:
        guard length >= 8, file[position + 4] == 8, parts == 0 else { return nil }
        parts = Int(file[position + 9])
      case 0xC3, 0xC5...0xC7, 0xC9...0xCF: return nil
      // Exif data could turn the picture.
      case 0xE1, 0xE3...0xED, 0xEF, 0xFE:
        position = end
        continue
      default: break
      }
      bytes += file[position..<end]
      position = end
    }
    return nil
  }

  /// The pixels of a rendition for each byte of a file that is passed on.
  private static let pixelsPerByte = 4

  /// Returns a rendition of the picture; nil if it is damaged.
  ///
  /// The file itself, if it is not much larger; otherwise another encoding, decoded as small as it
  /// is needed, which is faster than to draw the page.
  func rendition(_ size: OutputSize, _ encoder: PageEncoder) throws(PressFault) -> RenditionBytes? {
    let pixels = size.width * size.height
    if width * height <= pixels * 5 / 4, bytes.count <= pixels / Self.pixelsPerByte {
      return RenditionBytes(
        bytes: bytes,
        mediaType: .jpeg,
        width: width,
        height: height,
        kind: .picture
      )
    }
    guard let bitmap = decoded(atLeast: size) else { return nil }
    let isNear = bitmap.pixels.count <= pixels * 5 / 4
    guard let fitting = isNear ? bitmap : bitmap.scaled(to: size) else { return nil }
    return try encoder.encode(fitting, hasImages: { true })
  }

  /// Decodes the picture at the smallest size, in eighths of its own, that is not below a size.
  /// - Returns: nil if it is damaged, or memory is exhausted.
  private func decoded(atLeast size: OutputSize) -> Bitmap? {
    guard let reader = tjInitDecompress() else { return nil }
    defer { tjDestroy(reader) }
    let eighths = (1...8).first { $0 * width >= 8 * size.width && $0 * height >= 8 * size.height }
    let scaled = OutputSize(
      width: (width * (eighths ?? 8) + 7) / 8,
      height: (height * (eighths ?? 8) + 7) / 8
    )
    guard let bitmap = Bitmap(scaled) else { return nil }
    let status = tjDecompress2(
      reader,
      bytes,
      UInt(bytes.count),
      UnsafeMutableRawPointer(bitmap.pixels.baseAddress)?.assumingMemoryBound(to: UInt8.self),
      Int32(scaled.width),
      Int32(scaled.width * 4),
      Int32(scaled.height),
      Int32(TJPF_BGRX.rawValue),
      0
    )
    return status == 0 ? bitmap : nil
  }
}

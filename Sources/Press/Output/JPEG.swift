internal import CTurboJPEG

/// Encodes JPEG.
enum JPEG {
  /// Encodes pictures that have detail everywhere.
  /// - Returns: `nil` if memory is exhausted.
  static func encoded(_ bitmap: Bitmap, quality: Int32 = 80) -> [UInt8]? {
    guard let compressor = tjInitCompress() else { return nil }
    defer { tjDestroy(compressor) }
    var bytes: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    defer { tjFree(bytes) }
    let source = UnsafeRawPointer(bitmap.pixels.baseAddress)?.assumingMemoryBound(to: UInt8.self)
    let status = tjCompress2(
      compressor,
      source,
      Int32(bitmap.width),
      Int32(bitmap.width * 4),
      Int32(bitmap.height),
      Int32(TJPF_BGRX.rawValue),
      &bytes,
      &count,
      Int32(TJSAMP_420.rawValue),
      quality,
      0
    )
    guard status == 0, let bytes else { return nil }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
  }
}

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
    guard file.starts(with: [0xFF, 0xD8]),
      file.suffix(32).split(separator: 0xD9, omittingEmptySubsequences: false).dropLast()
        .contains(where: { $0.last == 0xFF })
    else { return nil }
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

  /// Decodes the picture at the smallest size, in eighths of its own, that is not below a size.
  /// - Returns: nil if it is damaged, or memory is exhausted.
  func decoded(atLeast size: OutputSize) -> Bitmap? {
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

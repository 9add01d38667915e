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

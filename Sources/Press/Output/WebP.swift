internal import CWebP
internal import PressProtocol

/// Encodes WebP.
enum WebP {
  /// Encodes without loss: the smallest and fastest encoding for text.
  /// - Returns: `nil` if memory is exhausted.
  static func lossless(_ bitmap: Bitmap, _ effort: Effort) -> [UInt8]? {
    var config = WebPConfig()
    guard WebPConfigInit(&config) != 0 else { return nil }
    config.lossless = 1
    config.method = effort == .idle ? 4 : 1
    config.quality = effort == .idle ? 75 : 20
    return encoded(bitmap, config)
  }

  /// Encodes with loss.
  /// - Returns: `nil` if memory is exhausted.
  static func lossy(_ bitmap: Bitmap, _ effort: Effort) -> [UInt8]? {
    var config = WebPConfig()
    guard WebPConfigInit(&config) != 0 else { return nil }
    config.quality = 80
    config.method = effort == .idle ? 4 : 2
    return encoded(bitmap, config)
  }

  private static func encoded(_ bitmap: Bitmap, _ config: WebPConfig) -> [UInt8]? {
    var config = config
    var picture = WebPPicture()
    guard WebPPictureInit(&picture) != 0 else { return nil }
    defer { WebPPictureFree(&picture) }
    picture.use_argb = config.lossless
    picture.width = Int32(bitmap.width)
    picture.height = Int32(bitmap.height)
    // In little-endian memory, a pixel is blue, green, red and an unused byte.
    let bytes = UnsafeRawPointer(bitmap.pixels.baseAddress)?.assumingMemoryBound(to: UInt8.self)
    guard WebPPictureImportBGRX(&picture, bytes, Int32(bitmap.width * 4)) != 0 else { return nil }
    var writer = WebPMemoryWriter()
    WebPMemoryWriterInit(&writer)
    defer { WebPMemoryWriterClear(&writer) }
    return withUnsafeMutablePointer(to: &writer) { writer -> [UInt8]? in
      picture.writer = WebPMemoryWrite
      picture.custom_ptr = UnsafeMutableRawPointer(writer)
      guard WebPEncode(&config, &picture) != 0 else { return nil }
      return Array(UnsafeBufferPointer(start: writer.pointee.mem, count: writer.pointee.size))
    }
  }
}

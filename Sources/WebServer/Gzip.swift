internal import CZlib

/// The gzip format, RFC 1952.
enum Gzip {
  /// Compresses bytes at a level from 1, the fastest, to 9; nil if memory is exhausted.
  static func compressed(_ bytes: [UInt8], level: Int32) -> [UInt8]? {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    // A window of 2^15 bytes; adding 16 requests the header and trailer of gzip.
    let window: Int32 = 15 + 16
    let memory: Int32 = 9
    guard
      deflateInit2_(
        &stream,
        level,
        Z_DEFLATED,
        window,
        memory,
        Z_DEFAULT_STRATEGY,
        ZLIB_VERSION,
        size
      ) == Z_OK
    else { return nil }
    defer { deflateEnd(&stream) }
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
    let isWhole = bytes.withUnsafeBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
        stream.avail_in = UInt32(clamping: source.count)
        stream.next_out = target.baseAddress
        stream.avail_out = UInt32(clamping: target.count)
        return deflate(&stream, Z_FINISH) == Z_STREAM_END
      }
    }
    guard isWhole else { return nil }
    output.removeLast(output.count - Int(stream.total_out))
    return output
  }

  /// Returns whether an `Accept-Encoding` field accepts gzip.
  ///
  /// See RFC 9110, section 12.5.3.
  static func isAccepted(by field: String?) -> Bool {
    guard let field else { return false }
    var accepts: [String: Bool] = [:]
    for item in field.split(separator: ",") {
      let parts = item.split(separator: ";").map { $0.trimmingSpaces.lowercased() }
      guard let name = parts.first else { continue }
      let weight = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
      accepts[name] = weight?.contains { $0 != "0" && $0 != "." } ?? true
    }
    return accepts["gzip"] ?? accepts["x-gzip"] ?? accepts["*"] ?? false
  }
}

internal import CLibwebsockets

/// The parts of a request's target that libwebsockets splits and unescapes.
enum RequestURI {
  /// Returns the parts of the query between ampersands, in order; only valid during the callback
  /// for the request.
  ///
  /// If they were joined again, an ampersand in a value could not be distinguished from a
  /// separator.
  static func query(of socket: OpaquePointer) -> [String] {
    var parts: [String] = []
    while let part = part(Int32(clamping: parts.count), of: socket) { parts.append(part) }
    return parts
  }

  private static func part(_ index: Int32, of socket: OpaquePointer) -> String? {
    let token = WSI_TOKEN_HTTP_URI_ARGS
    let length = Int(lws_hdr_fragment_length(socket, token, index))
    guard length > 0 else { return nil }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + 1) { buffer in
      let size = Int32(clamping: buffer.count)
      let copied = lws_hdr_copy_fragment(socket, buffer.baseAddress, size, token, index)
      guard copied >= 0 else { return nil }
      return String(decoding: UnsafeRawBufferPointer(buffer).prefix(Int(copied)), as: UTF8.self)
    }
  }
}

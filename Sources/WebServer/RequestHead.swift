internal import CLibwebsockets

/// The head of the request that libwebsockets has read from a connection.
///
/// It is valid during the callback for the request. Each property copies its value.
struct RequestHead {
  private let socket: OpaquePointer

  init(of socket: OpaquePointer) { self.socket = socket }

  /// The method; nil if it is not supported.
  var method: HTTPRequest.Method? {
    for (token, method) in [
      (WSI_TOKEN_GET_URI, HTTPRequest.Method.get), (WSI_TOKEN_HEAD_URI, .head),
      (WSI_TOKEN_POST_URI, .post), (WSI_TOKEN_PUT_URI, .put), (WSI_TOKEN_PATCH_URI, .patch),
      (WSI_TOKEN_DELETE_URI, .delete),
    ] where lws_hdr_total_length(socket, token) > 0 {
      return method
    }
    return nil
  }

  /// The `Host` field, or empty.
  var host: String { self[WSI_TOKEN_HOST] ?? "" }

  /// Returns the fields for the application: those that are always passed, and additional ones.
  func fields(adding names: [String]) -> [String: String] {
    var fields: [String: String] = [:]
    for (name, token) in [
      ("origin", WSI_TOKEN_ORIGIN), ("authorization", WSI_TOKEN_HTTP_AUTHORIZATION),
      ("content-type", WSI_TOKEN_HTTP_CONTENT_TYPE),
    ] {
      if let value = self[token] { fields[name] = value }
    }
    for name in names {
      if let value = customField(name) { fields[name] = value }
    }
    return fields
  }

  /// A field, or nil.
  subscript(_ token: lws_token_indexes) -> String? {
    let length = Int(lws_hdr_total_length(socket, token))
    guard length > 0 else { return nil }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + 1) { buffer in
      let copied = lws_hdr_copy(socket, buffer.baseAddress, Int32(buffer.count), token)
      guard copied > 0 else { return nil }
      return String(decoding: UnsafeRawBufferPointer(buffer).prefix(Int(copied)), as: UTF8.self)
    }
  }

  /// Returns a field for which libwebsockets has no constant, or nil.
  private func customField(_ name: String) -> String? {
    let name = name + ":"
    let length = Int(lws_hdr_custom_length(socket, name, Int32(name.utf8.count)))
    guard length > 0 else { return nil }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + 1) { buffer in
      let copied = lws_hdr_custom_copy(
        socket,
        buffer.baseAddress,
        Int32(buffer.count),
        name,
        Int32(name.utf8.count)
      )
      guard copied > 0 else { return nil }
      let text = String(decoding: UnsafeRawBufferPointer(buffer).prefix(Int(copied)), as: UTF8.self)
      return String(text[...].trimmingSpaces)
    }
  }

  /// The parts of the query between ampersands, in order.
  ///
  /// libwebsockets splits and unescapes them. If they were joined again, an ampersand in a value
  /// could not be distinguished from a separator.
  var query: [String] {
    var parts: [String] = []
    while true {
      let (token, index) = (WSI_TOKEN_HTTP_URI_ARGS, Int32(parts.count))
      let length = Int(lws_hdr_fragment_length(socket, token, index))
      guard length > 0 else { return parts }
      let part = withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + 1) { buffer in
        let copied = lws_hdr_copy_fragment(
          socket,
          buffer.baseAddress,
          Int32(buffer.count),
          token,
          index
        )
        return copied < 0
          ? nil
          : String(decoding: UnsafeRawBufferPointer(buffer).prefix(Int(copied)), as: UTF8.self)
      }
      guard let part else { return parts }
      parts.append(part)
    }
  }
}

extension Substring {
  var trimmingSpaces: Substring {
    var text = drop { $0 == " " || $0 == "\t" }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return text
  }
}

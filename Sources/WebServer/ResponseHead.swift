internal import CLibwebsockets
internal import Glibc

/// The status line and the fields of a response, composed in the write buffer.
struct ResponseHead {
  /// Returns the security fields of responses at a host.
  ///
  /// Older browsers do not count WebSockets as `'self'`.
  private static func security(host: String) -> [HTTPField] {
    let isPlain = host.utf8.allSatisfy { byte in
      byte.isLetterOrDigit || "-.:[]".utf8.contains(byte)
    }
    let own = isPlain && !host.isEmpty ? " ws://\(host) wss://\(host)" : ""
    return [
      HTTPField(
        "content-security-policy",
        "default-src 'self'; img-src 'self' data: blob:; connect-src 'self'\(own); "
          + "style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'self'; "
          + "frame-ancestors 'self'"
      ),
      HTTPField("x-content-type-options", "nosniff"),
      HTTPField("referrer-policy", "no-referrer"),
    ]
  }

  /// Returns a whole response that explains why a request is rejected, and ends the connection.
  static func rejection(status: Int, reason: String, fields: [HTTPField]) -> [UInt8] {
    var text = "HTTP/1.1 \(status) Rejected\r\nconnection: close\r\n"
    text +=
      "content-type: text/plain; charset=utf-8\r\ncontent-length: \(reason.utf8.count + 1)\r\n"
    for field in security(host: "") + fields { text += "\(field.name): \(field.value)\r\n" }
    return Array((text + "\r\n" + reason + "\n").utf8)
  }

  private let socket: OpaquePointer
  private let buffer: WriteBuffer
  private var position: UnsafeMutablePointer<UInt8>?
  private var isWhole: Bool

  private var end: UnsafeMutablePointer<UInt8> { buffer.payload + buffer.capacity }

  init(_ socket: OpaquePointer, status: Int, buffer: WriteBuffer) {
    (self.socket, self.buffer) = (socket, buffer)
    position = buffer.payload
    let code = UInt32(clamping: status) | UInt32(LWSAHH_FLAG_NO_SERVER_NAME)
    isWhole =
      lws_add_http_header_status(socket, code, &position, buffer.payload + buffer.capacity) == 0
  }

  /// Adds a field; the name is in lower case and ends with a colon.
  mutating func add(_ name: String, _ value: String) {
    let end = end
    var value = value
    let failed = value.withUTF8 { value in
      lws_add_http_header_by_name(
        socket,
        name,
        value.baseAddress,
        Int32(clamping: value.count),
        &position,
        end
      )
    }
    isWhole = isWhole && failed == 0
  }

  /// Adds the security fields and those of the application, which replace security fields of the
  /// same name.
  mutating func addSecurity(host: String, and fields: [HTTPField]) {
    for field in Self.security(host: host) where !fields.contains(where: { $0.name == field.name })
    {
      add(field.name + ":", field.value)
    }
    for field in fields { add(field.name + ":", field.value) }
  }

  /// Writes the head, together with a short body that completes the response.
  ///
  /// Without a body, more data follows immediately, so the kernel may wait for it to fill a packet.
  /// - Returns: The bytes that the socket did not accept; nil if the connection is broken.
  mutating func write(body: [UInt8]? = nil) -> [UInt8]? {
    guard
      isWhole, lws_finalize_http_header(socket, &position, end) == 0, let start = position,
      (body?.count ?? 0) <= end - start
    else { return nil }
    var count = start - buffer.payload
    if let body {
      body.withUnsafeBufferPointer { source in
        if let base = source.baseAddress { start.update(from: base, count: body.count) }
      }
      count += body.count
    }
    guard let sent = buffer.writeRaw(count, to: socket, isFollowed: body == nil) else { return nil }
    let rest = UnsafeBufferPointer(start: buffer.payload + sent, count: count - sent)
    return sent == count ? [] : Array(rest)
  }
}

internal import CLibwebsockets

/// The status line and the fields of an answer, composed in the write buffer.
struct ResponseHead {
  private static let policy =
    "default-src 'self'; img-src 'self' data: blob:; connect-src 'self' ws: wss:; "
    + "style-src 'self' 'unsafe-inline'"

  private let socket: OpaquePointer
  private let buffer: WriteBuffer
  private var position: UnsafeMutablePointer<UInt8>?
  private var isWhole: Bool

  private var end: UnsafeMutablePointer<UInt8> { buffer.payload + buffer.capacity }

  init(_ socket: OpaquePointer, status: Int, buffer: WriteBuffer) {
    self.socket = socket
    self.buffer = buffer
    position = buffer.payload
    let code = UInt32(clamping: status) | UInt32(LWSAHH_FLAG_NO_SERVER_NAME)
    isWhole =
      lws_add_http_header_status(socket, code, &position, buffer.payload + buffer.capacity) == 0
  }

  /// Adds a field; the name is lower case and ends with a colon.
  mutating func add(_ name: String, _ value: String) {
    let value = Array(value.utf8)
    let end = end
    isWhole =
      isWhole
      && lws_add_http_header_by_name(socket, name, value, Int32(value.count), &position, end) == 0
  }

  mutating func addSecurity() {
    add("content-security-policy:", Self.policy)
    add("x-content-type-options:", "nosniff")
    add("referrer-policy:", "no-referrer")
  }

  /// Writes the head, and with it a short body that ends the answer.
  mutating func write(body: [UInt8]? = nil) -> Bool {
    guard
      isWhole, lws_finalize_http_header(socket, &position, end) == 0, let start = position,
      (body?.count ?? 0) <= end - start
    else { return false }
    var count = start - buffer.payload
    if let body {
      body.withUnsafeBufferPointer { source in
        if let base = source.baseAddress { start.update(from: base, count: body.count) }
      }
      count += body.count
    }
    return buffer.write(
      count,
      to: socket,
      as: body == nil ? LWS_WRITE_HTTP_HEADERS : LWS_WRITE_HTTP_FINAL
    )
  }
}

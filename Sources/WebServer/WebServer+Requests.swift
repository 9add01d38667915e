internal import CLibwebsockets

// Requests for pages and files.
extension WebServer {
  private static let chunk = 65_536
  private static let nothingHere =
    HTTPResponse.text(status: 404, "There is nothing at this address.\n")

  func requestArrived(_ socket: OpaquePointer, path: UnsafeRawBufferPointer) -> Int32 {
    guard let method = method(of: socket) else {
      // Its body is not read, so nothing sensible can follow on this connection.
      refuse(
        socket,
        status: 405,
        "Only GET and HEAD are answered.",
        fields: [("allow:", "GET, HEAD")]
      )
      return -1
    }
    let request = HTTPRequest(
      method: method,
      path: String(decoding: path, as: UTF8.self),
      query: header(socket, WSI_TOKEN_HTTP_URI_ARGS) ?? "",
      host: header(socket, WSI_TOKEN_HOST) ?? ""
    )
    return answer(request, socket)
  }

  /// Sends the next part of an answer.
  func continueTransfer(_ socket: OpaquePointer) -> Int32 {
    guard let transfer = transfers[socket] else { return 0 }
    guard let count = transfer.next(into: writeBuffer.payload, capacity: Self.chunk) else {
      return -1
    }
    let isLast = transfer.isComplete
    guard writeBuffer.write(count, to: socket, as: isLast ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP)
    else { return -1 }
    guard !isLast else {
      transferEnded(socket)
      return complete(socket)
    }
    // Each part gets as long as a whole request: a slow reader is not a dead one.
    lws_set_timeout(
      socket,
      PENDING_TIMEOUT_HTTP_CONTENT,
      Int32(clamping: options.limits.keepAliveSeconds)
    )
    lws_callback_on_writable(socket)
    return 0
  }

  func transferEnded(_ socket: OpaquePointer) {
    if transfers.removeValue(forKey: socket) != nil { finishIfIdle() }
  }

  func socketDestroyed(_ socket: OpaquePointer) {
    transferEnded(socket)
    sockets.remove(socket)
  }

  /// Writes a short refusal in one piece; the caller hangs up.
  func refuse(
    _ socket: OpaquePointer,
    status: Int,
    _ reason: String,
    fields: [(String, String)] = []
  ) {
    let body = Array((reason + "\n").utf8)
    var head = ResponseHead(socket, status: status, buffer: writeBuffer)
    head.add("content-type:", "text/plain; charset=utf-8")
    head.add("content-length:", String(body.count))
    head.add("connection:", "close")
    head.addSecurity()
    for (name, value) in fields { head.add(name, value) }
    _ = head.write(body: body)
  }

  private func answer(_ request: HTTPRequest, _ socket: OpaquePointer) -> Int32 {
    var response = response(to: request)
    var body = Transfer(response.body)
    if body == nil {
      // A file that went away, or a directory.
      response = Self.nothingHere
      body = Transfer(response.body)
    }
    guard let transfer = body else { return -1 }
    let isKept = response.status == 200 && response.caching != .none
    let isUnchanged =
      isKept && (header(socket, WSI_TOKEN_HTTP_IF_NONE_MATCH) ?? "").contains(transfer.entityTag)
    var head = ResponseHead(
      socket,
      status: isUnchanged ? 304 : response.status,
      buffer: writeBuffer
    )
    if isKept { head.add("etag:", transfer.entityTag) }
    head.add("cache-control:", response.caching.headerValue)
    head.addSecurity()
    if !isUnchanged {
      head.add("content-type:", response.contentType)
      head.add("content-length:", String(transfer.count))
    }
    guard head.write() else { return -1 }
    if isUnchanged || request.method == .head || transfer.count == 0 { return complete(socket) }
    transfers[socket] = transfer
    lws_callback_on_writable(socket)
    return 0
  }

  private func response(to request: HTTPRequest) -> HTTPResponse {
    guard answers(host: request.host) else {
      return .text(status: 421, "This host is not served here.\n")
    }
    // What calls of the system read would end there.
    guard !request.path.utf8.contains(0) else { return Self.nothingHere }
    if let response = application.respond(to: request) { return response }
    if request.path == Self.webSocketPath {
      return .text(status: 426, "A WebSocket of \(Self.subprotocol) opens here.\n")
    }
    return files?.response(path: request.path)
      ?? Self.nothingHere
  }

  private func method(of socket: OpaquePointer) -> HTTPRequest.Method? {
    if lws_hdr_total_length(socket, WSI_TOKEN_GET_URI) > 0 { return .get }
    return lws_hdr_total_length(socket, WSI_TOKEN_HEAD_URI) > 0 ? .head : nil
  }

  private func complete(_ socket: OpaquePointer) -> Int32 {
    lws_http_transaction_completed(socket) != 0 ? -1 : 0
  }
}

internal import CLibwebsockets

// Dispatching requests.
extension WebServer {
  func requestArrived(_ socket: OpaquePointer, path: UnsafeRawBufferPointer) -> Int32 {
    // This "request" is the rest of a body that was not parsed.
    guard exchanges[socket] == nil else { return -1 }
    bringIn(socket)
    let method = method(of: socket)
    let framing = BodyFraming(
      method: method,
      contentLength: header(socket, WSI_TOKEN_HTTP_CONTENT_LENGTH),
      transferEncoding: header(socket, WSI_TOKEN_HTTP_TRANSFER_ENCODING)
    )
    if let reason = framing.refusal {
      refuse(socket, status: reason.status, reason.words)
      return -1
    }
    // libwebsockets would read the body from the start of its buffered input, which is the head of
    // this same request, and then never finish.
    if framing != .none, keepsUnread(socket) {
      refuse(socket, status: 503, "A request with a body must wait for earlier responses.")
      return -1
    }
    let exchange = exchanges.begin(socket)
    exchange.isHead = method == .head
    exchange.awaitsBody = framing != .none
    exchange.peer = peer(of: socket)
    visitors.note(socket, isIdle: false)
    let host = header(socket, WSI_TOKEN_HOST) ?? ""
    let path = String(decoding: path, as: UTF8.self)
    if let refusal = refusal(method: method, socket, host: host, path: path) {
      // After such a head, the next request cannot be found.
      exchange.isLast = true
      return begin(refusal, of: exchange)
    }
    exchange.isCounted = visitors.beginUse(exchange.peer, now: Self.now())
    guard exchange.isCounted else {
      count(.requests, exchange)
      exchange.isLast = true
      return begin(
        .text(status: 429, "Too many requests at a time from this address.\n"),
        of: exchange
      )
    }
    exchange.knownTags = header(socket, WSI_TOKEN_HTTP_IF_NONE_MATCH)
    exchange.acceptsGzip = Gzip.isAccepted(by: header(socket, WSI_TOKEN_HTTP_ACCEPT_ENCODING))
    let request = HTTPRequest(
      method: method ?? .get,
      path: path,
      query: query(socket),
      host: host,
      fields: fields(of: socket),
      contentLength: framing.count,
      peer: exchange.peer,
      isForAdmin: visitors.isAdmin(socket)
    )
    switch application.respond(to: request, as: exchange.id) {
    case .now(let response): return begin(response, of: exchange)
    case .nothing: return begin(ownResponse(to: request, in: exchange), of: exchange)
    case .later: return awaitAnswer(exchange)
    case .body(let limit): return receiveBody(of: exchange, framing, limit: limit)
    }
  }

  /// Writes a short rejection in one piece; the caller closes the connection.
  ///
  /// Received parts of a body are discarded, because with unread bytes the kernel could reset the
  /// connection before the client has read the reason.
  func refuse(
    _ socket: OpaquePointer,
    status: Int,
    _ reason: String,
    fields: [HTTPField] = []
  ) {
    let body = Array((reason + "\n").utf8)
    var head = ResponseHead(socket, status: status, buffer: writeBuffer)
    head.add("content-type:", "text/plain; charset=utf-8")
    head.add("content-length:", String(body.count))
    head.add("connection:", "close")
    head.addSecurity(and: fields)
    _ = head.write(body: body)
    writeBuffer.forget(from: socket)
  }

  static let nothingHere = HTTPResponse.text(status: 404, "Not found. Check the address.\n")

  /// Returns the response to a request that the application need not see, or nil.
  private func refusal(
    method: HTTPRequest.Method?,
    _ socket: OpaquePointer,
    host: String,
    path: String
  ) -> HTTPResponse? {
    guard let method else { return Self.notAllowed(HTTPRequest.Method.allCases) }
    guard options.answers(host: host) else {
      return .text(status: 421, Self.unservedHost + "\n")
    }
    // System calls would end the path there.
    guard !path.utf8.contains(0) else { return Self.nothingHere }
    if !method.isSafe, let origin = header(socket, WSI_TOKEN_ORIGIN),
      !options.admits(origin: origin, host: host)
    {
      return .text(status: 403, "Pages of the origin \(origin) must not change anything here.\n")
    }
    return isStopping ? Self.stopping : nil
  }

  /// Returns the response if the application does not respond.
  private func ownResponse(to request: HTTPRequest, in exchange: Exchange) -> HTTPResponse {
    if request.path == Self.webSocketPath {
      return .text(
        status: 426,
        "Upgrade to a WebSocket with the subprotocol \(Self.subprotocol).\n"
      )
    }
    guard
      let response = files?.response(path: request.path, acceptsGzip: exchange.acceptsGzip)
    else { return Self.nothingHere }
    return request.method.isSafe ? response : Self.notAllowed([.get, .head])
  }

  private static func notAllowed(_ methods: [HTTPRequest.Method]) -> HTTPResponse {
    let names = methods.map(\.rawValue).joined(separator: ", ")
    var response = HTTPResponse.text(status: 405, "Method not allowed; use \(names).\n")
    response.fields = [HTTPField("allow", names)]
    return response
  }

  private func fields(of socket: OpaquePointer) -> [String: String] {
    var fields: [String: String] = [:]
    for (name, token) in [
      ("origin", WSI_TOKEN_ORIGIN), ("authorization", WSI_TOKEN_HTTP_AUTHORIZATION),
      ("content-type", WSI_TOKEN_HTTP_CONTENT_TYPE),
    ] {
      if let value = header(socket, token) { fields[name] = value }
    }
    for name in options.requestFields {
      if let value = customHeader(socket, name) { fields[name] = value }
    }
    return fields
  }

  private func method(of socket: OpaquePointer) -> HTTPRequest.Method? {
    for (token, method) in [
      (WSI_TOKEN_GET_URI, HTTPRequest.Method.get), (WSI_TOKEN_HEAD_URI, .head),
      (WSI_TOKEN_POST_URI, .post), (WSI_TOKEN_PUT_URI, .put), (WSI_TOKEN_PATCH_URI, .patch),
      (WSI_TOKEN_DELETE_URI, .delete),
    ] where lws_hdr_total_length(socket, token) > 0 {
      return method
    }
    return nil
  }
}

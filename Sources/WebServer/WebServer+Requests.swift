internal import CLibwebsockets

// Dispatching requests.
extension WebServer {
  func requestArrived(_ socket: OpaquePointer, path: UnsafeRawBufferPointer) -> Int32 {
    // This "request" is the rest of a body that was not parsed.
    guard exchanges[socket] == nil else { return -1 }
    endHandshake(socket)
    let head = RequestHead(of: socket)
    let method = head.method
    let framing = BodyFraming(
      method: method,
      contentLength: head[WSI_TOKEN_HTTP_CONTENT_LENGTH],
      transferEncoding: head[WSI_TOKEN_HTTP_TRANSFER_ENCODING]
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
    let exchange = exchanges.begin(socket, of: client(of: socket))
    exchange.conditions.isHead = method == .head
    exchange.body.isExpected = framing != .none
    connections.visitors.note(socket, isIdle: false)
    let request = HTTPRequest(
      method: method ?? .get,
      path: String(decoding: path, as: UTF8.self),
      query: head.query,
      host: head.host,
      fields: head.fields(adding: options.requestFields),
      contentLength: framing.count,
      peer: exchange.share.client,
      isForAdmin: connections.visitors.isAdmin(socket)
    )
    if let refusal = refusal(of: request, method: method) {
      // After such a head, the next request cannot be found.
      exchange.isLast = true
      return begin(refusal, of: exchange)
    }
    guard connections.census.begin(.exchange, for: &exchange.share, now: Self.now()) else {
      count(.requests, exchange)
      exchange.isLast = true
      return begin(
        .text(status: 429, "Too many requests at a time from this address.\n"),
        of: exchange
      )
    }
    exchange.conditions.knownTags = head[WSI_TOKEN_HTTP_IF_NONE_MATCH]
    exchange.conditions.acceptsGzip = Gzip.isAccepted(by: head[WSI_TOKEN_HTTP_ACCEPT_ENCODING])
    return pass(request, in: exchange, framing)
  }

  /// Passes a request to the application and does what it decides.
  private func pass(
    _ request: HTTPRequest,
    in exchange: Exchange,
    _ framing: BodyFraming
  ) -> Int32 {
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
    writeBuffer.discardInput(of: lws_get_socket_fd(socket))
  }

  static let nothingHere = HTTPResponse.text(status: 404, "Not found. Check the address.\n")

  /// Returns the response to a request that the application need not see, or nil.
  private func refusal(
    of request: HTTPRequest,
    method: HTTPRequest.Method?
  ) -> HTTPResponse? {
    guard let method else { return Self.notAllowed(HTTPRequest.Method.allCases) }
    guard options.answers(host: request.host) else {
      return .text(status: 421, ServerOptions.unservedHost + "\n")
    }
    // System calls would end the path there.
    guard !request.path.utf8.contains(0) else { return Self.nothingHere }
    if !method.isSafe, let origin = request.fields["origin"],
      !options.admits(origin: origin, host: request.host)
    {
      return .text(status: 403, "Pages of the origin \(origin) must not change anything here.\n")
    }
    return loop.isStopping ? Self.stopping : nil
  }

  /// Returns the response if the application does not respond.
  private func ownResponse(to request: HTTPRequest, in exchange: Exchange) -> HTTPResponse {
    if request.path == Self.webSocketPath {
      return .text(
        status: 426,
        "Upgrade to a WebSocket with the subprotocol \(Self.subprotocol).\n"
      )
    }
    let acceptsGzip = exchange.conditions.acceptsGzip
    guard let response = files?.response(path: request.path, acceptsGzip: acceptsGzip) else {
      return Self.nothingHere
    }
    return request.method.isSafe ? response : Self.notAllowed([.get, .head])
  }

  private static func notAllowed(_ methods: [HTTPRequest.Method]) -> HTTPResponse {
    let names = methods.map(\.rawValue).joined(separator: ", ")
    var response = HTTPResponse.text(status: 405, "Method not allowed; use \(names).\n")
    response.fields = [HTTPField("allow", names)]
    return response
  }
}

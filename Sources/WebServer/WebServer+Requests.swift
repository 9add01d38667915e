internal import CLibwebsockets

// Dispatching requests.
extension WebServer {
  func requestArrived(_ socket: OpaquePointer, path: UnsafeRawBufferPointer) -> Int32 {
    guard exchanges[socket] == nil, let visit = connections.visitors[socket] else { return -1 }
    connections.visitors.finishReading(socket)
    // From now on the server reads the connection.
    lws_rx_flow_control(socket, 0)
    let head = visit.head
    let method = HTTPRequest.Method(rawValue: head.method)
    let framing = head.framing
    let exchange = exchanges.begin(socket, of: visit.client, host: head.host)
    exchange.conditions.isHead = method == .head
    exchange.body = RequestBody(framing)
    exchange.isLast = !head.keepsConnection
    let request = HTTPRequest(
      method: method ?? .get,
      path: String(decoding: path, as: UTF8.self),
      query: RequestURI.query(of: socket),
      host: head.host,
      fields: fields(of: head),
      contentLength: framing.count,
      peer: visit.client,
      isForAdmin: visit.isAdmin
    )
    // Frees the memory that libwebsockets uses for heads.
    lws_http_headers_detach(socket)
    if let refusal = refusal(of: request, method: method) {
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
    exchange.conditions.knownTags = head["if-none-match"]
    exchange.conditions.acceptsGzip = Gzip.isAccepted(by: head["accept-encoding"])
    return pass(request, in: exchange, framing)
  }

  /// Returns the fields for the application.
  private func fields(of head: RequestHead) -> [String: String] {
    var fields: [String: String] = [:]
    for name in ["origin", "authorization", "content-type"] + options.requestFields {
      fields[name] = head[name]
    }
    return fields
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

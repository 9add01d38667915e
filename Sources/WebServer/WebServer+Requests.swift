internal import CLibwebsockets
internal import Glibc
internal import Telemetry

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
    var request = HTTPRequest(
      method: method ?? .get,
      path: options.basePath.local(String(decoding: path, as: UTF8.self)),
      query: Self.query(of: socket),
      host: head.host,
      pageHost: options.pageHost(of: head, from: visit.source),
      fields: fields(of: head),
      contentLength: framing.count,
      peer: visit.client,
      isForAdmin: visit.isAdmin
    )
    request.sentPath = options.basePath.local(head.path)
    request.pageOrigin = options.pageOrigin(of: head, from: visit.source)
    request.user = options.user(of: head, from: visit.source)
    request.report = options.report(of: head, from: visit.source)
    if request.report == .ignored { group.noteIgnoredReport(of: visit.client) }
    // Frees the memory that libwebsockets uses for heads.
    lws_http_headers_detach(socket)
    if let refusal = refusal(of: request, head) {
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

  /// Returns the parts of the query between ampersands, in order; only valid during the callback
  /// for the request.
  ///
  /// If they were joined again, an ampersand in a value could not be distinguished from a
  /// separator.
  private static func query(of socket: OpaquePointer) -> [String] {
    var parts: [String] = []
    while let part = queryPart(Int32(clamping: parts.count), of: socket) { parts.append(part) }
    return parts
  }

  private static func queryPart(_ index: Int32, of socket: OpaquePointer) -> String? {
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
  private func refusal(of request: HTTPRequest, _ head: RequestHead) -> HTTPResponse? {
    guard let method = HTTPRequest.Method(rawValue: head.method) else {
      return Self.notAllowed(HTTPRequest.Method.allCases)
    }
    if let (status, words) = options.misdirection(of: head, isForAdmin: request.isForAdmin) {
      return .text(status: status, words + "\n")
    }
    // System calls would end the path there.
    guard !request.path.utf8.contains(0) else { return Self.nothingHere }
    if !method.isSafe, let origin = request.fields["origin"],
      !options.admits(origin: origin, host: request.pageHost)
    {
      return .text(status: 403, "Pages of the origin \(origin) must not change anything here.\n")
    }
    if method.isSafe, options.basePath.isIncomplete(request.path) {
      var response = HTTPResponse.text(status: 308, "The library is at \(request.path)/\n")
      response.fields = [HTTPField("location", request.path + "/")]
      return response
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

  // Sending responses. A returned number is for libwebsockets: -1 closes the connection.

  /// The maximum size of a body that is sent together with the head, in bytes.
  private static let small = 16_384
  static let stopping = HTTPResponse.text(status: 503, "The server is stopping.\n")

  /// Responds to a request that waits; ignores any other.
  ///
  /// A response before the whole body has arrived is the last on its connection.
  package func answer(_ id: RequestID, _ response: HTTPResponse) {
    loop.checkThread()
    guard let exchange = exchanges[id], exchange.isOpen else { return }
    // During the callback, the caller takes the response from here.
    guard exchange.phase != .asked else {
      exchange.response = response
      return
    }
    stopWaiting(exchange)
    settle(begin(response, of: exchange), exchange.socket)
  }

  /// Does what libwebsockets does after a callback, but outside of one.
  func settle(_ result: Int32, _ socket: OpaquePointer) {
    guard result != 0 else { return }
    // A broken socket stays ready for everything until it is closed, which happens later.
    if let exchange = exchanges[socket] { abandon(exchange) }
    ServiceLoop.closeSoon(socket)
  }

  /// Makes a request wait for the application.
  func awaitAnswer(_ exchange: Exchange) -> Int32 {
    if let response = exchange.response { return begin(response, of: exchange) }
    guard connections.census.mayBegin(.waiting, of: exchange.share.client) else {
      count(.waiting, exchange)
      application.requestGone(exchange.id)
      return begin(
        .text(status: 503, "Too many requests are waiting. Try again soon.\n"),
        of: exchange
      )
    }
    wait(exchange)
    return 0
  }

  /// Stops reading until the response is sent; only a hang-up is watched for.
  func wait(_ exchange: Exchange) {
    exchange.phase = .waiting
    connections.census.begin(.waiting, for: &exchange.share, now: Self.now())
    limitWaiting(exchange)
    watch.watch(exchange, for: .hangup)
  }

  /// Writes the head of a response, and a short body with it; a long one waits for its turn.
  func begin(_ response: HTTPResponse, of exchange: Exchange) -> Int32 {
    let coded = exchange.conditions.coded(response)
    guard let (response, transfer) = transfer(of: coded, in: exchange) else { return -1 }
    exchange.phase = .sending
    exchange.isLast = exchange.isLast || exchange.body.isExpected || loop.isStopping
    let tag = tag(of: response, transfer)
    let isUnchanged = tag.map { exchange.conditions.isKnown($0) } ?? false
    var head = ResponseHead(
      exchange.socket,
      status: isUnchanged ? 304 : response.status,
      buffer: writeBuffer
    )
    if let tag { head.add("etag:", tag) }
    head.add("cache-control:", response.caching.headerValue)
    head.addSecurity(host: exchange.host, and: response.fields)
    if !isUnchanged, response.status != 204 {
      head.add("content-type:", response.contentType)
      head.add("content-length:", String(transfer.count))
    }
    if exchange.isLast { head.add("connection:", "close") }
    let isWhole =
      isUnchanged || exchange.conditions.isHead || transfer.count == 0 || response.status == 204
    let together = isWhole ? [] : transfer.smallBytes(limit: Self.small)
    guard let rest = head.write(body: together) else { return -1 }
    if rest.isEmpty, together != nil { return finish(exchange) }
    transfer.retain(rest, isFollowed: together == nil)
    exchange.transfer = transfer
    limitSending(exchange, count: transfer.count)
    limitSlowness(exchange)
    queue(exchange)
    return 0
  }

  /// Returns the transfer of a response, which may be replaced by an error response.
  private func transfer(
    of response: HTTPResponse,
    in exchange: Exchange
  ) -> (HTTPResponse, Transfer)? {
    var response = response
    var found: Transfer?
    do throws(Transfer.Fault) {
      found = try Transfer(response.body, exchanges.openFiles)
    } catch {
      // The file is gone or a directory, or too many files are open.
      response = error == .missing ? Self.nothingHere : Self.busy
    }
    if let transfer = found, transfer.count > Self.small, !exchange.conditions.isHead {
      if !connections.census.begin(.longResponse, for: &exchange.share, now: Self.now()) {
        count(.answers, exchange)
        exchange.isLast = true
        (response, found) = (Self.busy, nil)
      }
    }
    let transfer = found ?? (try? Transfer(response.body, exchanges.openFiles))
    return transfer.map { (response, $0) }
  }

  /// Records that a request exceeded a limit.
  func count(_ excess: ServerMetrics.Excess, _ exchange: Exchange) {
    metrics.refused[excess].add()
    application.refused(excess.rawValue, to: exchange.share.client)
  }

  private static var busy: HTTPResponse {
    var response = HTTPResponse.text(
      status: 503,
      "Too many responses are being sent. Try again soon.\n"
    )
    response.fields = [HTTPField("retry-after", "5")]
    return response
  }

  /// Makes a response wait for its turn to continue.
  func queue(_ exchange: Exchange) {
    watch.watch(exchange, for: nil)
    exchanges.downloads.add(exchange.id)
  }

  /// Continues responses for one turn.
  func sendDownloads() {
    exchanges.downloads.beginTurn()
    while let (id, bytes) = exchanges.downloads.next() {
      guard let exchange = exchanges[id], let transfer = exchange.transfer else { continue }
      let before = transfer.sent
      let result = continueSending(exchange, transfer, atMost: bytes)
      exchanges.downloads.note(sent: transfer.sent - before)
      settle(result, exchange.socket)
    }
  }

  private func continueSending(
    _ exchange: Exchange,
    _ transfer: Transfer,
    atMost bytes: Int
  ) -> Int32 {
    switch transfer.advance(to: lws_get_socket_fd(exchange.socket), atMost: bytes) {
    case .complete: return finish(exchange)
    case .partial:
      limitSlowness(exchange)
      queue(exchange)
    case .full:
      limitSlowness(exchange)
      watch.watch(exchange, for: exchange.body.isExpected ? .inputAndRoom : .room)
    case .failed: return -1
    }
    return 0
  }

  /// Gives the client as much time for each part as for a whole request, because a slow reader is
  /// not a dead one.
  private func limitSlowness(_ exchange: Exchange) {
    lws_set_timeout(
      exchange.socket,
      PENDING_TIMEOUT_HTTP_CONTENT,
      Int32(clamping: options.limits.connections.keepAliveSeconds)
    )
  }

  /// Prepares the connection for the next request, or closes it.
  private func finish(_ exchange: Exchange) -> Int32 {
    let socket = exchange.socket
    exchange.transfer = nil
    watch.watch(exchange, for: nil)
    endSendingLimit(exchange)
    if exchange.isLast, exchange.body.isExpected { return linger(exchange) }
    end(exchange)
    if !exchange.isLast { reclaim(socket) }
    return -1
  }

  /// Ends the sending side and reads on until the client has noticed.
  private func linger(_ exchange: Exchange) -> Int32 {
    exchange.phase = .lingering
    // Requests may follow the body. With unread bytes, the kernel would reset the connection.
    exchange.body.becomeEndless()
    watch.watch(exchange, for: .input)
    shutdown(lws_get_socket_fd(exchange.socket), Int32(SHUT_WR))
    lws_set_timer_usecs(exchange.socket, Int64(options.limits.bodies.discardingSeconds * 1e6))
    return 0
  }

  private func tag(of response: HTTPResponse, _ transfer: Transfer) -> String? {
    guard response.status == 200, response.entityTag != nil || response.caching != .none else {
      return nil
    }
    return "\"\(response.entityTag ?? transfer.entityTag)\""
  }
}

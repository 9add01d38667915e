internal import CLibwebsockets
internal import Glibc
internal import Telemetry

// From an answer to its last byte. Where a function gives a number it is for libwebsockets: -1
// hangs up.
extension WebServer {
  /// The most that is written for one client before others have their turn, in bytes.
  private static let turn = 131_072
  /// The most of a body that goes out with the head in one piece, in bytes.
  private static let small = 16_384
  /// How much JSON is compressed when it is sent, in bytes.
  private static let compressible = 1024...131_072
  static let stopping = HTTPResponse.text(status: 503, "The server stops.\n")

  /// Answers a request that waits for it; any other is ignored.
  ///
  /// An answer before the whole body has come is the last on its connection.
  public func answer(_ id: RequestID, _ response: HTTPResponse) {
    checkThread()
    guard let exchange = exchanges[id], exchange.isOpen else { return }
    // Whoever asks now looks for the answer itself.
    guard exchange.phase != .asked else {
      exchange.response = response
      return
    }
    stopWaiting(exchange)
    settle(begin(response, of: exchange), exchange.socket)
  }

  /// Does what libwebsockets does after a callback, outside of one.
  func settle(_ result: Int32, _ socket: OpaquePointer) {
    guard result != 0 else { return }
    // A socket that is broken stays ready for everything until it is closed, which comes later.
    if let exchange = exchanges[socket] { abandon(exchange) }
    lws_set_timeout(socket, PENDING_TIMEOUT_KILLED_BY_PARENT, Int32(LWS_TO_KILL_ASYNC))
  }

  /// Lets a request wait for the application.
  func awaitAnswer(_ exchange: Exchange) -> Int32 {
    if let response = exchange.response { return begin(response, of: exchange) }
    guard exchanges.waitingCount < options.limits.waitingRequests,
      visitors.mayWait(exchange.peer)
    else {
      count(.waiting, exchange)
      application.requestGone(exchange.id)
      return begin(.text(status: 503, "Too many requests wait already.\n"), of: exchange)
    }
    wait(exchange)
    return 0
  }

  /// Stops reading until the answer is out; only the end of the connection is looked for.
  func wait(_ exchange: Exchange) {
    exchange.phase = .waiting
    exchanges.waitingCount += 1
    exchange.isCountedWaiting = visitors.beginWaiting(exchange.peer, now: Self.now())
    lws_rx_flow_control(exchange.socket, 0)
    // Nothing needs the memory of the head any more, unless bytes of a body come: reading those,
    // libwebsockets would begin another.
    if !exchange.awaitsBody { lws_http_headers_detach(exchange.socket) }
    limitWaiting(exchange)
    watch.watch(exchange, for: .hangup)
  }

  /// Writes the head of an answer and as much of its body as the socket takes.
  func begin(_ response: HTTPResponse, of exchange: Exchange) -> Int32 {
    let coded = coded(response, for: exchange)
    guard let (response, transfer) = transfer(of: coded, in: exchange) else { return -1 }
    exchange.phase = .sending
    exchange.isLast = exchange.isLast || exchange.awaitsBody || isStopping
    let tag = tag(of: response, transfer)
    let isUnchanged = tag.map { Self.matches(exchange.knownTags, $0) } ?? false
    var head = ResponseHead(
      exchange.socket,
      status: isUnchanged ? 304 : response.status,
      buffer: writeBuffer
    )
    if let tag { head.add("etag:", tag) }
    head.add("cache-control:", response.caching.headerValue)
    head.addSecurity(and: response.fields)
    if !isUnchanged, response.status != 204 {
      head.add("content-type:", response.contentType)
      head.add("content-length:", String(transfer.count))
    }
    if exchange.isLast { head.add("connection:", "close") }
    let isWhole =
      isUnchanged || exchange.isHead || transfer.count == 0 || response.status == 204
    let together = isWhole ? [] : transfer.smallBytes(limit: Self.small)
    guard let rest = head.write(body: together) else { return -1 }
    if rest.isEmpty, together != nil { return finish(exchange) }
    transfer.keep(rest, isFollowed: together == nil)
    exchange.transfer = transfer
    return continueSending(exchange)
  }

  /// JSON of the application as the client takes it; everything else as it is.
  ///
  /// What is small gains nothing, and compressing what is large would keep others waiting.
  private func coded(_ response: HTTPResponse, for exchange: Exchange) -> HTTPResponse {
    guard response.contentType == "application/json", case .bytes(let bytes) = response.body,
      !response.fields.contains(.gzip), Self.compressible ~= bytes.count
    else { return response }
    var response = response
    response.fields.append(.variesByCoding)
    guard exchange.acceptsGzip, let packed = Gzip.compressed(bytes, level: 1) else {
      return response
    }
    response.body = .bytes(packed)
    response.entityTag = response.entityTag.map { $0 + "-gzip" }
    response.fields.append(.gzip)
    return response
  }

  /// What is sent, with the answer that it is the body of.
  private func transfer(
    of response: HTTPResponse,
    in exchange: Exchange
  ) -> (HTTPResponse, Transfer)? {
    var response = response
    var found: Transfer?
    do throws(Transfer.Fault) {
      found = try Transfer(response.body, openFiles)
    } catch {
      // A file that went away or a directory, or too much is open.
      response = error == .missing ? Self.nothingHere : Self.busy
    }
    if let transfer = found, transfer.count > Self.small, !exchange.isHead {
      exchange.isCountedLong = visitors.beginLongAnswer(exchange.peer, now: Self.now())
      if !exchange.isCountedLong {
        count(.answers, exchange)
        exchange.isLast = true
        (response, found) = (Self.busy, nil)
      }
    }
    guard let transfer = found ?? (try? Transfer(response.body, openFiles)) else { return nil }
    return (response, transfer)
  }

  /// Notes that a request was one too many.
  func count(_ excess: ServerMetrics.Excess, _ exchange: Exchange) {
    metrics.refused[excess].add()
    application.refused(excess.rawValue, to: exchange.peer)
  }

  private static var busy: HTTPResponse {
    var response = HTTPResponse.text(status: 503, "Too much is being sent. Try again soon.\n")
    response.fields = [HTTPField("retry-after", "5")]
    return response
  }

  func continueSending(_ exchange: Exchange) -> Int32 {
    guard let transfer = exchange.transfer else { return -1 }
    switch transfer.advance(to: lws_get_socket_fd(exchange.socket), atMost: Self.turn) {
    case .complete: return finish(exchange)
    case .partial: break
    case .failed: return -1
    }
    limitSending(exchange, count: transfer.count)
    // Each part gets as long as a whole request: a slow reader is not a dead one.
    lws_set_timeout(
      exchange.socket,
      PENDING_TIMEOUT_HTTP_CONTENT,
      Int32(clamping: options.limits.keepAliveSeconds)
    )
    // A body that nobody waits for is still read, since its sender may not listen before its end.
    lws_rx_flow_control(exchange.socket, exchange.awaitsBody ? 1 : 0)
    watch.watch(exchange, for: .room)
    return 0
  }

  /// Makes the connection ready for the next request, or ends it.
  private func finish(_ exchange: Exchange) -> Int32 {
    let socket = exchange.socket
    exchange.transfer = nil
    watch.watch(exchange, for: nil)
    endSendingLimit(exchange)
    if exchange.isLast, exchange.awaitsBody { return linger(exchange) }
    end(exchange)
    if exchange.isLast { return -1 }
    lws_rx_flow_control(socket, 1)
    return lws_http_transaction_completed(socket) != 0 ? -1 : 0
  }

  /// Says that nothing more comes, and reads on until the client has understood.
  private func linger(_ exchange: Exchange) -> Int32 {
    exchange.phase = .lingering
    lws_rx_flow_control(exchange.socket, 1)
    shutdown(lws_get_socket_fd(exchange.socket), Int32(SHUT_WR))
    lws_set_timer_usecs(exchange.socket, Int64(options.limits.forgettingSeconds * 1e6))
    finishIfIdle()
    return 0
  }

  private func tag(of response: HTTPResponse, _ transfer: Transfer) -> String? {
    guard response.status == 200, response.entityTag != nil || response.caching != .none else {
      return nil
    }
    return "\"\(response.entityTag ?? transfer.entityTag)\""
  }

  /// Whether an `If-None-Match` field names a tag, be it a weak one.
  ///
  /// RFC 9110, section 13.1.2.
  private static func matches(_ known: String?, _ tag: String) -> Bool {
    guard let known else { return false }
    return known.split(separator: ",").contains { candidate in
      let candidate = candidate.trimmingSpaces
      return candidate == "*" || candidate == tag || candidate == "W/" + tag
    }
  }
}

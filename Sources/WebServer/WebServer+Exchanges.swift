internal import CLibwebsockets

// Request bodies, and requests that end early.
extension WebServer {
  /// Thirty years in microseconds: this timer of libwebsockets cannot be cancelled.
  private static let never: Int64 = 1_000_000_000_000_000

  /// Pauses reading the body of a request until `resumeBody`.
  ///
  /// At most one read of 128 KiB still arrives; the rest waits in the kernel and at the client. A
  /// body that is paused for `limits.requests.waitingSeconds` is abandoned.
  public func pauseBody(_ id: RequestID) {
    loop.checkThread()
    guard let exchange = exchanges[id], exchange.isOpen, !exchange.body.isPaused else { return }
    exchange.body.pause(at: Self.now())
    guard exchange.phase == .receiving else { return }
    lws_rx_flow_control(exchange.socket, 0)
    // After the callback that may be running, libwebsockets sets a timeout for the next bytes.
    mailbox.perform { server in
      if let exchange = server.exchanges[id], exchange.body.isPaused, exchange.phase == .receiving {
        server.limitWaiting(exchange)
      }
    }
  }

  /// Continues to read the body of a request.
  public func resumeBody(_ id: RequestID) {
    loop.checkThread()
    guard let exchange = exchanges[id], exchange.isOpen,
      exchange.body.resume(at: Self.now())
    else { return }
    if exchange.phase == .receiving { readBody(of: exchange) }
  }

  func receiveBody(of exchange: Exchange, _ framing: BodyFraming, limit: Int) -> Int32 {
    if let response = exchange.response { return begin(response, of: exchange) }
    switch framing {
    case .none:
      let result = awaitAnswer(exchange)
      if exchange.phase == .waiting { application.bodyEnded(exchange.id) }
      return result
    case .counted(let count) where count <= limit:
      exchange.phase = .receiving
      let expects = RequestHead(of: exchange.socket)[WSI_TOKEN_HTTP_EXPECT]?.lowercased()
      if expects == "100-continue", !writeBuffer.writeContinue(to: exchange.socket) { return -1 }
      exchange.body.setDeadline(Self.now() + options.limits.bodies.time.seconds(for: count))
      if exchange.body.isPaused { limitWaiting(exchange) } else { limitBody(exchange) }
      lws_rx_flow_control(exchange.socket, exchange.body.isPaused ? 0 : 1)
      return 0
    case .counted(let count):
      application.requestGone(exchange.id)
      let reason = "A body of \(count) bytes is too large. Send at most \(limit) bytes.\n"
      return begin(.text(status: 413, reason), of: exchange)
    case .unannounced, .chunked, .malformed:
      application.requestGone(exchange.id)
      return begin(.text(status: 411, "Send the Content-Length of the body.\n"), of: exchange)
    }
  }

  func bodyArrived(_ socket: OpaquePointer, _ bytes: UnsafeRawBufferPointer) -> Int32 {
    guard let exchange = exchanges[socket], !bytes.isEmpty else { return 0 }
    switch exchange.phase {
    case .receiving: application.bodyReceived(exchange.id, bytes)
    case .lingering:
      let limit = options.limits.bodies.discardedBytes
      if !exchange.body.discard(bytes.count, limit: limit) { return -1 }
    case .asked, .waiting, .sending: break
    }
    return 0
  }

  func bodyCompleted(_ socket: OpaquePointer) -> Int32 {
    // libwebsockets also reports this for an empty body of a request that was answered already.
    guard let exchange = exchanges[socket], exchange.body.isExpected else { return 0 }
    exchange.body.isExpected = false
    if exchange.phase == .lingering { return -1 }
    // It would report this again with every byte of the next request.
    lws_rx_flow_control(socket, 0)
    guard exchange.phase == .receiving else { return 0 }
    wait(exchange)
    application.bodyEnded(exchange.id)
    return 0
  }

  /// Handles the timeout of a waiting request or of an unwanted body.
  func exchangeTimedOut(_ socket: OpaquePointer) -> Int32 {
    guard let exchange = exchanges[socket] else { return 0 }
    switch exchange.phase {
    case .lingering, .sending: return -1
    case .receiving where !exchange.body.isPaused:
      application.refused("slow body", to: exchange.share.client)
      fail(exchange, .text(status: 408, "The body took too long. Send it faster.\n"))
      return 0
    case .asked, .receiving, .waiting: break
    }
    fail(exchange, .text(status: 503, "The response took too long. Try again.\n"))
    return 0
  }

  /// Continues with the sockets that have events.
  func socketsChanged() {
    watch.forEachReady { subject in
      switch subject {
      case .exchange(let id):
        guard let exchange = exchanges[id] else { return }
        if exchange.phase == .sending { queue(exchange) } else { settle(-1, exchange.socket) }
      case .webSocket(let connection): webSocketHasEvent(connection)
      case .pending(let id): pendingBecameReadable(id)
      }
    }
  }

  /// Responds in place of the application, if it has not responded.
  func fail(_ exchange: Exchange, _ response: HTTPResponse) {
    guard exchange.isOpen, exchange.phase != .asked else { return }
    let id = exchange.id
    answer(id, response)
    application.requestGone(id)
  }

  /// Ends an exchange without a response.
  func abandon(_ exchange: Exchange) {
    let wasOpen = exchange.isOpen
    stopWaiting(exchange)
    end(exchange)
    if wasOpen { application.requestGone(exchange.id) }
  }

  func end(_ exchange: Exchange) {
    exchanges.end(exchange)
    connections.visitors.note(exchange.socket, isIdle: true)
    connections.census.endAll(of: &exchange.share)
    finishIfIdle()
  }

  func socketDestroyed(_ socket: OpaquePointer) {
    if let exchange = exchanges[socket] { abandon(exchange) }
    connections.endHandshake(socket)?.closeRest()
    connections.visitors.remove(socket)
  }

  /// Reverts the changes for waiting, except that reading stays stopped.
  func stopWaiting(_ exchange: Exchange) {
    connections.census.end(.waiting, of: &exchange.share)
    watch.watch(exchange, for: nil)
    lws_set_timer_usecs(exchange.socket, Self.never)
  }

  /// Replaces the client's time limit with that of the application.
  func limitWaiting(_ exchange: Exchange) {
    lws_set_timeout(exchange.socket, NO_PENDING_TIMEOUT, 0)
    lws_set_timer_usecs(exchange.socket, Int64(options.limits.requests.waitingSeconds * 1e6))
  }

  /// Sets the remaining time of the client for its body.
  private func limitBody(_ exchange: Exchange) {
    let seconds = exchange.body.secondsLeft(at: Self.now())
    lws_set_timer_usecs(exchange.socket, Int64(min(seconds, 1e9) * 1e6))
  }

  /// Sets the time limit of the client for a response, in proportion to its size.
  func limitSending(_ exchange: Exchange, count: Int) {
    guard !exchange.isTimed else { return }
    exchange.isTimed = true
    let seconds = options.limits.responses.time.seconds(for: count)
    lws_set_timer_usecs(exchange.socket, Int64(min(seconds, 1e9) * 1e6))
  }

  /// Removes this limit before the next request.
  func endSendingLimit(_ exchange: Exchange) {
    if exchange.isTimed { lws_set_timer_usecs(exchange.socket, Self.never) }
  }

  private func readBody(of exchange: Exchange) {
    limitBody(exchange)
    lws_set_timeout(
      exchange.socket,
      PENDING_TIMEOUT_HTTP_CONTENT,
      Int32(clamping: options.limits.requests.arrivalSeconds)
    )
    lws_rx_flow_control(exchange.socket, 1)
  }
}

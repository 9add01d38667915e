internal import CLibwebsockets
internal import Glibc

// Request bodies, and requests that end early.
extension WebServer {
  /// Thirty years in microseconds: this timer of libwebsockets cannot be cancelled.
  private static let never: Int64 = 1_000_000_000_000_000

  /// Pauses reading the body of a request until `resumeBody`.
  ///
  /// The rest of the body waits in the kernel and at the client. A body that is paused for
  /// `limits.requests.waitingSeconds` is abandoned.
  package func pauseBody(_ id: RequestID) {
    loop.checkThread()
    guard let exchange = exchanges[id], exchange.isOpen, !exchange.body.isPaused else { return }
    exchange.body.pause(at: Self.now())
    if exchange.phase == .receiving { rest(exchange) }
  }

  /// Continues to read the body of a request.
  package func resumeBody(_ id: RequestID) {
    loop.checkThread()
    guard let exchange = exchanges[id], exchange.isOpen,
      exchange.body.resume(at: Self.now())
    else { return }
    if exchange.phase == .receiving { readOn(exchange) }
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
      let head = connections.visitors[exchange.socket]?.head
      if head?.lists("100-continue", in: "expect") == true,
        !writeBuffer.writeContinue(to: exchange.socket)
      {
        return -1
      }
      exchange.body.setDeadline(Self.now() + options.limits.bodies.time.seconds(for: count))
      if exchange.body.isPaused { rest(exchange) } else { readOn(exchange) }
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

  /// Reads what has arrived of the body of a request, up to a limit.
  private func readBody(of exchange: Exchange) {
    guard exchange.phase == .receiving, !exchange.body.isPaused else { return }
    switch inputBuffer.receiveBody(from: lws_get_socket_fd(exchange.socket), exchange.body.left) {
    case .nothing: return
    case .ended: settle(-1, exchange.socket)
    case .bytes(let bytes, let count):
      exchange.body.consume(count)
      application.bodyReceived(exchange.id, UnsafeRawBufferPointer(bytes))
      // The application may have responded or paused.
      guard exchange.phase == .receiving, exchanges[exchange.id] != nil else { return }
      if !exchange.body.isExpected {
        wait(exchange)
        application.bodyEnded(exchange.id)
      } else if !exchange.body.isPaused {
        readOn(exchange)
      }
    }
  }

  /// Discards what has arrived of an unwanted body; false if it has ended or is too large.
  private func discardBody(of exchange: Exchange) -> Bool {
    switch inputBuffer.receiveBody(from: lws_get_socket_fd(exchange.socket), exchange.body.left) {
    case .nothing: return true
    case .ended:
      exchange.body.end()
      return false
    case .bytes(_, let count):
      let limit = options.limits.bodies.discardedBytes
      return exchange.body.discard(count, limit: limit) && exchange.body.isExpected
    }
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
      case .exchange(let id): if let exchange = exchanges[id] { exchangeHasEvent(exchange) }
      case .webSocket(let connection): webSockets.hasEvent(connection)
      case .pending(let id): pendingBecameReadable(id)
      }
    }
  }

  /// Handles a socket that has input or room, or whose client hangs up.
  private func exchangeHasEvent(_ exchange: Exchange) {
    switch exchange.phase {
    case .receiving: readBody(of: exchange)
    case .sending:
      // An unwanted body is read meanwhile, because its sender may not listen before its end.
      if exchange.body.isExpected { _ = discardBody(of: exchange) }
      queue(exchange)
    case .lingering: if !discardBody(of: exchange) { settle(-1, exchange.socket) }
    case .asked, .waiting: settle(-1, exchange.socket)
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
    connections.census.endAll(of: &exchange.share)
  }

  func socketDestroyed(_ socket: OpaquePointer) {
    if let exchange = exchanges[socket] { abandon(exchange) }
    if let visit = connections.visitors[socket], let connection = visit.unreadConnection {
      let reason = "The address \(visit.head.target.fitting(100)) cannot be read."
      let response = ResponseHead.rejection(status: 400, reason: reason, fields: [])
      _ = Glibc.send(
        connection,
        response,
        response.count,
        Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
      )
    }
    connections.visitors.remove(socket)
  }

  /// Reverts the changes for waiting.
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

  /// Reads the body once more of it has arrived, within the client's time for it.
  private func readOn(_ exchange: Exchange) {
    let seconds = exchange.body.secondsLeft(at: Self.now())
    lws_set_timer_usecs(exchange.socket, Int64(min(seconds, 1e9) * 1e6))
    lws_set_timeout(
      exchange.socket,
      PENDING_TIMEOUT_HTTP_CONTENT,
      Int32(clamping: options.limits.requests.arrivalSeconds)
    )
    watch.watch(exchange, for: .input)
  }

  /// Stops reading a body.
  ///
  /// A hang-up is not watched for, because the client may only have stopped
  /// sending, with the rest of the body in the kernel.
  private func rest(_ exchange: Exchange) {
    limitWaiting(exchange)
    watch.watch(exchange, for: nil)
  }
}

internal import CLibwebsockets
internal import Glibc
internal import Telemetry

// The life of a WebSocket. libwebsockets stores only its slot in the table, plus one: that memory
// is initialised with zeros and freed without Swift knowing.
extension WebServer {
  func webSocketOpened(_ socket: OpaquePointer, _ user: UnsafeMutableRawPointer?) {
    guard let user else { return }
    // From here on, webSocketBecameReadable reads the input.
    lws_rx_flow_control(socket, 0)
    lectern_limit_unsent(
      lws_get_socket_fd(socket),
      Int32(clamping: options.limits.webSockets.unsentBytes)
    )
    let now = Self.now()
    var share = ClientShare(client: client(of: socket))
    connections.visitors.begin(.exchange, for: &share, now: now)
    connections.visitors.note(socket, isIdle: false)
    let input = WebSocketInput(limits: options.limits, now: now)
    let connection = webSockets.insert(.init(socket: socket, share: share, input: input))
    user.storeBytes(of: connection.slot + 1, as: UInt32.self)
    metrics.opened.add()
    watch.watch(connection, socket, isWanted: true)
    application.opened(connection, from: share.client, now: now)
    if stopper.isStopRequested { close(connection, code: 1001, reason: "the server is stopping") }
    // Only now libwebsockets reports whether it has read more than the head.
    mailbox.perform { $0.checkSilence(connection) }
  }

  /// Closes a connection on which input arrived before the response to its handshake.
  ///
  /// libwebsockets has read that input and does not return it, so it is lost. RFC 6455, section
  /// 4.1, forbids clients to send it. Input right after the first request of a connection is not
  /// lost; see ``HandshakeSockets``.
  private func checkSilence(_ connection: ConnectionID) {
    guard let webSocket = webSockets[connection], !webSocket.isClosing else { return }
    lws_rx_flow_control(webSocket.socket, 1)
    let isLost = keepsUnread(webSocket.socket)
    lws_rx_flow_control(webSocket.socket, 0)
    guard isLost else { return }
    fail(connection, code: 1002, reason: "wait for the answer to the handshake")
  }

  func webSocketBecameWritable(_ socket: OpaquePointer, _ user: UnsafeMutableRawPointer?) -> Int32 {
    guard let connection = connection(user), let webSocket = webSockets[connection] else {
      return -1
    }
    guard !webSocket.isClosing else {
      sendClose(connection)
      return 0
    }
    answerPing(connection)
    if webSockets.takeAwaitsWritable(connection) {
      application.becameWritable(connection, now: Self.now())
    }
    return 0
  }

  func webSocketClosed(_ user: UnsafeMutableRawPointer?) {
    guard let connection = connection(user), let webSocket = webSockets[connection] else { return }
    user?.storeBytes(of: 0, as: UInt32.self)
    metrics.countClosing(webSocket.closeCode)
    webSockets.remove(connection)
    var share = webSocket.share
    connections.visitors.endAll(of: &share)
    application.closed(connection, code: webSocket.closeCode, now: Self.now())
    finishIfIdle()
  }

  /// Closes a connection with a code and a reason of at most 123 bytes.
  ///
  /// `closed` follows later.
  public func close(_ connection: ConnectionID, code: UInt16, reason: String) {
    loop.checkThread()
    guard let webSocket = webSockets[connection], !webSocket.isClosing else { return }
    webSockets.beginClosing(connection, code: code, reason: reason)
    // Limits how long the server waits for a client that accepts nothing or does not answer.
    lws_set_timeout(webSocket.socket, PENDING_TIMEOUT_CLOSE_ACK, Self.closeSeconds)
    sendClose(connection)
  }

  private static let closeSeconds: Int32 = 5

  /// Closes a connection whose framing is lost.
  func fail(_ connection: ConnectionID, code: UInt16, reason: String) {
    guard let webSocket = webSockets[connection] else { return }
    if !webSocket.isClosing { application.refused("frames: \(code)", to: webSocket.share.client) }
    webSocket.input.isDeaf = true
    if webSocket.hasSentClose {
      endSending(webSocket)
    } else {
      close(connection, code: code, reason: reason)
    }
  }

  /// Handles a close frame of the client.
  func webSocketSentClose(_ connection: ConnectionID, code: UInt16) {
    guard let webSocket = webSockets[connection] else { return }
    if !webSocket.isClosing {
      webSockets.beginClosing(connection, code: code, reason: "")
      sendClose(connection)
    }
    // If unread bytes were left, the close frame would not arrive.
    writeBuffer.discardInput(of: webSocket.socket)
    cut(connection)
  }

  /// Writes the close frame, unless it was written already or a partial message is in the way.
  private func sendClose(_ connection: ConnectionID) {
    guard let webSocket = webSockets[connection], !webSocket.hasSentClose else { return }
    guard lws_partial_buffered(webSocket.socket) == 0 else {
      lws_callback_on_writable(webSocket.socket)
      return
    }
    webSockets.setSentClose(connection)
    var payload: [UInt8] = []
    if webSocket.closeCode != 1005 {
      payload = [UInt8(webSocket.closeCode >> 8), UInt8(webSocket.closeCode & 0xff)]
      payload += webSocket.closeReason.fitting(123).utf8
    }
    // libwebsockets writes no close frame for a connection that it closes, so this function does.
    let frame = [0x88, UInt8(payload.count)] + payload
    guard writeBuffer.write(frame, to: webSocket.socket, as: LWS_WRITE_HTTP) else {
      return cut(connection)
    }
    if webSocket.input.isDeaf { endSending(webSocket) }
  }

  /// Ends the sending side if the answer to the close frame could not be parsed.
  private func endSending(_ webSocket: WebSocketTable.Entry) {
    guard lws_partial_buffered(webSocket.socket) == 0 else { return }
    shutdown(lws_get_socket_fd(webSocket.socket), Int32(SHUT_WR))
  }

  /// Ends a connection without a close frame.
  func cut(_ connection: ConnectionID) {
    guard let webSocket = webSockets[connection] else { return }
    if !webSocket.isClosing { webSockets.beginClosing(connection, code: 1006, reason: "") }
    webSockets.setSentClose(connection)
    watch.watch(connection, webSocket.socket, isWanted: false)
    settle(-1, webSocket.socket)
  }

  private func connection(_ user: UnsafeMutableRawPointer?) -> ConnectionID? {
    guard let slot = user?.load(as: UInt32.self), slot > 0 else { return nil }
    return webSockets.connection(inSlot: slot - 1)
  }
}

extension String {
  /// Returns the longest prefix of whole characters within a number of bytes.
  func fitting(_ bytes: Int) -> Substring {
    var text = self[...]
    while text.utf8.count > bytes { text.removeLast() }
    return text
  }
}

internal import CLibwebsockets
internal import Glibc
internal import Telemetry

// The life of a WebSocket. libwebsockets shakes hands; then the server takes the connection over,
// because libwebsockets polls every connection for each event and keeps their timers in sorted
// lists, both of which cost a server with thousands of members most of its time.
extension WebServer {
  /// Takes over a connection whose handshake has ended.
  func webSocketOpened(_ socket: OpaquePointer) {
    guard lws_partial_buffered(socket) == 0,
      let (visit, descriptor) = connections.visitors.takeBack(socket)
    else { return ServiceLoop.closeSoon(socket) }
    lectern_limit_unsent(descriptor, Int32(clamping: options.limits.webSockets.unsentBytes))
    let now = Self.now()
    var share = ClientShare(client: visit.client)
    connections.census.addWebSocket(of: visit.household, now: now)
    connections.census.begin(.exchange, for: &share, now: now)
    let input = WebSocketInput(limits: options.limits, now: now)
    metrics.opened.add()
    let connection = serve(
      .init(household: visit.household, share: share, input: input),
      .init(descriptor: descriptor, heard: now),
      now: now
    )
    application.opened(connection, from: share.client, now: now)
    closeIfStopping(connection)
  }

  /// Begins to serve a WebSocket, which is counted already.
  func serve(
    _ entry: WebSocketTable.Entry,
    _ outlet: WebSocketTable.Outlet,
    now: Double
  ) -> ConnectionID {
    let connection = webSockets.insert(entry, outlet)
    watch.watch(connection, outlet.descriptor, from: nil, to: .input)
    if webSockets.awaitsRoom(connection) { watchRoom(of: connection) }
    watchSilence(of: connection, until: outlet.heard + secondsUntilPing, now: now)
    return connection
  }

  func closeIfStopping(_ connection: ConnectionID) {
    guard stopper.isStopRequested || loop.isStopping else { return }
    close(connection, code: 1001, reason: "the server is stopping")
  }

  /// Handles a socket that has room again.
  func webSocketBecameWritable(_ connection: ConnectionID) {
    guard sendRest(of: connection), let webSocket = webSockets[connection] else { return }
    if webSockets.isClosing(connection) {
      if webSocket.hasSentClose, webSocket.input.isDeaf { endSending(connection) }
    } else {
      answerPing(connection)
      if webSockets.takeAwaitsWritable(connection) {
        application.becameWritable(connection, now: Self.now())
      }
    }
    watchRoom(of: connection)
  }

  /// Closes a connection with a code and a reason of at most 123 bytes.
  ///
  /// `closed` follows later.
  public func close(_ connection: ConnectionID, code: UInt16, reason: String) {
    loop.checkThread()
    guard webSockets[connection] != nil, !webSockets.isClosing(connection) else { return }
    beginClosing(connection, code: code, reason: reason)
    sendClose(connection)
  }

  /// The time that a closing connection may take to send the close frame and to receive the answer.
  private static let closeSeconds = 5.0

  private func beginClosing(_ connection: ConnectionID, code: UInt16, reason: String) {
    let now = Self.now()
    let deadline = now + Self.closeSeconds
    webSockets.beginClosing(connection, code: code, reason: reason, deadline: deadline)
    watchSilence(of: connection, until: deadline, now: now)
  }

  /// Closes a connection whose framing is lost.
  func fail(_ connection: ConnectionID, code: UInt16, reason: String) {
    guard let webSocket = webSockets[connection] else { return }
    let isClosing = webSockets.isClosing(connection)
    if !isClosing { application.refused("frames: \(code)", to: webSocket.share.client) }
    webSocket.input.isDeaf = true
    if webSocket.hasSentClose {
      endSending(connection)
    } else {
      close(connection, code: code, reason: reason)
    }
  }

  /// Handles a close frame of the client.
  func webSocketSentClose(_ connection: ConnectionID, code: UInt16) {
    guard webSockets[connection] != nil else { return }
    if !webSockets.isClosing(connection) {
      beginClosing(connection, code: code, reason: "")
      sendClose(connection)
    }
    // If unread bytes were left, the close frame would not arrive.
    writeBuffer.discardInput(of: webSockets.descriptor(of: connection))
    cut(connection)
  }

  /// Writes the close frame, after the rest of an earlier write.
  private func sendClose(_ connection: ConnectionID) {
    guard let webSocket = webSockets[connection], !webSocket.hasSentClose else { return }
    webSockets.setSentClose(connection)
    var payload: [UInt8] = []
    if webSocket.closeCode != 1005 {
      payload = [UInt8(webSocket.closeCode >> 8), UInt8(webSocket.closeCode & 0xff)]
      payload += webSocket.closeReason.fitting(123).utf8
    }
    sender.frames.removeAll()
    payload.withUnsafeBytes { sender.frames.append($0, as: .close) }
    sender.frames.withBytes { webSockets.keep($0, for: connection) }
    guard sendRest(of: connection) else { return watchRoom(of: connection) }
    if webSocket.input.isDeaf { endSending(connection) }
  }

  /// Ends the sending side if the answer to the close frame could not be parsed.
  private func endSending(_ connection: ConnectionID) {
    guard webSockets[connection]?.rest.isEmpty == true else { return }
    shutdown(webSockets.descriptor(of: connection), Int32(SHUT_WR))
  }

  /// Ends a connection without a close frame; `closed` follows later.
  func cut(_ connection: ConnectionID) {
    guard webSockets[connection] != nil, webSockets.cut(connection) else { return }
    // A broken socket would stay ready for everything until it is closed.
    watch.watch(connection, webSockets.descriptor(of: connection), from: .input, to: nil)
    mailbox.perform { $0.finishClosing(connection) }
  }

  /// Closes the socket of a connection that has ended, and reports that.
  func finishClosing(_ connection: ConnectionID) {
    guard let (entry, outlet) = webSockets.detach(connection) else { return }
    var webSocket = entry
    Glibc.close(outlet.descriptor)
    metrics.countClosing(webSocket.closeCode)
    webSocket.endCounting(in: connections.census)
    application.closed(connection, code: webSocket.closeCode, now: Self.now())
    finishIfIdle()
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

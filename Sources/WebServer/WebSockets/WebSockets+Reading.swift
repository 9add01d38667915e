// Reading the input of WebSockets.
extension WebSockets {
  /// Handles a socket that has room or input, or whose client hangs up.
  func hasEvent(_ connection: ConnectionID) {
    guard table[connection] != nil else { return }
    if table.awaitsRoom(connection) { becameWritable(connection) }
    read(connection)
  }

  /// Reads the input of a WebSocket and passes complete messages to the application.
  private func read(_ connection: ConnectionID) {
    guard let webSocket = table[connection], !webSocket.isCut else { return }
    let input = webSocket.input
    switch inputBuffer.receive(from: table.descriptor(of: connection), after: input) {
    case .nothing: break
    case .ended: cut(connection)
    case .bytes(_, let count) where input.isDeaf: discard(count, of: connection, input)
    case .bytes(let bytes, let count):
      let now = WebServer.now()
      table.hear(connection, at: now)
      guard input.admits(bytes: count, at: now),
        census.admits(bytes: count, of: webSocket.share.client, now: now)
      else {
        return fail(connection, code: 1008, reason: "too much data; send less at a time")
      }
      take(bytes, from: connection, input, now)
      answerPing(connection)
    }
  }

  /// Handles input that was read before another server gave the WebSocket up.
  func handleKeptInput(of connection: ConnectionID) {
    guard let input = table[connection]?.input, let bytes = inputBuffer.kept(of: input) else {
      return
    }
    take(bytes, from: connection, input, WebServer.now())
    answerPing(connection)
  }

  private func take(
    _ bytes: UnsafeMutableRawBufferPointer,
    from connection: ConnectionID,
    _ input: WebSocketInput,
    _ now: Double
  ) {
    var start = 0
    while !input.isDeaf, let webSocket = table[connection], !webSocket.isCut {
      switch input.frames.step(bytes, from: &start) {
      case .more: return input.keep(bytes[start...])
      case .message(let place):
        let message = UnsafeRawBufferPointer(rebasing: bytes[place])
        // The application's responses must not overtake the pong.
        answerPing(connection)
        guard !table.isClosing(connection) else { break }
        unread = (connection, bytes[start...])
        application.received(connection, message, now: now)
        unread = nil
      case .assembled(let message):
        guard !table.isClosing(connection) else { break }
        answerPing(connection)
        unread = (connection, bytes[start...])
        message.withUnsafeBytes { application.received(connection, $0, now: now) }
        unread = nil
      case .part(let count):
        if count == 0 { takeIdleFrame(of: connection, input, now) }
      case .text: close(connection, code: 1003, reason: "messages are binary")
      case .ping(let place):
        takeIdleFrame(of: connection, input, now)
        // Only the last of several pings is answered (RFC 6455, section 5.5.3).
        input.pong = Array(bytes[place])
      case .pong: takeIdleFrame(of: connection, input, now)
      case .close(let code): return receivedClose(connection, code: code)
      case .violation(let code, let reason): fail(connection, code: code, reason: reason)
      }
    }
  }

  /// Counts a frame that costs work without a message.
  private func takeIdleFrame(of connection: ConnectionID, _ input: WebSocketInput, _ now: Double) {
    guard !input.admitsIdleFrame(at: now) else { return }
    fail(connection, code: 1008, reason: "too many control frames; send fewer")
  }

  /// Sends the pong for the last ping once the socket accepts it.
  func answerPing(_ connection: ConnectionID) {
    guard let input = table[connection]?.input, let pong = input.pong else { return }
    if pong.withUnsafeBytes({ send($0, as: .pong, to: connection) }) { input.pong = nil }
  }

  /// Counts input after the close frame, which is read so that the client receives the frame.
  private func discard(_ count: Int, of connection: ConnectionID, _ input: WebSocketInput) {
    input.discardedBytes += count
    if input.discardedBytes > options.limits.bodies.discardedBytes { cut(connection) }
  }
}

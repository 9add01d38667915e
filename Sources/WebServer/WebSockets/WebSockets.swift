internal import CLibwebsockets
internal import Glibc
internal import Telemetry

/// The WebSockets of a server, from the end of the handshake to the end of the connection.
///
/// libwebsockets shakes hands; the server then takes the connection over and serves it with epoll
/// and a timing wheel. libwebsockets 4.1 polls every connection for each event, keeps their timers
/// in sorted lists, frames a message for each connection that gets it, and does not report whether
/// a client masked its frames. Both ways were built and measured: the frames of a room took 2.3
/// times the CPU time of a bare loop of `send` with libwebsockets, and 1.1 times with this type;
/// `Benchmarks fanout` measures that ratio. libwebsockets keeps what it is good for: the loop of a
/// thread, HTTP, the handshake, and the client.
///
/// It belongs to the thread of its server.
package final class WebSockets {
  private let group: ServerGroup
  let options: ServerOptions
  let loop: ServiceLoop
  let watch: SocketWatch
  let inputBuffer: InputBuffer
  let application: any WebApplication
  var table = WebSocketTable()
  let sender: FrameSender
  /// The input behind the message that the application handles, and its WebSocket.
  var unread: (connection: ConnectionID, bytes: Slice<UnsafeMutableRawBufferPointer>)?
  /// The timer of the next check of ``silences``.
  let timer = TickTimer()
  private var silences: SilenceWheel

  var census: Census { group.census }
  var metrics: ServerMetrics { group.metrics }
  var log: Log { group.log }

  /// Creates the WebSockets of a server.
  init(
    _ group: ServerGroup,
    _ options: ServerOptions,
    _ loop: ServiceLoop,
    _ watch: SocketWatch,
    _ inputBuffer: InputBuffer,
    _ application: any WebApplication
  ) {
    (self.group, self.options, self.loop, self.watch) = (group, options, loop, watch)
    (self.inputBuffer, self.application) = (inputBuffer, application)
    sender = FrameSender(usesRing: options.usesRing)
    silences = SilenceWheel(seconds: Double(options.limits.webSockets.secondsUntilHangup))
  }

  /// Whether there are none.
  var isEmpty: Bool { table.count == 0 }

  // MARK: Life

  /// Takes over a connection whose handshake has ended.
  func begin(_ descriptor: Int32, of client: String, source: String) {
    lectern_limit_unsent(descriptor, Int32(clamping: options.limits.webSockets.unsentBytes))
    let now = WebServer.now()
    var share = ClientShare(client: client)
    census.addWebSocket(of: source, now: now)
    census.begin(.exchange, for: &share, now: now)
    let input = WebSocketInput(limits: options.limits)
    metrics.opened.add()
    let connection = serve(
      .init(source: source, share: share, input: input),
      .init(descriptor: descriptor, heard: now),
      now: now
    )
    application.opened(connection, from: client, now: now)
    closeIfStopping(connection)
  }

  /// Begins to serve a WebSocket, which is counted already.
  func serve(
    _ entry: WebSocketTable.Entry,
    _ outlet: WebSocketTable.Outlet,
    now: Double
  ) -> ConnectionID {
    let connection = table.insert(entry, outlet)
    watch.watch(connection, outlet.descriptor, from: nil, to: .input)
    if table.awaitsRoom(connection) { watchRoom(of: connection) }
    watchSilence(of: connection, until: outlet.heard + secondsUntilPing, now: now)
    return connection
  }

  private static let stoppingReason = "the server is stopping"

  private func closeIfStopping(_ connection: ConnectionID) {
    guard loop.stopper.isStopRequested || loop.isStopping else { return }
    close(connection, code: 1001, reason: Self.stoppingReason)
  }

  /// Handles a socket that has room again.
  func becameWritable(_ connection: ConnectionID) {
    guard sendRest(of: connection), let webSocket = table[connection] else { return }
    if table.isClosing(connection) {
      if webSocket.hasSentClose, webSocket.input.isDeaf { endSending(connection) }
    } else {
      answerPing(connection)
      if table.clearAwaitsWritable(connection) {
        application.becameWritable(connection, now: WebServer.now())
      }
    }
    watchRoom(of: connection)
  }

  /// Closes a connection with a code and a reason of at most 123 bytes.
  ///
  /// `closed` follows later.
  package func close(_ connection: ConnectionID, code: UInt16, reason: String) {
    loop.checkThread()
    guard table[connection] != nil, !table.isClosing(connection) else { return }
    beginClosing(connection, code: code, reason: reason)
    sendClose(connection)
  }

  /// The time that a closing connection may take to send the close frame and to receive the answer.
  private static let closeSeconds = 5.0

  private func beginClosing(_ connection: ConnectionID, code: UInt16, reason: String) {
    let now = WebServer.now()
    let deadline = now + Self.closeSeconds
    table.beginClosing(connection, code: code, reason: reason, deadline: deadline)
    watchSilence(of: connection, until: deadline, now: now)
  }

  /// Closes a connection whose framing is lost.
  func fail(_ connection: ConnectionID, code: UInt16, reason: String) {
    guard let webSocket = table[connection] else { return }
    let isClosing = table.isClosing(connection)
    if !isClosing { application.refused("frames: \(code)", to: webSocket.share.client) }
    webSocket.input.isDeaf = true
    if webSocket.hasSentClose {
      endSending(connection)
    } else {
      close(connection, code: code, reason: reason)
    }
  }

  /// Handles a close frame of the client.
  func receivedClose(_ connection: ConnectionID, code: UInt16) {
    guard table[connection] != nil else { return }
    if !table.isClosing(connection) {
      beginClosing(connection, code: code, reason: "")
      sendClose(connection)
    }
    // If unread bytes were left, the close frame would not arrive.
    inputBuffer.discard(from: table.descriptor(of: connection))
    cut(connection)
  }

  /// Writes the close frame, after the rest of an earlier write.
  private func sendClose(_ connection: ConnectionID) {
    guard let webSocket = table[connection], !webSocket.hasSentClose else { return }
    table.setSentClose(connection)
    var payload: [UInt8] = []
    if webSocket.closeCode != 1005 {
      payload = [UInt8(webSocket.closeCode >> 8), UInt8(webSocket.closeCode & 0xff)]
      payload += webSocket.closeReason.fitting(123).utf8
    }
    sender.frames.removeAll()
    payload.withUnsafeBytes { sender.frames.append($0, as: .close) }
    sender.frames.withBytes { table.retain($0, for: connection) }
    guard sendRest(of: connection) else { return watchRoom(of: connection) }
    if webSocket.input.isDeaf { endSending(connection) }
  }

  /// Ends the sending side if the answer to the close frame could not be parsed.
  private func endSending(_ connection: ConnectionID) {
    guard table[connection]?.rest.isEmpty == true else { return }
    shutdown(table.descriptor(of: connection), Int32(SHUT_WR))
  }

  /// Ends a connection without a close frame; `closed` follows later.
  func cut(_ connection: ConnectionID) {
    guard table[connection] != nil, table.cut(connection) else { return }
    // A broken socket would stay ready for everything until it is closed.
    watch.watch(connection, table.descriptor(of: connection), from: .input, to: nil)
    loop.mailbox.perform { $0.webSockets.finishClosing(connection) }
  }

  /// Sends a close frame to all because the server stops.
  func closeAll() {
    for connection in table.connections {
      close(connection, code: 1001, reason: Self.stoppingReason)
    }
  }

  /// Closes all sockets, whose clients have had time for the close frame.
  func finishClosingAll() {
    for connection in table.connections { finishClosing(connection) }
  }

  /// Closes the socket of a connection that has ended, and reports that.
  func finishClosing(_ connection: ConnectionID) {
    guard let (entry, outlet) = table.detach(connection) else { return }
    var webSocket = entry
    Glibc.close(outlet.descriptor)
    metrics.countClosing(webSocket.closeCode)
    webSocket.endCounting(in: census)
    application.closed(connection, code: webSocket.closeCode, now: WebServer.now())
  }

  // MARK: Moving between servers

  /// Gives a WebSocket up, so that another server of the group can ``attach(_:_:)`` it.
  ///
  /// The application may call this while it handles a message of the connection; input behind that
  /// message moves as well. It hears no more of the connection.
  /// - Returns: The connection; nil if it is closing or has ended.
  package func detach(_ connection: ConnectionID) -> DetachedWebSocket? {
    loop.checkThread()
    guard let webSocket = table[connection], !table.isClosing(connection) else { return nil }
    if let unread, unread.connection == connection { webSocket.input.retain(unread.bytes) }
    watch.watch(connection, table.descriptor(of: connection), from: .input, to: nil)
    return table.detach(connection).map { DetachedWebSocket($0, census: census) }
  }

  /// Serves a WebSocket that another server of the group has given up.
  /// - Parameters:
  ///   - socket: The connection.
  ///   - begin: Called with the new id of the connection, before the messages that have arrived.
  package func attach(_ socket: DetachedWebSocket, _ begin: (ConnectionID) -> Void) {
    loop.checkThread()
    guard let (entry, outlet) = socket.claim() else { return }
    let connection = serve(entry, outlet, now: WebServer.now())
    begin(connection)
    handleRetainedInput(of: connection)
    closeIfStopping(connection)
  }

  // MARK: Silence

  private var secondsUntilPing: Double { Double(options.limits.webSockets.secondsUntilPing) }
  private var secondsUntilHangup: Double { Double(options.limits.webSockets.secondsUntilHangup) }

  /// Checks a WebSocket at a given time.
  func watchSilence(of connection: ConnectionID, until time: Double, now: Double) {
    silences.add(connection, at: time, now: now)
    if let next = silences.nextTime { timer.set(noLaterThan: next) }
  }

  /// Pings the WebSockets that are silent, and cuts those that have been silent or closing for too
  /// long.
  func checkSilences() {
    let now = WebServer.now()
    var silent: [ConnectionID] = []
    for connection in silences.due(at: now) {
      guard let webSocket = table[connection], !webSocket.isCut else { continue }
      if let deadline = webSocket.closeDeadline {
        if deadline <= now {
          cut(connection)
        } else {
          // This check was scheduled before the connection began to close, or is early because the
          // deadline is further ahead than the wheel reaches.
          watchSilence(of: connection, until: deadline, now: now)
        }
        continue
      }
      let heard = table.heard(connection)
      if now >= heard + secondsUntilHangup {
        cut(connection)
      } else if now >= heard + secondsUntilPing {
        // A connection that is too busy for a ping is checked like one that does not answer.
        silent.append(connection)
        watchSilence(of: connection, until: heard + secondsUntilHangup, now: now)
      } else {
        watchSilence(of: connection, until: heard + secondsUntilPing, now: now)
      }
    }
    ping(silent)
    timer.set(silences.nextTime)
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

// MARK: - Reading input

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
      handle(bytes, from: connection, input, now)
      answerPing(connection)
    }
  }

  /// Handles input that was read before another server gave the WebSocket up.
  func handleRetainedInput(of connection: ConnectionID) {
    guard let input = table[connection]?.input, let bytes = inputBuffer.retained(of: input) else {
      return
    }
    handle(bytes, from: connection, input, WebServer.now())
    answerPing(connection)
  }

  private func handle(
    _ bytes: UnsafeMutableRawBufferPointer,
    from connection: ConnectionID,
    _ input: WebSocketInput,
    _ now: Double
  ) {
    var start = 0
    while !input.isDeaf, let webSocket = table[connection], !webSocket.isCut {
      switch input.frames.step(bytes, from: &start) {
      case .more: return input.retain(bytes[start...])
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
      case .part(let count): if count == 0 { countIdleFrame(of: connection, input, now) }
      case .text: close(connection, code: 1003, reason: "messages are binary")
      case .ping(let place):
        countIdleFrame(of: connection, input, now)
        // Only the last of several pings is answered (RFC 6455, section 5.5.3).
        input.pong = Array(bytes[place])
      case .pong: countIdleFrame(of: connection, input, now)
      case .close(let code): return receivedClose(connection, code: code)
      case .violation(let code, let reason): fail(connection, code: code, reason: reason)
      }
    }
  }

  /// Counts a frame that costs work without a message.
  private func countIdleFrame(of connection: ConnectionID, _ input: WebSocketInput, _ now: Double) {
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

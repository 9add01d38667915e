internal import Glibc
internal import Telemetry

// Sending messages, which are framed once for all connections that get them.
extension WebSockets {
  /// Sends a binary message immediately.
  ///
  /// Returns false if nothing of it was accepted because the connection is still busy with an
  /// earlier message; `becameWritable` reports when it is ready. Also returns false for an unknown
  /// connection, and for a message above `limits.table.sentMessageBytes`, which closes the
  /// connection.
  @discardableResult
  package func send(_ connection: ConnectionID, _ bytes: UnsafeRawBufferPointer) -> Bool {
    loop.checkThread()
    guard admits(bytes.count) else {
      refuseOversized(connection)
      return false
    }
    return send(bytes, as: .binary, to: connection)
  }

  /// Sends the same binary messages immediately to several connections, in one write each.
  /// - Parameters:
  ///   - bytes: The bytes of the messages, valid during the call.
  ///   - messages: The ranges of the messages in `bytes`, in order.
  ///   - connections: The connections, each at most once.
  ///   - refused: Receives the indices of connections that accepted none of the messages, under the
  ///     conditions of `send(_:_:)`.
  package func send(
    _ bytes: UnsafeRawBufferPointer,
    _ messages: [Range<Int>],
    to connections: [ConnectionID],
    refused: inout [Int]
  ) {
    loop.checkThread()
    guard messages.allSatisfy({ admits($0.count) }) else {
      for connection in connections { refuseOversized(connection) }
      return refused.append(contentsOf: connections.indices)
    }
    sender.begin()
    for message in messages {
      sender.frames.append(UnsafeRawBufferPointer(rebasing: bytes[message]), as: .binary)
    }
    for (index, connection) in connections.enumerated() {
      if let socket = socket(of: connection) {
        sender.add(socket, at: index)
      } else {
        refused.append(index)
      }
    }
    sender.send { place, result in
      if !finishSending(to: connections[place], result) { refused.append(place) }
    }
  }

  private func admits(_ count: Int) -> Bool { count <= options.limits.webSockets.sentMessageBytes }

  private func refuseOversized(_ connection: ConnectionID) {
    guard table[connection] != nil else { return }
    metrics.oversized.add()
    log.error(
      .messageOversized,
      "A message is too large to be sent; its connection is closed.",
      ["limit": .count(options.limits.webSockets.sentMessageBytes)],
      collapsing: "message.oversized"
    )
    close(connection, code: WebServer.oversizedCode, reason: "A message was too large to be sent.")
  }

  /// Sends one frame.
  /// - Returns: Whether it was accepted; otherwise `becameWritable` is called later.
  func send(
    _ payload: UnsafeRawBufferPointer,
    as opcode: FrameBuffer.Opcode,
    to connection: ConnectionID
  ) -> Bool {
    guard let socket = socket(of: connection) else { return false }
    sender.begin()
    sender.frames.append(payload, as: opcode)
    let result = sender.frames.withBytes { BatchSender.send($0, to: socket) }
    return Int(result) == sender.frames.count || finishSending(to: connection, result)
  }

  /// Pings connections, except those that are busy.
  func ping(_ connections: [ConnectionID]) {
    guard !connections.isEmpty else { return }
    sender.begin()
    sender.frames.append(UnsafeRawBufferPointer(start: nil, count: 0), as: .ping)
    for (index, connection) in connections.enumerated() {
      if let socket = socket(of: connection) { sender.add(socket, at: index) }
    }
    sender.send { _ = finishSending(to: connections[$0], $1) }
  }

  /// Returns the descriptor of a connection that can be sent a message now; otherwise nil.
  private func socket(of connection: ConnectionID) -> Int32? {
    switch table.outgoing(of: connection) {
    case .ready(let socket): return socket
    case .busy: awaitWritable(connection)
    case .gone: break
    }
    return nil
  }

  /// Handles a socket that did not accept all bytes of ``FrameSender/frames``.
  /// - Parameters:
  ///   - connection: The connection.
  ///   - result: How many bytes it accepted, or a negated error number.
  /// - Returns: Whether the frames are accepted, because the rest is sent later.
  private func finishSending(to connection: ConnectionID, _ result: Int32) -> Bool {
    switch result {
    case 0, -EAGAIN, -EINTR:
      awaitWritable(connection)
      return false
    case 1...:
      sender.frames.withBytes { table.retain($0[Int(result)...], for: connection) }
      watchRoom(of: connection)
      return true
    default:
      cut(connection)
      return false
    }
  }

  /// Sends the rest of an earlier write.
  /// - Returns: Whether nothing is left of it.
  func sendRest(of connection: ConnectionID) -> Bool {
    guard let rest = table[connection]?.rest, !rest.isEmpty else { return true }
    let socket = table.descriptor(of: connection)
    let result = rest.withUnsafeBytes { BatchSender.send($0, to: socket) }
    switch result {
    case 0, -EAGAIN, -EINTR: return false
    case 1...:
      table.dropRest(Int(result), of: connection)
      return Int(result) == rest.count
    default:
      cut(connection)
      return false
    }
  }

  private func awaitWritable(_ connection: ConnectionID) {
    table.awaitWritable(connection)
    watchRoom(of: connection)
  }

  /// Watches for room to write while there is something to write.
  func watchRoom(of connection: ConnectionID) {
    guard let webSocket = table[connection], !webSocket.isCut else { return }
    let purpose: SocketWatch.Purpose = table.awaitsRoom(connection) ? .inputAndRoom : .input
    watch.watch(connection, table.descriptor(of: connection), from: .input, to: purpose)
  }
}

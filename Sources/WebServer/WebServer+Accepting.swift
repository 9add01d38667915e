internal import CLibwebsockets
internal import Glibc
internal import Telemetry

// Accepts connections and passes them to libwebsockets once their first request is complete.
extension WebServer {
  func acceptConnections(from listener: Int32) {
    // Bounded, so that a flood of connections leaves time for those that are open.
    for _ in 0..<64 {
      switch listeners.accept(from: listener) {
      case .connection(let descriptor, let household):
        metrics.accepted.add()
        admit(descriptor, of: household, isAdmin: listeners.isAdmin(listener))
      case .turnedAway: metrics.turnedAway.add()
      case .lost: break
      case .nothing: return
      case .exhausted(let reason): return rest(because: reason)
      }
    }
  }

  private func admit(_ descriptor: Int32, of household: String, isAdmin: Bool) {
    guard makeRoom(for: household) else {
      metrics.turnedAway.add()
      Glibc.close(descriptor)
      application.refused("connections", to: household)
      return
    }
    let now = Self.now()
    let connection = connections.pending.add(
      descriptor,
      of: household,
      isAdmin: isAdmin,
      deadline: now + Double(options.limits.requests.arrivalSeconds),
      now: now
    )
    watch.watch(connection)
    timers.housekeeping.set(noLaterThan: now + Self.housekeepingSeconds)
  }

  /// Closes another connection if necessary; false if a household may not have another one.
  private func makeRoom(for household: String) -> Bool {
    switch connections.room(for: household) {
    case .free: return true
    case .none: return false
    case .replacing(let pending): forget(pending)
    case .replacingIdle(let idle):
      connections.visitors.remove(idle)
      settle(-1, idle)
    }
    metrics.displaced.add()
    return true
  }

  /// Pauses listening because the system lacks resources.
  private func rest(because reason: Int32) {
    log.error(
      .serverExhausted,
      "A connection cannot be accepted. Raise the limits of the system (ulimit -n).",
      ["reason": .text(String(cString: strerror(reason)))],
      collapsing: "server.exhausted"
    )
    listeners.pause()
    timers.housekeeping.set(Self.now() + 0.1)
  }

  /// Handles input of a pending connection, or its end.
  func pendingBecameReadable(_ id: PendingConnectionID) {
    guard let connection = connections.pending[id] else { return }
    let buffer = UnsafeMutableRawBufferPointer(start: writeBuffer.payload, count: headPeek)
    let flags = Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)
    let count = recv(connection.descriptor, buffer.baseAddress, buffer.count, flags)
    guard count > 0 else {
      if count == 0 || errno != EAGAIN && errno != EINTR { forget(connection) }
      return
    }
    let peek = RequestPeek(buffer.prefix(count))
    if let length = peek.count, peek.isForWebSocket {
      remove(connection)
      beginHandshake(connection, head: length)
    } else if peek.count != nil || count == buffer.count {
      // libwebsockets has its own response to a head that is too long.
      remove(connection)
      if adopt(connection, descriptor: connection.descriptor) == nil {
        Glibc.close(connection.descriptor)
      }
    }
  }

  /// The number of bytes that are searched for the end of a head.
  private var headPeek: Int { min(options.limits.requests.headerBytes + 1024, WriteBuffer.minimum) }

  /// Lets libwebsockets read the head of a WebSocket request, but no byte after it; see
  /// ``HandshakeSockets``.
  private func beginHandshake(_ connection: PendingConnection, head count: Int) {
    guard
      let sockets = HandshakeSockets(
        connection: connection.descriptor,
        headBytes: count,
        buffer: writeBuffer
      )
    else {
      Glibc.close(connection.descriptor)
      return
    }
    guard let socket = adopt(connection, descriptor: sockets.near) else {
      Glibc.close(sockets.near)
      sockets.closeRest()
      return
    }
    connections.beginHandshake(socket, sockets)
  }

  /// Replaces the pair from which libwebsockets read a head with the real connection.
  func endHandshake(_ socket: OpaquePointer) {
    connections.endHandshake(socket)?.finish(lws_get_socket_fd(socket))
  }

  private func adopt(_ connection: PendingConnection, descriptor: Int32) -> OpaquePointer? {
    guard let socket = loop.adopt(connection: descriptor) else { return nil }
    connections.visitors.add(
      socket,
      of: connection.household,
      isAdmin: connection.isAdmin,
      now: Self.now()
    )
    return socket
  }

  private func remove(_ connection: PendingConnection) {
    watch.unwatch(connection)
    connections.pending.remove(connection)
  }

  private func forget(_ connection: PendingConnection) {
    remove(connection)
    Glibc.close(connection.descriptor)
  }

  /// How often the server checks its pending connections, in seconds.
  private static let housekeepingSeconds = 1.0

  /// Closes pending connections without a timely request, and listens again after a pause.
  func housekeep() {
    let now = Self.now()
    for connection in connections.pending.all where connection.deadline <= now {
      forget(connection)
    }
    if !loop.isStopping { listeners.resume() }
    guard connections.pending.count > 0 else { return }
    timers.housekeeping.set(noLaterThan: now + Self.housekeepingSeconds)
  }

  func forgetPending() {
    for connection in connections.pending.all { forget(connection) }
  }
}

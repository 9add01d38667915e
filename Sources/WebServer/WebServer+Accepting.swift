internal import CLibwebsockets
internal import Glibc
internal import Telemetry

// Accepts connections, reads the heads of their requests, and passes acceptable ones to
// libwebsockets.
extension WebServer {
  func acceptConnections(from listener: Int32) {
    // Bounded, so that a flood of connections leaves time for those that are open.
    for _ in 0..<64 {
      switch listeners.accept(from: listener) {
      case .connection(let descriptor, let address):
        metrics.accepted.add()
        let source = options.source(of: address)
        admit(descriptor, of: source, isAdmin: listeners.isAdmin(listener))
      case .turnedAway: metrics.turnedAway.add()
      case .lost: break
      case .nothing: return
      case .exhausted(let reason): return rest(because: reason)
      }
    }
  }

  private func admit(_ descriptor: Int32, of source: String, isAdmin: Bool) {
    let now = Self.now()
    let limits = options.limits.connections
    let limit = options.isProxy(source) ? Int.max : limits.perAddress
    guard makeRoom(for: source),
      // Meanwhile another thread may have admitted the last one of this source.
      connections.census.addConnection(of: source, isPending: true, limit: limit, now: now)
    else {
      metrics.turnedAway.add()
      Glibc.close(descriptor)
      application.refused("connections", to: source)
      return
    }
    let connection = connections.pending.add(
      descriptor,
      of: source,
      isAdmin: isAdmin,
      isCounted: true,
      deadline: now + Double(options.limits.requests.arrivalSeconds),
      now: now
    )
    watch.watch(connection)
    housekeeping.set(noLaterThan: now + Self.housekeepingSeconds)
  }

  /// Closes another connection if necessary; false if a source may not have another one.
  private func makeRoom(for source: String) -> Bool {
    switch connections.room(for: source) {
    case .free: return true
    case .none: return false
    case .replacing(let pending): forget(pending)
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
    housekeeping.set(Self.now() + 0.1)
  }

  /// Handles input of a pending connection, or its end.
  func pendingBecameReadable(_ id: PendingConnectionID) {
    guard let connection = connections.pending[id] else { return }
    let limit = options.limits.requests.headerBytes
    let buffer = UnsafeMutableRawBufferPointer(
      start: writeBuffer.payload,
      count: min(limit + 1, WriteBuffer.minimum)
    )
    let descriptor = connection.descriptor
    if connection.isLeaving { inputBuffer.discard(from: descriptor) }
    let flags = Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)
    let count = recv(descriptor, buffer.baseAddress, buffer.count, flags)
    guard count > 0 else {
      if count == 0 || errno != EAGAIN && errno != EINTR { forget(connection) }
      return
    }
    guard !connection.isLeaving else { return }
    if let end = RequestHead.end(of: buffer.prefix(min(count, limit))) {
      receive(connection, headBytes: end)
    } else if count > limit {
      refuse(connection, 431, "The head of a request may have \(limit) bytes, cookies included.")
    } else if lectern_has_ended(descriptor) {
      // The rest of the head will never arrive.
      forget(connection)
    } else {
      let deadline = Self.now() + Double(options.limits.requests.arrivalSeconds)
      connections.pending.expect(id, noLaterThan: deadline)
    }
  }

  /// Reads the head of a request, and lets libwebsockets handle the request if it is acceptable.
  private func receive(_ connection: PendingConnection, headBytes count: Int) {
    guard recv(connection.descriptor, writeBuffer.payload, count, Int32(MSG_DONTWAIT)) == count
    else { return forget(connection) }
    let head: RequestHead
    do throws(RequestHead.Fault) {
      head = try RequestHead(UnsafeBufferPointer(start: writeBuffer.payload, count: count))
    } catch {
      return refuse(connection, error.status, error.words)
    }
    let client = options.client(of: head, from: connection.source)
    if let fault = head.framing.refusal { return refuse(connection, fault.status, fault.words) }
    if head.asksForUpgrade,
      let refusal = head.upgradeRefusal(
        by: options,
        pageHost: options.pageHost(of: head, from: connection.source),
        isForAdmin: connection.isAdmin
      )
        ?? connections.census.upgradeRefusal(of: client, now: Self.now())
    {
      metrics.rejected[refusal.cause].add()
      application.refused("handshake: \(refusal.cause.rawValue)", to: client)
      return refuse(connection, refusal.status, refusal.reason, fields: refusal.fields)
    }
    pass(connection, head, client)
  }

  /// Passes a connection to libwebsockets.
  private func pass(_ connection: PendingConnection, _ head: RequestHead, _ client: String) {
    guard let sockets = HeadSockets(connection: connection.descriptor, head: head.canonical) else {
      return forget(connection)
    }
    let now = Self.now()
    connections.census.whileCounting(connection.source, now: now) {
      remove(connection)
      guard let socket = loop.adopt(connection: sockets.near) else {
        Glibc.close(sockets.near)
        sockets.closeRest()
        return
      }
      connections.visitors.add(
        socket,
        of: connection.source,
        isAdmin: connection.isAdmin,
        head: head,
        client: client,
        sockets: sockets,
        now: now
      )
    }
  }

  /// Takes a connection over from libwebsockets, which has shaken hands.
  func webSocketOpened(_ socket: OpaquePointer) {
    guard lws_partial_buffered(socket) == 0, let source = connections.visitors[socket]?.source
    else {
      return ServiceLoop.closeSoon(socket)
    }
    connections.census.whileCounting(source, now: Self.now()) {
      guard let (visit, descriptor) = connections.visitors.reclaim(socket) else {
        return ServiceLoop.closeSoon(socket)
      }
      webSockets.begin(descriptor, of: visit.client, source: source)
    }
  }

  /// Takes a connection back from libwebsockets, for its next request; the caller then closes what
  /// libwebsockets knows of it.
  func reclaim(_ socket: OpaquePointer) {
    guard !loop.isStopping, let source = connections.visitors[socket]?.source else { return }
    let now = Self.now()
    connections.census.whileCounting(source, now: now) {
      guard let (visit, descriptor) = connections.visitors.reclaim(socket) else { return }
      let connection = connections.pending.add(
        descriptor,
        of: source,
        isAdmin: visit.isAdmin,
        isIdle: true,
        deadline: now + Double(options.limits.connections.keepAliveSeconds),
        now: now
      )
      watch.watch(connection)
      housekeeping.set(noLaterThan: now + Self.housekeepingSeconds)
    }
  }

  /// Rejects a request before libwebsockets sees it, and ends the connection.
  private func refuse(
    _ connection: PendingConnection,
    _ status: Int,
    _ reason: String,
    fields: [HTTPField] = []
  ) {
    let response = ResponseHead.rejection(status: status, reason: reason, fields: fields)
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    guard Glibc.send(connection.descriptor, response, response.count, flags) == response.count
    else {
      return forget(connection)
    }
    shutdown(connection.descriptor, Int32(SHUT_WR))
    inputBuffer.discard(from: connection.descriptor)
    let deadline = Self.now() + options.limits.bodies.discardingSeconds
    connections.pending.beginLeaving(connection.id, deadline: deadline)
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
    housekeeping.set(noLaterThan: now + Self.housekeepingSeconds)
  }

  func forgetPending() {
    for connection in connections.pending.all { forget(connection) }
  }
}

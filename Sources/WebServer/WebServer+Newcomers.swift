internal import CLibwebsockets
internal import Glibc
internal import Telemetry

// Accepts connections and passes them to libwebsockets once their first request is complete.
extension WebServer {
  func acceptConnections(from listener: Int32) {
    // Bounded, so that a flood of connections leaves time for those that are open.
    for _ in 0..<64 {
      var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
      let descriptor = lectern_accept(listener, &text)
      guard descriptor >= 0 else {
        if canAcceptMore(from: listener, after: errno) { continue }
        return
      }
      metrics.accepted.add()
      let address = String(
        decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)),
        as: UTF8.self
      )
      let household = PeerAddress(address)?.household ?? address
      guard makeRoom(for: household) else {
        metrics.turnedAway.add()
        Glibc.close(descriptor)
        application.refused("connections", to: household)
        continue
      }
      let newcomer = newcomers.add(
        descriptor,
        of: household,
        isAdmin: listener == adminListener,
        deadline: Self.now() + Double(options.limits.requests.arrivalSeconds)
      )
      watch.watch(newcomer)
      keepHouse(within: 1)
    }
  }

  /// Whether to try to accept another connection after one failed.
  ///
  /// A waiting connection that cannot be accepted keeps the listener readable; without the last two
  /// cases the thread would never rest.
  private func canAcceptMore(from listener: Int32, after reason: Int32) -> Bool {
    switch reason {
    case EAGAIN: return false
    case ECONNABORTED, EINTR, EPROTO: return true
    case EMFILE where spare >= 0, ENFILE where spare >= 0:
      // Closing the spare descriptor makes room to accept one connection and close it.
      Glibc.close(spare)
      let descriptor = lectern_accept(listener, nil)
      if descriptor >= 0 {
        metrics.turnedAway.add()
        Glibc.close(descriptor)
      }
      spare = FileDescriptors.spare()
      return descriptor >= 0
    default:
      log.error(
        .serverExhausted,
        "A connection cannot be accepted. Raise the limits of the system (ulimit -n).",
        ["reason": .text(String(cString: strerror(reason)))],
        collapsing: "server.exhausted"
      )
      restListeners()
      return false
    }
  }

  /// Whether a household may have another connection, for which an idle one may be closed.
  private func makeRoom(for household: String) -> Bool {
    let limits = options.limits
    if !options.isProxy(household) {
      let count = visitors.connections(of: household) + newcomers.count(of: household)
      guard count < limits.connections.perAddress else { return false }
      if newcomers.count(of: household) >= limits.connections.pendingPerAddress,
        let oldest = newcomers.oldest(of: household)
      {
        dismiss(oldest)
      }
    }
    guard visitors.count + newcomers.count >= limits.connections.total else { return true }
    if let oldest = newcomers.oldestOfLargest() {
      dismiss(oldest)
      return true
    }
    guard let idle = visitors.idleConnection(ofMoreThan: household, except: options.isProxy) else {
      return false
    }
    metrics.displaced.add()
    visitors.remove(idle)
    settle(-1, idle)
    return true
  }

  /// Handles input of a newcomer, or its end.
  func newcomerSpoke(_ id: NewcomerID) {
    guard let newcomer = newcomers[id] else { return }
    let buffer = UnsafeMutableRawBufferPointer(start: writeBuffer.payload, count: headPeek)
    let flags = Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)
    let count = recv(newcomer.descriptor, buffer.baseAddress, buffer.count, flags)
    guard count > 0 else {
      if count == 0 || errno != EAGAIN && errno != EINTR { forget(newcomer) }
      return
    }
    let peek = RequestPeek(buffer.prefix(count))
    if let length = peek.count, peek.isForWebSocket {
      admitWebSocket(newcomer, head: length)
    } else if peek.count != nil || count == buffer.count {
      // libwebsockets has its own response to a head that is too long.
      watch.unwatch(newcomer)
      newcomers.remove(newcomer)
      if adopt(newcomer, descriptor: newcomer.descriptor) == nil {
        Glibc.close(newcomer.descriptor)
      }
    }
  }

  /// The number of bytes that are searched for the end of a head.
  private var headPeek: Int { min(options.limits.requests.headerBytes + 1024, WriteBuffer.minimum) }

  /// Lets libwebsockets read the head of a WebSocket request, and not a byte after it.
  ///
  /// libwebsockets reads as much as it can and returns nothing, but the input after the head is
  /// read here; see ``FrameReader``. It therefore reads from a pair of sockets that contains the
  /// head only, and finds the real connection under the same descriptor before it responds; see
  /// ``bringIn(_:)``.
  private func admitWebSocket(_ newcomer: Newcomers.Newcomer, head count: Int) {
    watch.unwatch(newcomer)
    newcomers.remove(newcomer)
    let taken = recv(newcomer.descriptor, writeBuffer.payload, count, Int32(MSG_DONTWAIT))
    var pair: (near: Int32, far: Int32) = (-1, -1)
    guard taken == count, lectern_socket_pair(&pair.near, &pair.far) == 0 else {
      Glibc.close(newcomer.descriptor)
      return
    }
    guard Glibc.send(pair.far, writeBuffer.payload, count, Int32(MSG_NOSIGNAL)) == count,
      let socket = adopt(newcomer, descriptor: pair.near)
    else {
      for descriptor in [newcomer.descriptor, pair.near, pair.far] { Glibc.close(descriptor) }
      return
    }
    doors[socket] = Door(connection: newcomer.descriptor, far: pair.far)
  }

  /// Replaces the pair from which libwebsockets read a head with the real connection.
  func bringIn(_ socket: OpaquePointer) {
    guard let door = doors.removeValue(forKey: socket) else { return }
    dup2(door.connection, lws_get_socket_fd(socket))
    door.close()
  }

  private func adopt(_ newcomer: Newcomers.Newcomer, descriptor: Int32) -> OpaquePointer? {
    let host = lws_get_vhost_by_name(context, "default")
    guard let socket = lws_adopt_socket_vhost(host, descriptor) else { return nil }
    visitors.add(
      socket,
      of: newcomer.household,
      isAdmin: newcomer.isAdmin,
      now: Self.now()
    )
    return socket
  }

  /// Closes the connection of a newcomer because of a limit or a timeout.
  private func dismiss(_ newcomer: Newcomers.Newcomer) {
    metrics.displaced.add()
    forget(newcomer)
  }

  private func forget(_ newcomer: Newcomers.Newcomer) {
    watch.unwatch(newcomer)
    newcomers.remove(newcomer)
    Glibc.close(newcomer.descriptor)
  }

  /// Closes newcomers without a timely request, and listens again after a pause.
  func keepHouse() {
    let now = Self.now()
    for newcomer in newcomers.all where newcomer.deadline <= now { forget(newcomer) }
    if areListenersResting, !isStopping {
      areListenersResting = false
      for connection in listenerConnections { lws_rx_flow_control(connection, 1) }
    }
    isHouseKept = false
    if newcomers.count > 0 { keepHouse(within: 1) }
  }

  func forgetNewcomers() {
    for newcomer in newcomers.all { forget(newcomer) }
  }

  private func keepHouse(within seconds: Double) {
    guard !isHouseKept, let watchConnection else { return }
    isHouseKept = true
    lws_set_timer_usecs(watchConnection, Int64(seconds * 1e6))
  }

  private func restListeners() {
    areListenersResting = true
    for connection in listenerConnections { lws_rx_flow_control(connection, 0) }
    isHouseKept = false
    keepHouse(within: 0.1)
  }
}

/// The real connection of a WebSocket whose head libwebsockets reads from a pair of sockets.
struct Door {
  let connection: Int32
  /// The end of the pair to which the head was written.
  let far: Int32

  func close() {
    Glibc.close(connection)
    Glibc.close(far)
  }
}

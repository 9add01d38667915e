internal import CLibwebsockets
internal import Glibc
internal import Telemetry

// From the listener to libwebsockets: a connection gets there once its first request is whole.
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
        deadline: Self.now() + Double(options.limits.requestSeconds)
      )
      watch.watch(newcomer)
      keepHouse(within: 1)
    }
  }

  /// Whether another connection may be asked for after one failed.
  ///
  /// A connection that waits and cannot be taken keeps the listener readable: without the last two
  /// cases the thread would never rest.
  private func canAcceptMore(from listener: Int32, after reason: Int32) -> Bool {
    switch reason {
    case EAGAIN: return false
    case ECONNABORTED, EINTR, EPROTO: return true
    case EMFILE where spare >= 0, ENFILE where spare >= 0:
      // The spare makes room to take one connection and to hang up on it.
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

  /// Whether a household may have another connection; somebody's idle one may go for it.
  private func makeRoom(for household: String) -> Bool {
    let limits = options.limits
    if !isProxy(household) {
      let count = visitors.connections(of: household) + newcomers.count(of: household)
      guard count < limits.connectionsPerAddress else { return false }
      if newcomers.count(of: household) >= limits.newcomersPerAddress,
        let oldest = newcomers.oldest(of: household)
      {
        dismiss(oldest)
      }
    }
    guard visitors.count + newcomers.count >= limits.connections else { return true }
    if let oldest = newcomers.oldestOfLargest() {
      dismiss(oldest)
      return true
    }
    guard let idle = visitors.idleConnection(ofMoreThan: household, except: isProxy) else {
      return false
    }
    metrics.displaced.add()
    visitors.remove(idle)
    settle(-1, idle)
    return true
  }

  /// Whether the clients of a proxy that is trusted come from an address.
  func isProxy(_ household: String) -> Bool {
    options.trustsProxy && PeerAddress(household)?.isLoopback == true
  }

  /// Something came from a newcomer, or it is gone.
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
      // libwebsockets has words of its own for a head that is too long.
      watch.unwatch(newcomer)
      newcomers.remove(newcomer)
      if adopt(newcomer, descriptor: newcomer.descriptor) == nil {
        Glibc.close(newcomer.descriptor)
      }
    }
  }

  /// As much as is looked at for the end of a head.
  private var headPeek: Int { min(options.limits.requestHeader + 1024, WriteBuffer.minimum) }

  /// Lets libwebsockets read the head of a request for a WebSocket, and not a byte after it.
  ///
  /// It reads as much as it gets and gives nothing back, but what follows is read here: see
  /// ``FrameReader``. So it reads from one end of a pair of sockets, which has the head alone, and
  /// finds the real connection under the same number before it answers: see ``bringIn(_:)``.
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

  /// Puts the real connection in the place of the pair that libwebsockets read a head from.
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

  /// Hangs up on a newcomer, for the sake of others or of the time.
  private func dismiss(_ newcomer: Newcomers.Newcomer) {
    metrics.displaced.add()
    forget(newcomer)
  }

  private func forget(_ newcomer: Newcomers.Newcomer) {
    watch.unwatch(newcomer)
    newcomers.remove(newcomer)
    Glibc.close(newcomer.descriptor)
  }

  /// Hangs up on newcomers whose request did not come in time, and listens again after a rest.
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
  /// The end of the pair that the head was written to.
  let far: Int32

  func close() {
    Glibc.close(connection)
    Glibc.close(far)
  }
}

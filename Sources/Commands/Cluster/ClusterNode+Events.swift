internal import Fabric
internal import Library
internal import Synchronization
internal import Telemetry
internal import WebServer

// What other nodes send.
extension ClusterNode {
  func handle(_ event: BusEvent) {
    switch event {
    case .message(let bytes, let node):
      act { leases in
        leases.heard(from: node, at: Self.now())
        return []
      }
      receive(bytes, from: node)
    case .broadcast(let bytes, let node): receiveBroadcast(bytes, from: node)
    case .connected:
      log.info(.clusterConnected, "The cluster is connected.", ["node": .text(bus.node.text)])
      setConnected(true)
    case .disconnected(let reason):
      log.error(.clusterDisconnected, "The cluster is disconnected.", ["reason": .text(reason)])
      setConnected(false)
    case .dropped(let count, let node):
      metrics.dropped.add(UInt64(clamping: count))
      log.warning(
        .clusterDropped,
        "Messages between nodes were lost; their rooms are synchronized again.",
        ["count": .count(count), "node": .text(node?.text ?? "")],
        collapsing: "cluster.dropped"
      )
      for thread in threads.threads { thread.performOnGateway { $0.messagesLost(of: node) } }
    }
  }

  private func setConnected(_ isConnected: Bool) {
    state.withLock { $0.isConnected = isConnected }
    metrics.connected.set(isConnected ? 1 : 0)
    act { $0.setConnected(isConnected, at: Self.now()) }
  }

  private func receiveBroadcast(_ bytes: [UInt8], from node: NodeID) {
    guard let mark = bytes.first else { return }
    if mark == Self.heartbeatMark, let heartbeat = Heartbeat(bytes.dropFirst()) {
      act { $0.heard(heartbeat, from: node, at: Self.now()) }
    } else if mark == Self.messageMark {
      receive(Array(bytes.dropFirst()), from: node)
    }
  }

  private func receive(_ bytes: [UInt8], from node: NodeID) {
    metrics.received.add()
    do throws(ClusterFault) {
      try receive(ClusterMessage(bytes), from: node)
    } catch {
      log.error(
        .clusterFault,
        "A message of another node cannot be read; all nodes must run the same version.",
        ["node": .text(node.text), "reason": .text("\(error)")],
        collapsing: "cluster.fault"
      )
    }
  }

  private func receive(_ message: ClusterMessage, from node: NodeID) {
    switch message {
    case .toHost(let messages, let room, let epoch):
      receive(messages, room: room, epoch: epoch, from: node)
    case .fromHost(let messages, let room, let epoch, let sent):
      noteRelay(of: node, sent: sent)
      threads.threads[threads.index(ofRoom: room)].performOnGateway { gateway in
        gateway.withRelays { $0.deliver(messages, of: room, epoch: epoch, from: node) }
      }
    case .notOwner(let room, let epoch):
      metrics.fenced.add()
      let now = Self.now()
      act { epoch == 0 ? $0.review(room, at: now) : $0.newerEpoch(room, epoch, at: now) }
      rejected(room, by: node)
    case .denied(let room):
      metrics.fenced.add()
      act { $0.review(room, deniedBy: node, at: Self.now()) }
      rejected(room, by: node)
    case .owned(let room, let epoch): noteEpoch(epoch, of: room)
    case .handOff(let room): want(room)
    case .clockRequest(let sent): send(.clock(sent: sent, time: WebServer.now()), to: node)
    case .clock(let sent, let time):
      let now = WebServer.now()
      state.withLock { $0.clocks[node, default: PeerClock()].note(sent: sent, time: time, at: now) }
      for thread in threads.threads { thread.performOnGateway { $0.clockKnown(of: node) } }
    case .endPasses(let members, let date): threads.passes.end(of: members, before: date)
    case .storeChanged(let keys): library.storeChanged(keys: keys)
    }
  }

  /// Measures how long a message of the owner of a room was on its way.
  private func noteRelay(of node: NodeID, sent: Double) {
    guard let offset = state.withLock({ $0.clocks[node]?.offset }) else { return }
    metrics.relayDelay.observe(max(0, WebServer.now() + offset - sent))
  }

  private func receive(
    _ messages: [GatewayMessage],
    room: String,
    epoch: UInt64,
    from node: NodeID
  ) {
    let now = Self.now()
    let (own, isDenied) = state.withLock { state in
      (state.leases.epoch(of: room, at: now), state.leases.denies(room, at: now))
    }
    guard own == epoch else {
      metrics.fenced.add()
      // The lease may name this node although it does not know the room: the sender takes it then.
      return send(isDenied ? .denied(room: room) : .notOwner(room: room, epoch: own ?? 0), to: node)
    }
    threads.threads[threads.index(ofRoom: room)].receive(messages, from: .relay(node, room: room))
  }

  /// Tells the thread of a room that a node refuses messages for the room.
  private func rejected(_ room: String, by node: NodeID) {
    threads.threads[threads.index(ofRoom: room)].performOnGateway { gateway in
      gateway.withRelays { $0.rejected(room, by: node) }
    }
  }
}

internal import Bytes
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
      act(.heard(node, isEnding: false))
      receive(bytes, from: node)
    case .broadcast(let bytes, let node): receive(bytes, from: node)
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
      threads.inAllRooms { $0.messagesLost(of: node) }
    }
  }

  private func setConnected(_ isConnected: Bool) {
    metrics.connected.set(isConnected ? 1 : 0)
    act(.connection(isConnected))
  }

  private func receive(_ bytes: [UInt8], from node: NodeID) {
    do throws(ByteError) {
      let message = try ClusterMessage(bytes)
      if case .heartbeat(let isEnding) = message { return act(.heard(node, isEnding: isEnding)) }
      metrics.received.add()
      receive(message, from: node)
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
      inRoom(room) { $0.deliver(messages, of: room, epoch: epoch, from: node) }
    case .notOwner(let room, let epoch):
      metrics.fenced.add()
      act(.doubt(room, epoch: epoch))
      inRoom(room) { $0.rejected(room, by: node) }
    case .owned(let room, let epoch): act(.doubt(room, epoch: epoch))
    case .heartbeat: break
    case .clockRequest(let sent): send(.clock(sent: sent, time: WebServer.now()), to: node)
    case .clock(let sent, let time):
      let now = WebServer.now()
      state.withLock { $0.clocks[node, default: PeerClock()].note(sent: sent, time: time, at: now) }
    case .endPasses(let members, let date): threads.endPasses(of: members, before: date)
    case .storeChanged(let keys): library.storeChanged(keys: keys)
    }
  }

  /// Measures how long a message of the owner of a room was on its way.
  private func noteRelay(of node: NodeID, sent: Double) {
    guard let lead = clockLead(of: node) else { return }
    metrics.relayDelay.observe(max(0, WebServer.now() + lead - sent))
  }

  private func receive(
    _ messages: [GatewayMessage],
    room: String,
    epoch: UInt64,
    from node: NodeID
  ) {
    let own = self.epoch(of: room)
    guard own == epoch else {
      metrics.fenced.add()
      send(.notOwner(room: room, epoch: own ?? 0), to: node)
      guard own == nil, !state.withLock(\.isStopping) else { return }
      // The lease may name this node although it does not know the room, and nobody else takes it.
      return act(.want(room))
    }
    threads.receive(messages, from: node, room: room)
  }
}

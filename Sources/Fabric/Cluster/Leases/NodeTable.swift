/// The other nodes of the cluster, and when each was last heard.
struct NodeTable: Sendable {
  /// After this time without a word from a node it is suspected, in seconds.
  static let suspicionSeconds = 1.5
  /// After this time a silent node is forgotten, in seconds.
  private static let memorySeconds = 60.0
  /// The maximum number of nodes that are remembered.
  private static let nodesMax = 4096

  private struct Node: Sendable {
    var heardAt: Double
    var heartbeat: Heartbeat?
    var isSuspected = false
  }

  private var nodes: [NodeID: Node] = [:]
  /// No node becomes suspected before this time.
  private(set) var nextSuspicion = Double.infinity

  /// The latest heartbeats of the nodes that are neither suspected nor ended.
  var present: [NodeID: Heartbeat] {
    nodes.compactMapValues { $0.isSuspected ? nil : $0.heartbeat }
      .filter { $0.value.state != .ended }
  }

  /// Whether a node has been silent for too long, or has announced its end.
  func isGone(_ node: NodeID) -> Bool {
    nodes[node].map { $0.isSuspected || $0.heartbeat?.state == .ended } ?? false
  }

  /// Whether a node has announced its end.
  func hasEnded(_ node: NodeID) -> Bool { nodes[node]?.heartbeat?.state == .ended }

  /// Remembers a node that is named as an owner; it then has the usual time to be heard.
  mutating func mention(_ node: NodeID, at now: Double) {
    if nodes[node] == nil { insert(node, Node(heardAt: now)) }
  }

  /// Notes a message of a node.
  mutating func note(_ node: NodeID, _ heartbeat: Heartbeat?, at now: Double) {
    var entry = nodes[node] ?? Node(heardAt: now)
    // A node that has ended does not return; a late message of it changes nothing.
    guard entry.heartbeat?.state != .ended else { return }
    entry.heardAt = now
    entry.isSuspected = false
    entry.heartbeat = heartbeat ?? entry.heartbeat
    insert(node, entry)
  }

  /// Gives all nodes the usual time to be heard, because this node could not hear them.
  mutating func excuseAll(at now: Double) {
    for node in nodes.keys {
      nodes[node]?.heardAt = now
      nodes[node]?.isSuspected = false
    }
    nextSuspicion = nodes.isEmpty ? .infinity : now + Self.suspicionSeconds
  }

  /// Returns the nodes that become suspected now.
  mutating func suspect(at now: Double) -> [NodeID] {
    guard now >= nextSuspicion else { return [] }
    nextSuspicion = .infinity
    var suspected: [NodeID] = []
    for (node, entry) in nodes {
      let time = entry.heardAt + Self.suspicionSeconds
      if entry.isSuspected {
        if now >= entry.heardAt + Self.memorySeconds { nodes[node] = nil }
      } else if now >= time {
        nodes[node]?.isSuspected = true
        suspected.append(node)
      } else {
        nextSuspicion = min(nextSuspicion, time)
      }
    }
    return suspected.sorted()
  }

  private mutating func insert(_ node: NodeID, _ entry: Node) {
    if nodes[node] == nil, nodes.count >= Self.nodesMax,
      let oldest = nodes.min(by: { ($0.value.heardAt, $0.key) < ($1.value.heardAt, $1.key) })
    {
      nodes[oldest.key] = nil
    }
    nodes[node] = entry
    if !entry.isSuspected {
      nextSuspicion = min(nextSuspicion, entry.heardAt + Self.suspicionSeconds)
    }
  }
}

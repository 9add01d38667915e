/// The other nodes of the cluster, and when each was last heard.
struct NodeTable: Sendable {
  /// After this time without a word from a node it is suspected, in seconds.
  static let suspicionSeconds = 1.5
  /// After this time a silent node is forgotten, in seconds.
  private static let memorySeconds = 60.0
  /// The maximum number of nodes that are remembered.
  private static let nodesMax = 4096

  enum Presence: Sendable {
    case present
    /// The node has been silent for too long.
    case silent
    /// The node has announced its end.
    case ended
  }

  private struct Node: Sendable {
    var heardAt: Double
    var presence = Presence.present
    /// Whether it was heard, and not only named as an owner.
    var isHeard = false
  }

  private var nodes: [NodeID: Node] = [:]
  /// No node becomes suspected before this time.
  private var suspicionTime = Double.infinity
  /// Whether this node is connected; without a connection it hears nobody, and suspects nobody.
  private var isConnected = true

  /// When to look for silent nodes.
  var wakeTime: Double { isConnected ? suspicionTime : .infinity }

  /// The number of nodes that were heard and are present.
  var presentCount: Int { nodes.values.count { $0.isHeard && $0.presence == .present } }

  /// The nodes that were heard and are present.
  var present: [NodeID] {
    nodes.filter { $0.value.isHeard && $0.value.presence == .present }.keys.sorted()
  }

  /// Returns whether a node is there, as far as is known.
  func presence(of node: NodeID) -> Presence {
    let presence = nodes[node]?.presence ?? .present
    return presence == .silent && !isConnected ? .present : presence
  }

  /// Remembers a node that is named as an owner; it then has the usual time to be heard.
  mutating func mention(_ node: NodeID, at now: Double) {
    if nodes[node] == nil { insert(node, Node(heardAt: now)) }
  }

  /// Notes a message of a node.
  /// - Returns: Whether it has announced its end for the first time.
  mutating func hear(_ node: NodeID, isEnding: Bool, at now: Double) -> Bool {
    // A node that has ended does not return; a late message of it changes nothing.
    guard nodes[node]?.presence != .ended else { return false }
    insert(node, Node(heardAt: now, presence: isEnding ? .ended : .present, isHeard: true))
    return isEnding
  }

  /// Notes whether this node is connected, and gives all nodes the usual time to be heard.
  mutating func setConnected(_ isConnected: Bool, at now: Double) {
    self.isConnected = isConnected
    excuseAll(at: now)
  }

  /// Gives all nodes the usual time to be heard, because this node could not hear them.
  mutating func excuseAll(at now: Double) {
    for (node, entry) in nodes where entry.presence != .ended {
      nodes[node]?.heardAt = now
      nodes[node]?.presence = .present
    }
    suspicionTime = nodes.isEmpty ? .infinity : now + Self.suspicionSeconds
  }

  /// Returns the nodes that become suspected now.
  mutating func suspect(at now: Double) -> [NodeID] {
    guard now >= wakeTime else { return [] }
    suspicionTime = .infinity
    var suspected: [NodeID] = []
    for (node, entry) in nodes {
      let time = entry.heardAt + Self.suspicionSeconds
      if now < time {
        suspicionTime = min(suspicionTime, time)
      } else if entry.presence == .present {
        nodes[node]?.presence = .silent
        suspected.append(node)
      } else if now >= entry.heardAt + Self.memorySeconds {
        nodes[node] = nil
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
    suspicionTime = min(suspicionTime, entry.heardAt + Self.suspicionSeconds)
  }
}

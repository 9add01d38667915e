internal import Fabric
package import Telemetry

/// The metrics of a node of a cluster.
package struct ClusterMetrics: Sendable {
  let connected: Gauge
  let sent: Counter
  let received: Counter
  let dropped: Counter
  /// Messages that were rejected because of their epoch.
  let fenced: Counter
  let lost: Counter
  let frozen: Counter
  /// The time from a frame's leaving its owner to its arrival, in seconds.
  let relayDelay: Histogram
  private let owned: Gauge
  private let nodes: Gauge

  package init(in registry: MetricRegistry) {
    connected = registry.gauge("lectern_cluster_connected", help: "Whether NATS is connected.")
    owned = registry.gauge("lectern_leases_owned", help: "Rooms that this process owns.")
    nodes = registry.gauge("lectern_cluster_nodes", help: "Nodes that are present, with this one.")
    let messages = "Messages between nodes."
    let name = "lectern_fabric_messages_total"
    sent = registry.counter(name, help: messages, labels: ["direction": "sent"])
    received = registry.counter(name, help: messages, labels: ["direction": "received"])
    dropped = registry.counter(
      "lectern_fabric_dropped_total",
      help: "Messages between nodes that were lost."
    )
    fenced = registry.counter(
      "lectern_fenced_total",
      help: "Messages that were rejected because their sender was not the owner of a room any more."
    )
    lost = registry.counter("lectern_lease_lost_total", help: "Rooms that another node acquired.")
    frozen = registry.counter(
      "lectern_lease_frozen_total",
      help: "Rooms that waited because their lease could not be confirmed."
    )
    relayDelay = registry.histogram(
      "lectern_relay_delay_seconds",
      help: "The time from a message's leaving a room's owner to its arrival at this process.",
      bounds: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]
    )
  }

  /// Stores what is known of the leases.
  func note(_ leases: borrowing Leases) {
    owned.set(Double(leases.ownedCount))
    nodes.set(Double(leases.othersCount + 1))
  }

  /// The maximum number of rooms whose owners are named.
  private static let ownersMax = 100

  /// Names the owners of the rooms of a node; nobody without a node.
  package static func registerOwners(of node: ClusterNode?, in registry: MetricRegistry) {
    registry.table(
      "lectern_room_owner",
      help: "The node that owns a room of this process, and in which epoch; 100 rooms at most.",
      columns: ["room", "node", "epoch"]
    ) { [weak node] in
      (node?.owners(atMost: ownersMax) ?? []).map { [$0.room, $0.node.text, "\($0.epoch)"] }
    }
  }
}

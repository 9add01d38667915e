package import Telemetry

// The events of rooms and readers that are stored, and of a node.
extension LogEvent {
  /// A shared room could not be loaded, stored or deleted.
  package static let roomFailed = LogEvent("room.failed")
  /// Readers or their bookmarks could not be loaded or stored.
  package static let bookmarkFailed = LogEvent("bookmark.failed")
  /// The connection to the other nodes of a cluster is established.
  package static let clusterConnected = LogEvent("cluster.connected")
  /// The connection to the other nodes is lost.
  package static let clusterDisconnected = LogEvent("cluster.disconnected")
  /// Messages between nodes were lost.
  package static let clusterDropped = LogEvent("cluster.dropped")
  /// A message of another node cannot be read, or a record cannot be stored.
  package static let clusterFault = LogEvent("cluster.fault")
  /// Another node of the cluster is gone.
  package static let nodeGone = LogEvent("node.gone")
  /// This process owns a room from now on.
  package static let roomOwned = LogEvent("room.owned")
  /// This process must confirm that it owns a room.
  package static let roomFrozen = LogEvent("room.frozen")
  /// Another process owns a room from now on.
  package static let roomLost = LogEvent("room.lost")
  /// A room was handed over to another process.
  package static let roomHandedOver = LogEvent("room.handed-over")
}

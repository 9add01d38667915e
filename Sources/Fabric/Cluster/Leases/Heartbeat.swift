internal import Bytes

/// What a node tells all other nodes twice a second.
///
/// Its values are absolute, so that a lost one does not matter.
package struct Heartbeat: Equatable, Sendable {
  /// Whether a node takes rooms.
  package enum State: UInt8, Sendable {
    /// The node takes new rooms.
    case serving
    /// The node keeps its rooms for now, but takes no more.
    case draining
    /// The node has ended. Its rooms can be taken at once.
    case ended
  }

  /// Whether the node takes rooms.
  package var state: State
  /// How busy the node is, in thousandths of its capacity.
  package var load: UInt16
  /// The number of rooms that the node owns.
  package var rooms: UInt32

  /// Creates a heartbeat.
  package init(state: State, load: UInt16, rooms: UInt32) {
    (self.state, self.load, self.rooms) = (state, load, rooms)
  }

  /// The number of bytes of a heartbeat.
  package static let byteCount = 8
  private static let version: UInt8 = 1

  /// Reads a heartbeat, unless the bytes are not one.
  package init?(_ bytes: some Collection<UInt8>) {
    let read = try? ClusterReader.read(Array(bytes)) { reader throws(ByteError) in
      guard try reader.byte("version") == Self.version else { throw .invalid(field: "version") }
      return try Heartbeat(
        state: reader.choice(.serving, "state"),
        load: reader.number(0, "load"),
        rooms: reader.number(0, "rooms")
      )
    }
    guard let read else { return nil }
    self = read
  }

  /// Appends the heartbeat's bytes.
  package func encode(into bytes: inout [UInt8]) {
    bytes += [Self.version, state.rawValue]
    bytes.append16(load)
    bytes.append32(rooms)
  }
}

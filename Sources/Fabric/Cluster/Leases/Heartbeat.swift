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
    guard bytes.count == Self.byteCount else { return nil }
    let bytes = Array(bytes)
    guard bytes[0] == Self.version, let state = State(rawValue: bytes[1]) else { return nil }
    self.state = state
    load = UInt16(bytes[2]) | UInt16(bytes[3]) << 8
    rooms = bytes[4..<8].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Appends the heartbeat's bytes.
  package func encode(into bytes: inout [UInt8]) {
    bytes += [Self.version, state.rawValue, UInt8(load & 0xff), UInt8(load >> 8)]
    for shift in [0, 8, 16, 24] as [UInt32] { bytes.append(UInt8(rooms >> shift & 0xff)) }
  }
}

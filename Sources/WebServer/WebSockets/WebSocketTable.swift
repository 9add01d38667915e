/// The open WebSockets, found by id in constant time.
///
/// What sending needs is kept apart from the rest: few bytes, since a frame is sent to a thousand.
struct WebSocketTable {
  /// One WebSocket.
  struct Entry {
    /// The source of the peer, and the uses that the WebSocket counts against its client's
    /// limits.
    let source: String
    var share: ClientShare
    let input: WebSocketInput
    /// The rest of a write that the socket did not accept.
    var rest: [UInt8] = []
    var hasSentClose = false
    /// Whether the connection has ended and is about to be removed.
    var isCut = false
    var closeCode: UInt16 = 1006
    var closeReason = ""
    /// When a closing connection is cut, in seconds; nil while it is open.
    var closeDeadline: Double?

    /// Ends what the connection counts in the census.
    mutating func endCounting(in census: Census) {
      census.endAll(of: &share)
      census.removeWebSocket(of: source)
    }
  }

  private struct Slot {
    var generation: UInt32 = 0
    var webSocket: Entry?
  }

  /// What sending needs.
  struct Outlet {
    fileprivate var generation: UInt32 = 0
    fileprivate(set) var descriptor: Int32 = -1
    fileprivate var isClosing = false
    /// Whether ``Entry/rest`` must be sent first.
    fileprivate var isBusy = false
    /// Whether a message was refused since the socket was last writable.
    fileprivate var awaitsWritable = false
    /// When something was last received, in seconds.
    fileprivate(set) var heard = 0.0

    fileprivate init() {}

    /// Creates the outlet of a connection that was heard now.
    init(descriptor: Int32, heard: Double) { (self.descriptor, self.heard) = (descriptor, heard) }
  }

  /// Whether a WebSocket can be sent a message.
  enum Outgoing: Equatable {
    /// Yes, at this descriptor.
    case ready(Int32)
    /// Not before the rest of an earlier write is sent.
    case busy
    /// No, it is closing or closed.
    case gone
  }

  private var slots: [Slot] = []
  private var outlets: [Outlet] = []
  private var free: [UInt32] = []

  var count: Int { slots.count - free.count }

  var connections: [ConnectionID] {
    slots.indices.compactMap { index in
      slots[index].webSocket.map { _ in
        ConnectionID(slot: UInt32(index), generation: slots[index].generation)
      }
    }
  }

  subscript(_ connection: ConnectionID) -> Entry? {
    let slot = slots[Int(connection.slot)]
    return slot.generation == connection.generation ? slot.webSocket : nil
  }

  /// Adds a WebSocket.
  mutating func insert(_ webSocket: Entry, _ outlet: Outlet) -> ConnectionID {
    let slot = free.popLast() ?? UInt32(slots.count)
    if slot == slots.count {
      slots.append(Slot())
      outlets.append(Outlet())
    }
    slots[Int(slot)].webSocket = webSocket
    let generation = slots[Int(slot)].generation
    outlets[Int(slot)] = outlet
    outlets[Int(slot)].generation = generation
    return ConnectionID(slot: slot, generation: generation)
  }

  /// Removes a WebSocket and returns it; the caller closes its descriptor, or passes it on.
  mutating func detach(_ connection: ConnectionID) -> (Entry, Outlet)? {
    guard let webSocket = self[connection] else { return nil }
    let outlet = outlets[Int(connection.slot)]
    remove(connection)
    return (webSocket, outlet)
  }

  private mutating func remove(_ connection: ConnectionID) {
    slots[Int(connection.slot)].webSocket = nil
    outlets[Int(connection.slot)] = Outlet()
    // An outdated id must not find the next connection in the slot.
    slots[Int(connection.slot)].generation &+= 1
    free.append(connection.slot)
  }

  /// Returns the descriptor of a WebSocket that has not been removed.
  func descriptor(of connection: ConnectionID) -> Int32 { outlets[Int(connection.slot)].descriptor }

  // MARK: Sending

  /// Returns whether a WebSocket can be sent a message now.
  func outgoing(of connection: ConnectionID) -> Outgoing {
    let outlet = outlets[Int(connection.slot)]
    guard outlet.generation == connection.generation, outlet.descriptor >= 0, !outlet.isClosing
    else { return .gone }
    return outlet.isBusy ? .busy : .ready(outlet.descriptor)
  }

  /// Whether the rest of a write has to be sent, or a message was refused.
  func awaitsRoom(_ connection: ConnectionID) -> Bool {
    let outlet = outlets[Int(connection.slot)]
    return outlet.isBusy || outlet.awaitsWritable
  }

  /// Appends bytes to the rest that is sent once the socket has room.
  mutating func retain(_ bytes: some Collection<UInt8>, for connection: ConnectionID) {
    slots[Int(connection.slot)].webSocket?.rest += bytes
    outlets[Int(connection.slot)].isBusy = true
  }

  /// Removes bytes from the beginning of the rest.
  mutating func dropRest(_ count: Int, of connection: ConnectionID) {
    slots[Int(connection.slot)].webSocket?.rest.removeFirst(count)
    guard slots[Int(connection.slot)].webSocket?.rest.isEmpty != false else { return }
    // A rest is rare; its memory is not kept.
    slots[Int(connection.slot)].webSocket?.rest = []
    outlets[Int(connection.slot)].isBusy = false
  }

  mutating func awaitWritable(_ connection: ConnectionID) {
    outlets[Int(connection.slot)].awaitsWritable = true
  }

  /// Returns whether the connection waited to become writable, and resets that.
  mutating func clearAwaitsWritable(_ connection: ConnectionID) -> Bool {
    defer { outlets[Int(connection.slot)].awaitsWritable = false }
    return outlets[Int(connection.slot)].awaitsWritable
  }

  // MARK: Silence

  /// Records that something was received.
  mutating func hear(_ connection: ConnectionID, at now: Double) {
    outlets[Int(connection.slot)].heard = now
  }

  /// Returns when something was last received, in seconds.
  func heard(_ connection: ConnectionID) -> Double { outlets[Int(connection.slot)].heard }

  // MARK: Closing

  func isClosing(_ connection: ConnectionID) -> Bool { outlets[Int(connection.slot)].isClosing }

  mutating func beginClosing(
    _ connection: ConnectionID,
    code: UInt16,
    reason: String,
    deadline: Double
  ) {
    outlets[Int(connection.slot)].isClosing = true
    slots[Int(connection.slot)].webSocket?.closeCode = code
    slots[Int(connection.slot)].webSocket?.closeReason = reason
    slots[Int(connection.slot)].webSocket?.closeDeadline = deadline
  }

  mutating func setSentClose(_ connection: ConnectionID) {
    slots[Int(connection.slot)].webSocket?.hasSentClose = true
  }

  /// Records that a connection has ended; returns false if it had already.
  mutating func cut(_ connection: ConnectionID) -> Bool {
    guard slots[Int(connection.slot)].webSocket?.isCut == false else { return false }
    slots[Int(connection.slot)].webSocket?.isCut = true
    outlets[Int(connection.slot)].isClosing = true
    return true
  }
}

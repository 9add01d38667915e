/// The open WebSockets, found by id in constant time.
struct WebSocketTable {
  struct Entry {
    let socket: OpaquePointer
    /// The uses that the WebSocket counts against its client's limits.
    let share: ClientShare
    let input: WebSocketInput
    var awaitsWritable = false
    var isClosing = false
    var hasSentClose = false
    var closeCode: UInt16 = 1006
    var closeReason = ""
  }

  private struct Slot {
    var generation: UInt32 = 0
    var webSocket: Entry?
  }

  private var slots: [Slot] = []
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

  /// Returns the connection in a slot that libwebsockets stores.
  func connection(inSlot slot: UInt32) -> ConnectionID {
    ConnectionID(slot: slot, generation: slots[Int(slot)].generation)
  }

  mutating func insert(_ webSocket: Entry) -> ConnectionID {
    let slot: UInt32
    if let reused = free.popLast() {
      slot = reused
    } else {
      slot = UInt32(slots.count)
      slots.append(Slot())
    }
    slots[Int(slot)].webSocket = webSocket
    return connection(inSlot: slot)
  }

  mutating func remove(_ connection: ConnectionID) {
    slots[Int(connection.slot)].webSocket = nil
    // An outdated id must not find the next connection in the slot.
    slots[Int(connection.slot)].generation &+= 1
    free.append(connection.slot)
  }

  mutating func awaitWritable(_ connection: ConnectionID) {
    slots[Int(connection.slot)].webSocket?.awaitsWritable = true
  }

  /// Returns whether the connection waited to become writable, and resets that.
  mutating func takeAwaitsWritable(_ connection: ConnectionID) -> Bool {
    let awaited = slots[Int(connection.slot)].webSocket?.awaitsWritable ?? false
    if awaited { slots[Int(connection.slot)].webSocket?.awaitsWritable = false }
    return awaited
  }

  mutating func beginClosing(_ connection: ConnectionID, code: UInt16, reason: String) {
    slots[Int(connection.slot)].webSocket?.isClosing = true
    slots[Int(connection.slot)].webSocket?.closeCode = code
    slots[Int(connection.slot)].webSocket?.closeReason = reason
  }

  mutating func setSentClose(_ connection: ConnectionID) {
    slots[Int(connection.slot)].webSocket?.hasSentClose = true
  }
}

/// The open WebSockets, found by name in constant time.
struct MemberTable {
  struct Member {
    let socket: OpaquePointer
    var awaitsWritable = false
    /// Nothing is read from it, until it has swallowed what was half taken.
    var isChoked = false
    /// The beginning of a message of which the end has not been read yet.
    var begun: [UInt8] = []
    var isClosing = false
    var hasSaidGoodbye = false
    var closeCode: UInt16 = 1006
    var closeReason = ""
  }

  private struct Slot {
    var generation: UInt32 = 0
    var member: Member?
  }

  private var slots: [Slot] = []
  private var free: [UInt32] = []

  var count: Int { slots.count - free.count }

  var connections: [ConnectionID] {
    slots.indices.compactMap { index in
      slots[index].member.map { _ in
        ConnectionID(slot: UInt32(index), generation: slots[index].generation)
      }
    }
  }

  subscript(_ connection: ConnectionID) -> Member? {
    let slot = slots[Int(connection.slot)]
    return slot.generation == connection.generation ? slot.member : nil
  }

  /// The connection in a slot that libwebsockets remembers.
  func connection(inSlot slot: UInt32) -> ConnectionID {
    ConnectionID(slot: slot, generation: slots[Int(slot)].generation)
  }

  mutating func insert(_ socket: OpaquePointer) -> ConnectionID {
    let slot: UInt32
    if let reused = free.popLast() {
      slot = reused
    } else {
      slot = UInt32(slots.count)
      slots.append(Slot())
    }
    slots[Int(slot)].member = Member(socket: socket)
    return connection(inSlot: slot)
  }

  mutating func remove(_ connection: ConnectionID) {
    slots[Int(connection.slot)].member = nil
    // A name kept by mistake must not find who comes next into the slot.
    slots[Int(connection.slot)].generation &+= 1
    free.append(connection.slot)
  }

  mutating func awaitWritable(_ connection: ConnectionID) {
    slots[Int(connection.slot)].member?.awaitsWritable = true
  }

  /// Whether the connection waited to become writable; it no longer does.
  mutating func takeAwaitsWritable(_ connection: ConnectionID) -> Bool {
    let awaited = slots[Int(connection.slot)].member?.awaitsWritable ?? false
    if awaited { slots[Int(connection.slot)].member?.awaitsWritable = false }
    return awaited
  }

  /// Keeps the beginning of a message.
  mutating func keepBegun(_ connection: ConnectionID, _ bytes: UnsafeRawBufferPointer) {
    slots[Int(connection.slot)].member?.begun.append(contentsOf: bytes)
  }

  /// The beginning that was kept, which is no longer.
  mutating func takeBegun(_ connection: ConnectionID) -> [UInt8] {
    let begun = slots[Int(connection.slot)].member?.begun ?? []
    if !begun.isEmpty { slots[Int(connection.slot)].member?.begun = [] }
    return begun
  }

  mutating func setChoked(_ connection: ConnectionID, _ isChoked: Bool) {
    slots[Int(connection.slot)].member?.isChoked = isChoked
  }

  mutating func beginClosing(_ connection: ConnectionID, code: UInt16, reason: String) {
    slots[Int(connection.slot)].member?.isClosing = true
    slots[Int(connection.slot)].member?.closeCode = code
    slots[Int(connection.slot)].member?.closeReason = reason
  }

  /// The other side closes, for a reason.
  mutating func noteGoodbye(_ connection: ConnectionID, code: UInt16) {
    slots[Int(connection.slot)].member?.closeCode = code
  }

  mutating func sayGoodbye(_ connection: ConnectionID) {
    slots[Int(connection.slot)].member?.hasSaidGoodbye = true
  }
}
